/**
 * Every kind of task: its verb and its retry schedule. The schedules outlast an outage of some
 * hours.
 */
import { addDuration, type Duration } from '@dragoman/contract'
import { fillJob } from '../../domain/desk/fill/fill-job.ts'
import {
  mailDaily,
  mailNews,
  mailNewWork,
  nextMorning,
  runInvitation,
  runMail,
} from '../../domain/desk/letters/run-mail.ts'
import { learnRisk, learnTask } from '../../domain/engines/quality/learn-risk.ts'
import { expireTransfers, removeBlobs } from '../../domain/files/expire.ts'
import { finishUploadLate } from '../../domain/files/uploads.ts'
import { fillTask } from '../../domain/handover/fill-later.ts'
import { keepQuote, quoteTask } from '../../domain/handover/quoting/quote-job.ts'
import { resumeWork } from '../../domain/handover/resume-work.ts'
import { sendJob } from '../../domain/handover/submit-job.ts'
import {
  giveUpTranslating,
  showFailedTry,
  translateRequests,
  translateTask,
} from '../../domain/handover/translate-requests.ts'
import {
  archiveIdleJobs,
  archiveTasks,
  finishArchiving,
  finishUnarchiving,
} from '../../domain/jobs/archive-job.ts'
import {
  giveUpImport,
  importTask,
  importTmUpdate,
} from '../../domain/jobs/assets/import-tm-update.ts'
import { mailTasks } from '../../domain/jobs/queue-mail.ts'
import { eraseTask } from '../../domain/jobs/remove-job.ts'
import { rememberRequests, rememberTask } from '../../domain/jobs/requests/remember-requests.ts'
import { resumeTask } from '../../domain/jobs/resume-soon.ts'
import { followTask, leaveTask } from '../../domain/jobs/sent-on.ts'
import { giveUpMemory, importMemory } from '../../domain/language/memory/import-memory.ts'
import { importMemoryTask } from '../../domain/language/memory/memory-imports.ts'
import { deliverNext } from '../../domain/listeners/deliver.ts'
import { forgetFacts, forgetTask } from '../../domain/listeners/forget-facts.ts'
import { replaySlice, replayTask } from '../../domain/listeners/replay-chosen.ts'
import { missingTask, replayMissingSlice } from '../../domain/listeners/updates/replay-missing.ts'
import { retryInSlices, retryTaskName } from '../../domain/operations/tasks/operate-tasks.ts'
import { sweep } from '../../domain/operations/tasks/sweep.ts'
import { invitationTask } from '../../domain/people/invite.ts'
import { removeSite, removeSiteTask } from '../../domain/sites/remove-site.ts'
import { followUpstream } from '../../domain/upstream/follow.ts'
import { leaveUpstream } from '../../domain/upstream/leave.ts'
import { eraseCallsOfJob } from '../../domain/views/history/erase-calls.ts'
import type { Hub } from '../../hub.ts'
import type { TaskKinds } from './kinds.ts'

const day = 86_400_000

/** For work inside the hub: only the database can fail it, and the database comes back. */
const soon: readonly Duration[] = [
  { count: 1, unit: 's' },
  { count: 5, unit: 's' },
  { count: 30, unit: 's' },
  { count: 5, unit: 'm' },
  { count: 30, unit: 'm' },
  { count: 2, unit: 'h' },
  { count: 8, unit: 'h' },
]

/**
 * Rounds down to the hour, so that tasks due in the same hour are claimed together and runs do not
 * drift.
 */
const fullHour = (time: number): number => time - (time % 3_600_000)
const tomorrow = (hub: Hub): number => fullHour(hub.clock.now() + day)

/**
 * Rows touched from now on are not due before `life` has passed; earlier rows are found when the
 * task runs. At most a week, so that a row changed by hand is found, too.
 */
function atLatest(hub: Hub, life: Duration): number {
  const now = hub.clock.now()
  const end = Math.min(now + 7 * day, addDuration(now, life))
  return fullHour(end) > now ? fullHour(end) : end
}
const archiveEnd = (hub: Hub): number => atLatest(hub, hub.config.archiveAfter)
const transferEnd = (hub: Hub): number => atLatest(hub, hub.config.transferLife)

