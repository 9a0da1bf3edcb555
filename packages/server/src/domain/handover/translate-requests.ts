/**
 * Runs drivers that translate on their own, one batch of a job's requests per task. Sources are
 * read and translations stored outside any transaction (deliver-batch.ts writes the rows).
 */
import { setImmediate } from 'node:timers/promises'
import { type FormatOptions, mayBeRead, refusalFor, unknownFormat } from '@dragoman/contract'
import { bounds } from '@dragoman/text/formats'
import type { Change, Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { newId } from '../../store/ids.ts'
import type { JobRow } from '../../store/tables.ts'
import { addTasks, type NewTask } from '../../store/tasks/add-tasks.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { openTurn } from '../../turns/in-turn.ts'
import {
  CannotTranslate,
  type Driver,
  Held,
  type Source,
  type Suggested,
} from '../engines/drivers/driver.ts'
import { driverOf } from '../engines/drivers/drivers.ts'
import { findProviderIfAny, mustFindProvider } from '../engines/providers.ts'
import { mustBeStored, readWhole, type StoredFile } from '../files/serve.ts'
import { contentBytesOf, findIfAny } from '../jobs/find-job.ts'
import { lastSentence, noteFailedTry } from '../jobs/requests/last-try.ts'
import { targetsCarried } from '../jobs/requests/newer/carry-over.ts'
import { type Contents, openContents } from '../jobs/requests/open-contents.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { measureRequests, readRange } from '../jobs/requests/requests-of-job.ts'
import { holdContent } from '../language/worker/in-flight.ts'
import {
  type Batch,
  deliverBatch,
  isOpen,
  maxBatch,
  type Remaining,
  type Result,
  storeTranslation,
} from './deliver-batch.ts'

export const translateTask = 'translate-requests'
/**
 * Requests per task. The number is high if the job has only a few MiB of key-value content, and low
 * if each request may take minutes.
 */
const batchSize = { small: maxBatch, large: 50, outside: 10 }
/** Yield to the event loop after this many requests. */
const perTick = 20
const smallBytes = 16 * 1024 ** 2
/** Limit of translated key-value bytes held in memory before they are written. */
const maxStoredBytes = 8 * 1024 ** 2
/**
 * Delay before the untranslated part of a batch is retried. Progress restarts the retry schedule.
 */
const retryMs = 5_000

/** Positions after `after`, up to `until`. */
export type Range = Pick<Batch, 'after' | 'until'>

/** Runs in the transaction that hands the job over; `ranges` are all requests by default. */
export async function translateLater(
  { hub, tx, causeId }: Change,
  job: JobRow,
  driver: Driver,
  ranges?: readonly Range[],
): Promise<void> {
  const { files, last } = await measureRequests(tx, job.site_id, job.job_id)
  const isSmall = files === 0 && (await contentBytesOf(tx, job.site_id, job.job_id)) <= smallBytes
  const now = hub.clock.now()
  const size = batchSize[driver.outside ? 'outside' : isSmall ? 'small' : 'large']
  const tasks: NewTask[] = []
  for (const range of batchesOf(ranges ?? [{ after: 0, until: last }], size)) {
    const payload: Batch = { siteId: job.site_id, jobId: job.job_id, ...range }
    // Translating files waits for a worker, as outside calls wait for an engine, so both run in the
    // outside lane. The key's first part is its group: tasks of one provider (and so of one site)
    // share a limited number of slots.
    const waits = driver.outside || files > 0
    const outside =
      waits && ({ lane: 'outside', key: `translate:${job.provider_id}:${newId()}` } as const)
    tasks.push({
      name: translateTask,
      payload,
      siteId: job.site_id,
      dueAt: now,
      causeId,
      ...outside,
    })
  }
  await addTasks(hub.db, tx, now, tasks)
}

const batchesOf = (ranges: readonly Range[], size: number): Range[] =>
  ranges.flatMap(({ after, until }) =>
    Array.from({ length: Math.ceil((until - after) / size) }, (_, at) => ({
      after: after + at * size,
      until: Math.min(until, after + (at + 1) * size),
    })),
  )

export async function translateRequests(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId, after, until } = task.payload as Batch
  const read = hub.db.read
  const job = await findIfAny(read, siteId, jobId)
  // Nothing is translated that could not be delivered: an engine may cost money.
  if (job && refusalFor('deliver', job.status, job.archive_status)) {
    const all = { payload: task.payload as Batch, inMs: 0 }
    await deliverBatch(hub, task, [], all)
    return 'settled'
  }
  const provider = job?.provider_id
    ? await mustFindProvider(read, siteId, job.provider_id)
    : undefined
  const driver = provider && driverOf(provider.type_id)
  const requests = job
    ? await readRange(read, siteId, jobId, { after, until, limit: maxBatch })
    : []
  const contents = await openContents(hub, siteId, jobId, requests)
  const options = job?.format_options
    ? (JSON.parse(job.format_options) as FormatOptions)
    : undefined
  const people = provider && driver?.people?.(provider)
  const translate = async (
    request: RequestWithFile,
  ): Promise<Omit<Result, 'request'> | undefined> => {
    if (!driver?.translate || !provider) return undefined
    const { translate, outside } = driver
    const file =
      request.file_id === null ? undefined : await mustBeStored(hub, siteId, jobId, request.file_id)
    if (file) mustBeReadable(file)
    const size = file?.size ?? contents.sizeOf(request)
    // Before its content is held: to find them, contents may be read too.
    const carried = new Map(await targetsCarried(hub, request))
    return holdContent(outside ? 'outside' : 'here', siteId, size, async () => {
      const made = await translate(hub, provider, {
        ...(await sourceOf(hub, request, file, { read: contents.read, options })),
        carried,
      })
      if ('suggestions' in made) return { suggested: made }
      const of = { siteId, jobId, targetLanguage: request.target_language }
      const translated = hub.faults ? await hub.faults.translation(of, made) : made
      return (
        translated && {
          stored: await storeTranslation(hub, request, translated, file?.content_type),
        }
      )
    })
  }
  const all = () => translateAll(hub, task, requests, translate)
  const isQuick = !driver?.outside && requests.every(({ file_id }) => file_id === null)
  const { done, remaining } = await (isQuick ? oneAtATime(hub)(all) : all())
  await deliverBatch(hub, task, people === undefined ? done : done.map(withoutError), remaining)
  return 'settled'
}

