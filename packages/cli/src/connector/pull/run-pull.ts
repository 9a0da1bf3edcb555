/** One pull: which jobs, which of their translations, and the result for each file. */
import { HubError, type Job, type JobRequest } from '@dragoman/contract/wire'
import { Refusal, type Screen, UsageError } from '../../command.ts'
import type { Joined } from '../hub-connection.ts'
import { openJobWaiting } from '../job-waiting.ts'
import { jobsOf, type PushState, readState } from '../push/push-state.ts'
import { type Outputs, placeAll } from './pull-paths.ts'
import { readPulled, writePulled } from './pulled-state.ts'
import { type Written, writeTranslations } from './write-translations.ts'

type HowToPull = {
  /** Also pull jobs whose translations were all pulled before. */
  readonly all: boolean
  readonly wait: boolean
  readonly approve: boolean
  readonly complete: boolean
  readonly force: boolean
  /** In lower case; all languages if absent. */
  readonly languages?: readonly string[]
  readonly signal: AbortSignal
}

export type Pulled = {
  readonly jobIds: readonly string[]
  readonly written: readonly Written[]
  readonly open: readonly JobRequest[]
  readonly failed: readonly JobRequest[]
}

/**
 * The named job; otherwise every job pushed from this project that may have something new, always
 * including the last one.
 */
export async function jobsToPull(
  { folder }: Joined,
  named?: string,
  all = false,
): Promise<string[]> {
  if (named !== undefined) return [named]
  const state = await readState(folder)
  if (state?.jobId === undefined)
    throw new UsageError('Specify the job: nothing has been pushed from this project yet.')
  const { done } = await readPulled(folder)
  return [
    ...jobsOf(state).filter((id) => id !== state.jobId && (all || !done.includes(id))),
    state.jobId,
  ]
}

export async function runPull(
  joined: Joined,
  named: string | undefined,
  { outputs, screen, how }: Pick<One, 'outputs' | 'screen' | 'how'>,
) {
  const jobIds = await jobsToPull(joined, named, how.all)
  const state = named === undefined ? await readState(joined.folder) : undefined
  const parts: Pulled[] = []
  for (const jobId of jobIds) {
    const isLast = jobId === jobIds.at(-1)
    parts.push(
      await pullJob(joined, jobId, {
        outputs,
        screen,
        how,
        ...(state && { state }),
        mustBeThere: isLast,
      }),
    )
  }
  return {
    jobIds,
    written: parts.flatMap(({ written }) => written),
    open: parts.flatMap(({ open }) => open),
    failed: parts.flatMap(({ failed }) => failed),
  }
}

type One = {
  readonly outputs: Outputs
  readonly screen: Screen
  readonly how: HowToPull
  readonly state?: PushState
  readonly mustBeThere: boolean
}

async function pullJob(
  joined: Joined,
  jobId: string,
  { outputs, screen, how, state, mustBeThere }: One,
): Promise<Pulled> {
  const { hub, project, folder } = joined
  const nothing = { jobIds: [jobId], written: [], open: [], failed: [] }
  const job = await hub
    .findJob({ params: { jobId } }, { signal: how.signal })
    .catch((error: unknown) => {
      if (mustBeThere || !(error instanceof HubError) || error.code !== 'JOB_NOT_FOUND') throw error
    })
  if (!job || (!mustBeThere && (job.archived || job.statusCode === 'CANCELLED'))) {
    screen.err(
      `Skipped the earlier job ${jobId}: ${job ? 'it is archived or cancelled' : 'the hub no longer has it'}.`,
    )
    await markDone(folder, jobId)
    return nothing
  }
  if (how.wait) mustBeComing(job)
  const all = await ask(joined, jobId, screen, how)
  const wanted = (one: JobRequest) =>
    (!how.languages || isNamed(one.targetNativeLanguageCode, how.languages, outputs)) &&
    isNewest(one, state)
  const [ready, open, failed] = [
    all.ready.filter(wanted),
    all.open.filter(wanted),
    all.failed.filter(wanted),
  ]
  const placed = await placeAll(project.root, outputs, ready)
  const written = await writeTranslations(joined, placed, screen, how)
  const ids = ready
    .filter(({ statusCode }) => statusCode === 'REVIEW_TRANSLATION')
    .map(({ requestId }) => requestId)
  if (how.approve && ids.length > 0) await hub.approve(jobId, ids)
  const isWhole =
    open.length + failed.length === 0 && !written.some(({ outcome }) => outcome === 'conflict')
  if (how.complete && isWhole) await hub.completeJob({ params: { jobId } }, { signal: how.signal })
  if (isWhole && !how.languages) await markDone(folder, jobId)
  return { jobIds: [jobId], written, open, failed }
}

const isNamed = (code: string, languages: readonly string[], { nameOf }: Outputs): boolean =>
  [code, nameOf(code)].some((one) => languages.includes(one.toLowerCase()))

/** A later job may have a newer version of the file; then this translation is out of date. */
function isNewest(
  { jobId, sourceNativeId, targetNativeLanguageCode }: JobRequest,
  state: PushState | undefined,
): boolean {
  const languages =
    state && Object.hasOwn(state.sent, sourceNativeId) ? state.sent[sourceNativeId] : undefined
  const newest = languages?.[targetNativeLanguageCode]?.jobId
  return newest === undefined || newest === jobId
}

async function markDone(folder: string, jobId: string): Promise<void> {
  const pulled = await readPulled(folder)
  if (!pulled.done.includes(jobId))
    await writePulled(folder, { ...pulled, done: [...pulled.done, jobId] })
}

/** Waiting does not help if the job was never submitted or is archived. */
function mustBeComing({ jobId, statusCode, archived }: Job): void {
  if (archived)
    throw new Refusal(
      `Job ${jobId} is archived, so its translations cannot be downloaded; unarchive it first.`,
    )
  if (statusCode === 'CREATED')
    throw new Refusal(
      `Job ${jobId} has not been submitted, so it has no translations; finish dragoman push first.`,
    )
}

async function ask({ hub }: Joined, jobId: string, screen: Screen, { wait, signal }: HowToPull) {
  const waiting = openJobWaiting(screen)
  try {
    return await hub.wait(jobId, {
      signal,
      everyMs: 500,
      mostMs: 15_000,
      ...(wait ? { onProgress: waiting.tell } : { timeoutMs: 0 }),
    })
  } finally {
    waiting.end()
  }
}