export const taskKinds: TaskKinds = {
  [archiveTasks.archive]: { run: finishArchiving, schedule: soon },
  [archiveTasks.unarchive]: { run: finishUnarchiving, schedule: soon },
  'auto-archive': {
    run: async (hub, task) => {
      const next = (await archiveIdleJobs(hub, `task:${task.taskId}`)) ?? Number.POSITIVE_INFINITY
      return { again: Math.min(next, archiveEnd(hub)) }
    },
    schedule: soon,
    periodic: { key: 'auto-archive', first: archiveEnd },
  },
  'send-job': { run: sendJob, schedule: soon },
  [translateTask]: {
    run: translateRequests,
    schedule: soon,
    tryFailed: showFailedTry,
    giveUp: giveUpTranslating,
    // A translation takes long; a few per engine leave room for others.
    groupLimit: { min: 4, max: 4, slowMs: Number.POSITIVE_INFINITY },
  },
  // An engine that hangs holds a few slots.
  [fillTask]: {
    run: fillJob,
    schedule: soon,
    groupLimit: { min: 2, max: 2, slowMs: Number.POSITIVE_INFINITY },
  },
  [resumeTask]: { run: resumeWork, schedule: soon },
  // An upstream that hangs holds a single slot.
  [followTask]: {
    run: followUpstream,
    schedule: soon,
    groupLimit: { min: 2, max: 16, slowMs: 10_000 },
  },
  [leaveTask]: { run: leaveUpstream, schedule: soon },
  // A healthy receiver takes many calls at once; one that hangs holds a single slot.
  deliver: { run: deliverNext, schedule: soon, groupLimit: { min: 1, max: 64, slowMs: 3_000 } },
  [mailTasks.newWork]: { run: mailNewWork, schedule: soon },
  [mailTasks.news]: { run: mailNews, schedule: soon },
  [invitationTask]: {
    run: runInvitation,
    schedule: soon,
    groupLimit: { min: 1, max: 4, slowMs: 3_000 },
  },
  // A mail server that hangs holds one slot.
  [mailTasks.send]: { run: runMail, schedule: soon, groupLimit: { min: 1, max: 4, slowMs: 3_000 } },
  [mailTasks.daily]: {
    run: mailDaily,
    schedule: soon,
    periodic: {
      key: mailTasks.daily,
      first: (hub) => (hub.config.mail ? nextMorning(hub) : undefined),
    },
  },
  [importTask]: { run: importTmUpdate, schedule: soon, giveUp: giveUpImport },
  [importMemoryTask]: { run: importMemory, schedule: soon, giveUp: giveUpMemory },
  [learnTask]: { run: learnRisk, schedule: soon },
  [rememberTask]: { run: rememberRequests, schedule: soon },
  [quoteTask]: { run: keepQuote, schedule: soon },
  [forgetTask]: { run: (hub) => forgetFacts(hub).then(() => 'done'), schedule: soon },
  [replayTask]: { run: replaySlice, schedule: soon },
  [missingTask]: { run: replayMissingSlice, schedule: soon },
  [retryTaskName]: { run: retryInSlices, schedule: soon },
  'remove-blobs': { run: removeBlobs, schedule: soon },
  [removeSiteTask]: { run: removeSite, schedule: soon },
  [eraseTask]: { run: eraseCallsOfJob, schedule: soon },
  'finish-upload': { run: finishUploadLate, schedule: soon },
  'expire-transfers': {
    run: async (hub, task) => {
      const next = (await expireTransfers(hub, `task:${task.taskId}`)) ?? Number.POSITIVE_INFINITY
      return { again: Math.min(next, transferEnd(hub)) }
    },
    schedule: soon,
    periodic: { key: 'expire-transfers', first: transferEnd },
  },
  sweep: {
    run: async (hub) => {
      await sweep(hub)
      return { again: tomorrow(hub) }
    },
    schedule: soon,
    periodic: { key: 'sweep', first: tomorrow },
  },
}
