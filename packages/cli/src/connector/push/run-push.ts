/**
 * One push, from a plan to a submitted job: sends only what changed, and continues what was
 * interrupted.
 */
import { HubError, type Job } from '@dragoman/contract/wire'
import { Refusal, type Screen } from '../../command.ts'
import { openProgress } from '../../progress.ts'
import { count, json } from '../../table.ts'
import type { Joined } from '../hub-connection.ts'
import {
  mustFit,
  mustHoldNoSecrets,
  mustTranslate,
  providerFor,
  requestsOf,
  warnOfFormats,
} from './push-checks.ts'
import { alsoSent, askKnown, withOlder } from './push-known.ts'
import { onlyChanged, type PushPlan } from './push-plan.ts'
import { newState, type PushState, readState, writeState } from './push-state.ts'
import {
  addRequests,
  createDraft,
  findJob,
  leaveFormer,
  type Steps,
  stillThere,
  submit,
  uploadFiles,
} from './push-steps.ts'

type HowToPush = { readonly asJson: boolean; readonly all: boolean; readonly signal: AbortSignal }
/** What was pushed; if nothing was, the job of the last push, if the hub still has it. */
type Pushed = { readonly pushed: boolean; readonly job?: Job; readonly plan: PushPlan }

/** The plan without what the hub already has, unless everything is to be sent. */
export async function planOfChanges(joined: Joined, whole: PushPlan, all: boolean) {
  const former = await stillThere(joined.hub, await readState(joined.folder), whole.hub)
  const known = await askKnown(joined.hub, whole)
  const stated = known ? alsoSent(former, known, whole.hub) : former
  const changed = all ? whole : onlyChanged(whole, stated?.sent ?? {}, joined.hub.language)
  const plan = known && !all ? withOlder(changed, known, joined.hub.language) : changed
  await mustHoldNoSecrets(plan)
  return { former: stated, plan }
}

export async function runPush(
  joined: Joined,
  whole: PushPlan,
  screen: Screen,
  how: HowToPush,
): Promise<Pushed> {
  const { hub, folder } = joined
  const { former, plan } = await planOfChanges(joined, whole, how.all)
  mustFit(plan)
  warnOfFormats(plan, screen)
  const goesOn = former && former.fingerprint === plan.fingerprint && !former.submitted
  if (former && !goesOn && !former.submitted) await leaveFormer(hub, former)
  if (plan.files.length === 0) return nothingNew(joined, plan, former)
  if (goesOn && !how.asJson)
    screen.err(`Continuing the interrupted ${former.jobId ? `job ${former.jobId}` : 'push'}.`)
  const steps = openSteps(joined, screen, {
    plan,
    signal: how.signal,
    keep: (state) => writeState(folder, state),
  })
  try {
    const provider = await providerFor(hub, plan)
    mustTranslate(provider, plan, hub.language)
    const filled = await fill(steps, goesOn ? former : newState(plan, former))
    const job = await submit({ ...steps, providerId: provider.id }, filled)
    return { pushed: true, job, plan }
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'ALREADY_SUPERSEDED') throw error
    const begun = await readState(folder)
    if (begun && !begun.submitted) await leaveFormer(hub, begun)
    throw new Refusal(`${error.message} Run the same command again: it takes what is newest.`)
  } finally {
    steps.end()
  }
}

/** Makes the last job the project's job again, if a draft of other content came in between. */
async function nothingNew(
  { hub, folder }: Joined,
  plan: PushPlan,
  former: PushState | undefined,
): Promise<Pushed> {
  const jobId = former?.lastJobId
  if (former && jobId !== undefined) {
    const isOver = former.submitted && former.jobId !== undefined
    await writeState(
      folder,
      isOver ? former : { ...newState(plan, former), jobId, submitted: true },
    )
  }
  const job = jobId === undefined ? undefined : await findJob(hub, jobId)
  return { pushed: false, plan, ...(job && { job }) }
}

export function tellPush(screen: Screen, { pushed, job, plan }: Pushed, asJson: boolean): void {
  const { files, targets, unchanged } = plan
  if (asJson) {
    const sent = files.map((file) => ({ path: file.path, languages: file.targets }))
    screen.out(json({ pushed, job: job ?? null, files: sent, unchanged }))
    return
  }
  if (!pushed || !job) {
    const since = job
      ? ` since job ${job.jobId} (${job.statusCode}) was pushed`
      : ' since the last push'
    screen.out(`Nothing has changed${since}; use --all to push everything again.`)
    return
  }
  screen.out(`Job ${job.jobId} "${job.jobName}" is ${job.statusCode}.`)
  screen.out(
    `${count(files.length, 'file')}, ${count(targets.length, 'language')}: ${count(requestsOf(files), 'request')}.`,
  )
  tellChanges(screen, plan)
  screen.out('Next: dragoman status --follow, dragoman pull --wait')
}

/** Which files changed, if not all did. */
export function tellChanges(screen: Screen, { files, unchanged }: PushPlan): void {
  if (unchanged.length === 0) return
  for (const { path, targets } of files.slice(0, maxNamed))
    screen.out(`  ${path} (${targets.join(', ')})`)
  if (files.length > maxNamed) screen.out(`  and ${files.length - maxNamed} more`)
  screen.out(
    `${count(unchanged.length, 'file')} unchanged since the last push; --all pushes everything.`,
  )
}

const maxNamed = 20

export const fill = async (steps: Steps, state: PushState): Promise<PushState> =>
  addRequests(steps, await uploadFiles(steps, await createDraft(steps, state)))

export function openSteps(
  { hub }: Joined,
  screen: Screen,
  { plan, signal, keep }: Pick<Steps, 'plan' | 'signal' | 'keep'>,
): Steps & { end(): void } {
  const bar = openProgress(screen)
  const total = plan.files.reduce((sum, { source }) => sum + source.size, 0)
  const sent = new Map<string, number>()
  return {
    hub,
    plan,
    signal,
    keep,
    onProgress: (path, bytes) => {
      sent.set(path, bytes)
      bar.show(
        [...sent.values()].reduce((sum, one) => sum + one, 0),
        total,
        path,
      )
    },
    end: bar.end,
  }
}