/**
 * Translates the requests in order. `remaining` is set if a try failed midway or if enough is held
 * in memory.
 */
async function translateAll(
  hub: Hub,
  task: Task,
  requests: readonly RequestWithFile[],
  translate: (request: RequestWithFile) => Promise<Omit<Result, 'request'> | undefined>,
): Promise<{ done: Result[]; remaining?: Remaining }> {
  const done: Result[] = []
  const payload = task.payload as Batch
  let storedBytes = 0
  for (const [at, request] of requests.entries()) {
    if (!isOpen(request)) continue
    if (at % perTick === perTick - 1) await setImmediate()
    try {
      const made = await translate(request)
      if (made) done.push({ request, ...made })
      storedBytes += made ? bytesOf(made) : 0
      if (storedBytes >= maxStoredBytes && request !== requests.at(-1))
        return { done, remaining: { payload: { ...payload, after: request.position }, inMs: 0 } }
    } catch (error) {
      if (error instanceof CannotTranslate) done.push({ request, error: error.message })
      // Not a failed try: nothing is used up but a limit, however long it takes.
      else if (error instanceof Held)
        return {
          done,
          remaining: {
            payload: { ...payload, after: request.position - 1 },
            at: error.until,
            error,
          },
        }
      else if (done.length === 0) throw error
      else {
        hub.log.warn(
          { err: error, taskId: task.taskId, causeId: task.causeId },
          'a batch was only partly translated',
        )
        return {
          done,
          remaining: { payload: { ...payload, after: request.position - 1 }, inMs: retryMs, error },
        }
      }
    }
  }
  return { done }
}

const bytesOf = ({ stored, suggested }: Omit<Result, 'request'>): number =>
  (stored && 'content' in stored ? stored.content.bytes : 0) + (suggested ? sizeOf(suggested) : 0)

const sizeOf = ({ suggestions: { texts } }: Suggested): number =>
  texts.reduce(
    (sum, [id, parts]) =>
      parts.reduce(
        (all, part) => all + (part.type === 'text' ? part.text : part.raw).length,
        sum + id.length,
      ),
    0,
  )

/** What no engine could do is left to the people of the chain, with the reason. */
const withoutError = ({ error, ...result }: Result): Result =>
  error === undefined
    ? result
    : {
        ...result,
        suggested: { suggestions: { texts: [], open: [], because: error }, machine: [] },
      }

/**
 * One batch at a time: work that only computes gains nothing from running in parallel, and the
 * first batch is written while the next is translated.
 */
const oneAtATime = perHub(openTurn)

/**
 * No tries are left: the requests get an error and its update, or go on to the people of a chain.
 * Earlier failed tries were only shown (last-try.ts).
 */
export async function giveUpTranslating(hub: Hub, task: Task, error: unknown): Promise<'settled'> {
  const { siteId, jobId, after, until } = task.payload as Batch
  const range = { after, until, limit: maxBatch }
  const { read } = hub.db
  const requests = await readRange(read, siteId, jobId, range)
  const failed = requests.map(
    (request): Result => ({ request, error: lastSentence(request, error) }),
  )
  const job = await findIfAny(read, siteId, jobId)
  const provider = job?.provider_id
    ? await findProviderIfAny(read, siteId, job.provider_id)
    : undefined
  const people = provider && driverOf(provider.type_id)?.people?.(provider)
  await deliverBatch(hub, task, people === undefined ? failed : failed.map(withoutError))
  return 'settled'
}

/**
 * A try failed and will be repeated. The request gets no error, but shows why it has no translation
 * yet.
 */
export const showFailedTry = (
  hub: Hub,
  task: Task,
  error: unknown,
  nextTime: number,
): Promise<void> =>
  hub.db.transact((tx) => noteFailedTry(hub, tx, task.payload as Batch, { error, nextTime }))

/** Decided from the row, before any byte is read. */
function mustBeReadable({ name, content_type, size }: StoredFile): void {
  if (size <= bounds.bytes) return
  const tooLarge = `The file has ${size} bytes; at most ${bounds.bytes} can be translated.`
  throw new CannotTranslate(mayBeRead(name, content_type) ? tooLarge : unknownFormat(name))
}

async function sourceOf(
  hub: Hub,
  request: RequestWithFile,
  file: StoredFile | undefined,
  {
    read,
    options,
  }: { readonly read: Contents['read']; readonly options: FormatOptions | undefined },
): Promise<Source> {
  const languages = {
    sourceLanguage: request.source_language,
    targetLanguage: request.target_language,
    jobId: request.job_id,
  }
  if (file)
    return {
      ...languages,
      content: {
        fileName: file.name,
        contentType: file.content_type,
        format: request.format ?? undefined,
        options,
        targetLanguage: request.target_language,
        bytes: await readWhole(hub, file),
      },
    }
  return { ...languages, content: { fields: await read(request) } }
}
