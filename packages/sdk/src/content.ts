/**
 * Adds content to a job, both files and key-value content: uploads a few files at a time, then adds
 * the requests in as few calls as the limits allow, each with its own idempotency key.
 */
import { type Field, type JobRequest, limits, type NewRequest } from '@dragoman/contract/wire'
import type { Calls } from './client.ts'
import type { Source } from './source.ts'
import type { Upload, UploadOptions } from './upload.ts'

export type Fields =
  | Readonly<Record<string, string>>
  | readonly { readonly key: string; readonly value: string }[]

export type Item = {
  readonly name: string
  /**
   * The content system's own id, returned on every request as sourceNativeId; the name by default.
   */
  readonly id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Languages for this item, if not those of the whole push. */
  readonly source?: string
  readonly targets?: readonly string[]
  /**
   * The requests with an older source of this item, by target language: the hub cancels them once
   * the job is submitted, and carries their targets over.
   */
  readonly supersedes?: Readonly<Record<string, string>>
} & ({ readonly file: Source } | { readonly fields: Fields })

export type AddOptions = Omit<UploadOptions, 'onProgress'> & {
  readonly source: string
  readonly targets: readonly string[]
  /** Parallel uploads; 3 by default. */
  readonly parallel?: number
  /** Called for every file as its bytes arrive. */
  readonly onProgress?: (name: string, sent: number, size: number) => void
  /**
   * Makes the whole push repeatable after a restart: the same key and content add nothing twice.
   */
  readonly key?: string
}

export type Add = (
  jobId: string,
  items: readonly Item[],
  options: AddOptions,
) => Promise<JobRequest[]>

export function openAdd(calls: Pick<Calls, 'addRequests'>, upload: Upload): Add {
  return async (jobId, items, options) => {
    const each = await inParallel(items, options.parallel ?? 3, async (item) => {
      const source =
        'fields' in item
          ? { fields: fieldsOf(item.fields) }
          : {
              fmsFileId: (await upload(jobId, item.file, uploadOptions(item.name, options)))
                .fmsFileId,
            }
      return superseding({ ...requestOf(item, options), ...source }, item.supersedes ?? {})
    })
    const given = each.flat()
    const made: JobRequest[] = []
    for (const [at, requests] of inBatches(given).entries()) {
      const { signal, key } = options
      const more = { ...(signal && { signal }), ...(key !== undefined && { key: `${key}-${at}` }) }
      made.push(
        ...(await calls.addRequests({ params: { jobId }, body: { requests } }, more)).requests,
      )
    }
    return made
  }
}

const requestOf = (item: Item, options: AddOptions): NewRequest => ({
  requestName: item.name,
  sourceNativeId: item.id ?? item.name,
  sourceNativeLanguageCode: item.source ?? options.source,
  targetNativeLanguageCodes: [...(item.targets ?? options.targets)],
  ...(item.metadata && { extendedMetadata: { ...item.metadata } }),
})

/** One request for the languages in which it is new, and one for each that has an older source. */
export function superseding(
  request: NewRequest,
  older: Readonly<Record<string, string>>,
): NewRequest[] {
  const { targetNativeLanguageCodes: languages, targetNativeIds: ids } = request
  const isOlder = (code: string) => Object.hasOwn(older, code)
  if (!languages.some(isOlder)) return [request]
  const some = (codes: string[], more: Partial<NewRequest>): NewRequest => ({
    ...request,
    targetNativeLanguageCodes: codes,
    ...(ids && { targetNativeIds: codes.map((code) => ids[languages.indexOf(code)] ?? code) }),
    ...more,
  })
  const fresh = languages.filter((code) => !isOlder(code))
  return [
    ...(fresh.length > 0 ? [some(fresh, {})] : []),
    ...languages.filter(isOlder).map((code) => some([code], { supersedes: older[code] ?? '' })),
  ]
}

function uploadOptions(
  name: string,
  { onProgress, signal, chunkBytes }: AddOptions,
): UploadOptions {
  return {
    ...(signal && { signal }),
    ...(chunkBytes !== undefined && { chunkBytes }),
    ...(onProgress && { onProgress: (sent: number, size: number) => onProgress(name, sent, size) }),
  }
}

type KeyAndValue = { key: string; value: string }

export const fieldsOf = (fields: Fields): KeyAndValue[] =>
  isList(fields)
    ? fields.map((one) => ({ ...one }))
    : Object.entries(fields).map(([key, value]) => ({ key, value }))

const isList = (fields: Fields): fields is readonly KeyAndValue[] => Array.isArray(fields)

/** Key-value content as an object, in order. */
export const recordOf = (
  fields: readonly { key: string; value: string }[],
): Record<string, string> => Object.fromEntries(fields.map(({ key, value }) => [key, value]))

/** Half of what the hub accepts in one body, which leaves room for the rest of the call. */
const maxBytes = limits.requestsJsonBytes / 2
const maxValues = limits.requestsJsonValues / 2

/**
 * Limits each call by its number of requests, counting every language, and by its bytes and values.
 */
function inBatches(all: readonly NewRequest[]): NewRequest[][] {
  const batches: NewRequest[][] = []
  let [count, bytes, values] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const request of all) {
    const size = new TextEncoder().encode(JSON.stringify(request)).length
    const many = request.targetNativeLanguageCodes.length
    const inside = valuesOf(request)
    if (
      count + many > limits.requestsPerCall ||
      bytes + size > maxBytes ||
      values + inside > maxValues
    ) {
      batches.push([])
      count = 0
      bytes = 0
      values = 0
    }
    batches.at(-1)?.push(request)
    count += many
    bytes += size
    values += inside
  }
  return batches
}

/** Objects, lists, texts and numbers, as the hub counts them. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1)
}

/**
 * Results in list order; after the first failure it starts no more and waits for the running ones.
 */
async function inParallel<T, R>(
  list: readonly T[],
  most: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = []
  let next = 0
  let failed = false
  const worker = async () => {
    while (next < list.length && !failed) {
      const at = next
      next += 1
      try {
        done[at] = await work(list[at] as T)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.max(1, most) }, worker))
  const broken = workers.find((one) => one.status === 'rejected')
  if (broken) throw broken.reason
  return done
}

export type { Field }
