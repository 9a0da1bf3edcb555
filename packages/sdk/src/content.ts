/**
 * Content into a job, files and keys and values alike: files are uploaded a few at a time, then the requests are added in
 * as few calls as their limits allow, each under a key of its own.
 */
import { type Field, type JobRequest, limits, type NewRequest } from '@dragoman/contract/wire'
import type { Calls } from './client.ts'
import type { Source } from './source.ts'
import type { Upload, UploadOptions } from './upload.ts'

export type Fields = Readonly<Record<string, string>> | readonly { readonly key: string; readonly value: string }[]

export type Item = {
  readonly name: string
  /** The content system's own id, found again on every request as sourceNativeId; the name unless given. */
  readonly id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Other languages than those of the whole push. */
  readonly source?: string
  readonly targets?: readonly string[]
} & ({ readonly file: Source } | { readonly fields: Fields })

export type AddOptions = Omit<UploadOptions, 'onProgress'> & {
  readonly source: string
  readonly targets: readonly string[]
  /** Uploads at the same time; 3 unless given. */
  readonly parallel?: number
  /** Told of every file as its bytes arrive. */
  readonly onProgress?: (name: string, sent: number, size: number) => void
  /** Makes the whole repeatable over a restart: the same key and content add nothing twice. */
  readonly key?: string
}

export type Add = (jobId: string, items: readonly Item[], options: AddOptions) => Promise<JobRequest[]>

export function openAdd(calls: Pick<Calls, 'addRequests'>, upload: Upload): Add {
  return async (jobId, items, options) => {
    const given = await inParallel(items, options.parallel ?? 3, async (item) => ({
      ...requestOf(item, options),
      ...('fields' in item
        ? { fields: fieldsOf(item.fields) }
        : { fmsFileId: (await upload(jobId, item.file, uploadOptions(item.name, options))).fmsFileId }),
    }))
    const made: JobRequest[] = []
    for (const [at, requests] of inBatches(given).entries()) {
      const { signal, key } = options
      const more = { ...(signal && { signal }), ...(key !== undefined && { key: `${key}-${at}` }) }
      made.push(...(await calls.addRequests({ params: { jobId }, body: { requests } }, more)).requests)
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

function uploadOptions(name: string, { onProgress, signal, chunkBytes }: AddOptions): UploadOptions {
  return {
    ...(signal && { signal }),
    ...(chunkBytes !== undefined && { chunkBytes }),
    ...(onProgress && { onProgress: (sent: number, size: number) => onProgress(name, sent, size) }),
  }
}

type KeyAndValue = { key: string; value: string }

export const fieldsOf = (fields: Fields): KeyAndValue[] =>
  isList(fields) ? fields.map((one) => ({ ...one })) : Object.entries(fields).map(([key, value]) => ({ key, value }))

const isList = (fields: Fields): fields is readonly KeyAndValue[] => Array.isArray(fields)

/** Keys and values as an object, in their order. */
export const recordOf = (fields: readonly { key: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ key, value }) => [key, value]))

/** Half of what the hub takes in one body, so that the rest of the call fits beside it. */
const mostBytes = limits.requestsJsonBytes / 2
const mostValues = limits.requestsJsonValues / 2

/** One call makes at most so many requests, languages multiplied out, of so many bytes and values. */
function inBatches(all: readonly NewRequest[]): NewRequest[][] {
  const batches: NewRequest[][] = []
  let [count, bytes, values] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const request of all) {
    const size = new TextEncoder().encode(JSON.stringify(request)).length
    const many = request.targetNativeLanguageCodes.length
    const inside = valuesOf(request)
    if (count + many > limits.requestsPerCall || bytes + size > mostBytes || values + inside > mostValues) {
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

/** In the order of the list; the first failure ends it, after those that run have come to their end. */
export async function inParallel<T, R>(list: readonly T[], most: number, work: (one: T) => Promise<R>): Promise<R[]> {
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
