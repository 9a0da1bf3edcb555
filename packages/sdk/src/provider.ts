/**
 * `connectProvider`: everything a provider does with a hub. It finds its work, takes it, translates
 * it as segments, files or packages, and delivers it. Every step can be repeated after a failure.
 */
import {
  type AssetTask,
  HubError,
  limits,
  type ProviderJob,
  type Segment,
  type TextParts,
} from '@dragoman/contract/wire'
import type { Calls, Each } from './client.ts'
import { type ConnectOptions, openHub } from './connect.ts'
import type { DownloadFile } from './download.ts'
import { findProvider } from './push.ts'
import type { Source } from './source.ts'
import type { Send, UploadOptions } from './upload.ts'

export type JobIds = { readonly providerId: string; readonly jobId: string }
export type TaskIds = JobIds & { readonly assetTaskId: string }
/** An asset task with its job. */
export type Work = TaskIds & { readonly job: ProviderJob; readonly task: AssetTask }

export type WorkOptions = {
  /** The id or name of one provider; by default all that the client works for. */
  readonly provider?: string
  readonly jobId?: string
  /** What is delivered, approved and cancelled as well. */
  readonly all?: boolean
  readonly signal?: AbortSignal
}

/** The target of a segment; undefined leaves it as it is. */
export type TranslateSegment = (
  segment: Segment,
) => TextParts | undefined | Promise<TextParts | undefined>

export type ProviderConnection = Calls & {
  readonly url: string
  /** The items of a paged call, across all pages. */
  readonly each: Each
  readonly download: DownloadFile
  /** The asset tasks that wait for a translation, job by job. */
  work(options?: WorkOptions): AsyncIterable<Work>
  /** Acknowledges the job and starts the task. */
  take(task: TaskIds): Promise<AssetTask>
  /** Uploads the translated file of a task; `deliver` hands it over. */
  put(task: TaskIds, source: Source, options?: UploadOptions): Promise<{ fmsFileId: string }>
  /** Delivers the file that `put` uploaded. */
  deliver(task: TaskIds): Promise<AssetTask>
  /** Writes the targets of all segments that are not translated. Returns how many were written. */
  translate(
    task: TaskIds,
    translate: TranslateSegment,
    options?: { readonly signal?: AbortSignal },
  ): Promise<number>
}

export function connectProvider(options: ConnectOptions): ProviderConnection {
  const { url, calls, each, send, download } = openHub(options)
  return {
    ...calls,
    url,
    each,
    download,
    work: (asked) => findWork(calls, each, asked),
    take: async (task) => {
      await calls.acknowledgeProviderJob({ params: jobOf(task) })
      return calls.changeAssetTask({ params: idsOf(task), body: { statusCode: 'IN_TRANSLATION' } })
    },
    put: (task, source, how) => put(calls, send, task, { source, ...how }),
    deliver: (task) =>
      calls.changeAssetTask({ params: idsOf(task), body: { statusCode: 'TRANSLATION_SUBMITTED' } }),
    translate: (task, translate, { signal } = {}) =>
      translateAll(calls, each, task, { translate, signal }),
  }
}

const jobOf = ({ providerId, jobId }: JobIds) => ({ providerId, jobId })
const idsOf = ({ assetTaskId, ...job }: TaskIds) => ({ ...jobOf(job), assetTaskId })

const openStatuses = ['SENDING', 'IN_TRANSLATION', 'TRANSLATION_REJECTED'] as const
const openJobs = ['SENDING_READY_FOR_RETRIEVE', 'IN_TRANSLATION'] as const

async function* findWork(
  calls: Calls,
  each: Each,
  { provider, jobId, all, signal }: WorkOptions = {},
) {
  const options = signal && { signal }
  const providerIds: string[] = []
  if (provider !== undefined) providerIds.push((await findProvider(each, provider)).id)
  else for await (const { id } of each('listProviders', {}, options)) providerIds.push(id)
  let found = false
  for (const providerId of providerIds)
    for await (const job of jobsOf(providerId)) {
      found = true
      const at = { providerId, jobId: job.jobId }
      const query = all ? {} : { statusCode: [...openStatuses] }
      for await (const task of each('listAssetTasks', { params: at, query }, options))
        yield { ...at, assetTaskId: task.assetTaskId, job, task }
    }
  if (jobId !== undefined && !found) throw new HubError('JOB_NOT_FOUND', { jobId })

  async function* jobsOf(providerId: string): AsyncIterable<ProviderJob> {
    if (jobId === undefined) {
      yield* each(
        'listProviderJobs',
        { params: { providerId }, query: all ? {} : { statusCode: [...openJobs] } },
        options,
      )
      return
    }
    const job = await calls
      .findProviderJob({ params: { providerId, jobId } }, options)
      .catch((error: unknown) => {
        if (error instanceof HubError && error.status === 404) return undefined
        throw error
      })
    if (job) yield job
  }
}

async function put(
  calls: Pick<Calls, 'createTranslatedFile'>,
  send: Send,
  task: TaskIds,
  { source, ...options }: UploadOptions & { readonly source: Source },
) {
  const ask = (how?: { signal?: AbortSignal }) =>
    calls.createTranslatedFile({ params: idsOf(task) }, how)
  const { fmsFileId } = await send(`${task.jobId} ${task.assetTaskId}`, ask, source, options)
  return { fmsFileId }
}

type Translating = {
  readonly translate: TranslateSegment
  readonly signal: AbortSignal | undefined
}

/** Reads every page before it writes: what is written leaves the list. */
async function translateAll(
  calls: Calls,
  each: Each,
  task: TaskIds,
  { translate, signal }: Translating,
) {
  const options = signal && { signal }
  const params = idsOf(task)
  const open: Segment[] = []
  const query = { state: ['NEW', 'DRAFT', 'REJECTED'] satisfies Segment['state'][] }
  for await (const segment of each('listSegments', { params, query }, options)) open.push(segment)
  let written = 0
  for (let at = 0; at < open.length; at += limits.segmentsPerCall) {
    const segments = []
    for (const segment of open.slice(at, at + limits.segmentsPerCall)) {
      const target = await translate(segment)
      const { segmentId, version } = segment
      if (target) segments.push({ segmentId, target, state: 'TRANSLATED' as const, version })
    }
    if (segments.length > 0) await calls.changeSegments({ params, body: { segments } }, options)
    written += segments.length
  }
  return written
}
