/**
 * The steps of a push: create, upload, add, submit. Each may be interrupted at any moment and run
 * again. Recorded steps are not repeated; a step that may have succeeded without a response is
 * repeated under the same key.
 */
import { type FormatId, HubError, type Job } from '@dragoman/contract/wire'
import { type Connection, superseding } from '@dragoman/sdk'
import { Refusal } from '../../command.ts'
import type { PlannedFile, PushPlan } from './push-plan.ts'
import { asSubmitted, jobsOf, newState, type PushState } from './push-state.ts'

export type Steps = {
  readonly hub: Connection
  readonly plan: PushPlan
  readonly providerId?: string
  readonly signal: AbortSignal
  /** Saves the state before the next step begins. */
  keep(state: PushState): Promise<void>
  onProgress(path: string, sent: number, size: number): void
}

export async function createDraft(steps: Steps, state: PushState): Promise<PushState> {
  if (state.jobId !== undefined) return state
  const { hub, plan, signal } = steps
  const { jobName, source, targets, labels, poReference, dueDate, segmentation } = plan
  const names = namesInFiles(plan, hub.language)
  await steps.keep(state)
  const job = await hub.createJob(
    {
      body: {
        jobName,
        customData: plan.project,
        sourceNativeLanguageCode: source,
        targetNativeLanguageCodes: [...targets],
        ...(labels.length > 0 && { labels: [...labels] }),
        ...(poReference !== undefined && { poReference }),
        ...(dueDate !== undefined && { dueDate }),
        ...(segmentation !== undefined && { segmentation }),
        ...(names.length > 0 && { formatOptions: { languages: { names } } }),
      },
    },
    { key: `${state.key}-job`, signal },
  )
  const next = { ...state, jobId: job.jobId }
  await steps.keep(next)
  return next
}

/** Formats that name their language in the file, and archives, which may contain such files. */
const naming: ReadonlySet<FormatId | undefined> = new Set([
  'yaml',
  'po',
  'arb',
  'xcstrings',
  'qt-ts',
  'html',
  'zip',
])

/**
 * The codes of the project, where the hub has others: a translated file names its language as the
 * project does.
 */
export function namesInFiles(
  { files, targets }: Pick<PushPlan, 'files' | 'targets'>,
  codeOf: (code: string) => string,
) {
  if (!files.some(({ format }) => naming.has(format))) return []
  const same = (code: string) => code.replaceAll('_', '-').toLowerCase()
  return targets
    .map((name) => ({ language: codeOf(name), name }))
    .filter(({ language, name }) => same(language) !== same(name))
}

export async function uploadFiles(steps: Steps, begun: PushState): Promise<PushState> {
  const { hub, plan, signal } = steps
  const jobId = jobOf(begun)
  let state = begun
  for (const file of plan.files) {
    if (state.uploads[file.path] !== undefined) {
      steps.onProgress(file.path, file.source.size, file.source.size)
      continue
    }
    const onProgress = (sent: number, size: number) => steps.onProgress(file.path, sent, size)
    const { fmsFileId } = await hub
      .upload(jobId, file.source, { signal, onProgress })
      .catch((error: unknown) => {
        // Not an error of the hub or Ctrl-C: the file itself is the problem.
        if (error instanceof HubError || signal.aborted || !(error instanceof Error)) throw error
        throw new Refusal(error.message)
      })
    state = { ...state, uploads: { ...state.uploads, [file.path]: fmsFileId } }
    await steps.keep(state)
  }
  return state
}

/**
 * One call, which adds all or none: a second run can tell from the first request whether it was
 * done.
 */
export async function addRequests(steps: Steps, state: PushState): Promise<PushState> {
  if (state.added) return state
  const { hub, plan, signal } = steps
  const jobId = jobOf(state)
  const { requests: there } = await hub.listRequests({ params: { jobId } }, { signal })
  if (there.length === 0) {
    const requests = plan.files.flatMap((file) =>
      superseding(requestOf(plan, file, fileIdOf(state, file.path)), file.supersedes ?? {}),
    )
    await hub.addRequests(
      { params: { jobId }, body: { requests } },
      { key: `${state.key}-requests`, signal },
    )
  }
  const next = { ...state, added: true }
  await steps.keep(next)
  return next
}

const requestOf = (
  { source }: PushPlan,
  { path, targets, said }: PlannedFile,
  fmsFileId: string,
) => ({
  requestName: path,
  sourceNativeId: path,
  sourceNativeLanguageCode: source,
  targetNativeLanguageCodes: [...targets],
  fmsFileId,
  ...(said !== undefined && { format: said }),
})

/** Submitting a submitted job again returns its current state. */
export async function submit(steps: Steps, state: PushState): Promise<Job> {
  const { hub, plan, providerId, signal } = steps
  const jobId = jobOf(state)
  const job = await hub.submitJob(
    { params: { jobId }, ...(providerId !== undefined && { body: { providerId } }) },
    { signal },
  )
  const files = plan.files.map(({ targets, ...file }) => ({
    ...file,
    languages: targets.map(hub.language),
  }))
  await steps.keep(asSubmitted(state, jobId, files))
  return job
}

/**
 * The state, without jobs that the hub no longer has because they were deleted or the sandbox was
 * reset. Undefined for another hub or client, whose jobs say nothing about this one.
 */
export async function stillThere(
  hub: Connection,
  state: PushState | undefined,
  of: string,
): Promise<PushState | undefined> {
  if (state?.hub !== of) return undefined
  if (state.jobId === undefined || (await findJob(hub, state.jobId))) return state
  const gone = new Set([state.jobId])
  for (const jobId of jobsOf(state))
    if (!gone.has(jobId) && !(await findJob(hub, jobId))) gone.add(jobId)
  const sent = Object.entries(state.sent).map(([path, languages]) => [
    path,
    Object.fromEntries(Object.entries(languages).filter(([, { jobId }]) => !gone.has(jobId))),
  ])
  const { lastJobId } = state
  const isLastThere = lastJobId !== undefined && !gone.has(lastJobId)
  return newState(
    { hub: of, fingerprint: '' },
    { sent: Object.fromEntries(sent), ...(isLastThere && { lastJobId }) },
  )
}

/**
 * Cleans up after a push of other content: deletes a draft, keeps a job that a provider may have.
 */
export async function leaveFormer(hub: Connection, { jobId }: PushState): Promise<void> {
  const job = jobId === undefined ? undefined : await findJob(hub, jobId)
  if (job?.statusCode === 'CREATED') await hub.deleteJob({ params: { jobId: job.jobId } })
}

export async function findJob(hub: Connection, jobId: string): Promise<Job | undefined> {
  try {
    return await hub.findJob({ params: { jobId } })
  } catch (error) {
    if (error instanceof HubError && error.code === 'JOB_NOT_FOUND') return undefined
    throw error
  }
}

function fileIdOf({ uploads }: PushState, path: string): string {
  const fileId = uploads[path]
  if (fileId === undefined) throw new Error(`${path} is not uploaded yet.`)
  return fileId
}

export function jobOf({ jobId }: PushState): string {
  if (jobId === undefined) throw new Error('The push has no job yet.')
  return jobId
}
