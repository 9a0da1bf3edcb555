/**
 * The integrity check: reads everything beside a running hub. It keeps what it found for the
 * findings (stored-check.ts), and changes nothing else unless asked to remove orphans. Each check of
 * rows uses one statement per page, so that work in progress never looks like damage.
 */
import {
  archiveStatuses,
  isArchived,
  jobStatuses,
  type QuotaName,
  quotas,
  requestStatuses,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { commandLine, recordActs } from '../../access/audit/record-acts.ts'
import { labelRows } from '../../jobs/job-fields.ts'
import { findBrokenAudit, findBrokenCalls } from './check-chains.ts'
import {
  findBadBytes,
  findLostUploads,
  findOrphanBlobs,
  findStrangers,
  findUnfinishedUploads,
  findWrongBytes,
  findWrongCounts,
} from './check-files.ts'
import * as rows from './check-rows.ts'
import { type Check, type CheckFinding, type CheckRun, type Fault, fault } from './check-run.ts'
import { findBadContents, findBadKeys, findBadNotes } from './check-seals.ts'
import { findJobCodes, findPriceLists } from './check-settings.ts'
import { findLostWork, lostWork } from './lost-work.ts'
import { keepCheck } from './stored-check.ts'

export type { CheckFinding } from './check-run.ts'

/** Some node should have taken over a lease that ended this long ago. */
const overdueMs = 60_000

const restoreKeys =
  'Restore its row from a backup, with the keys in content_keys and site_keys. Without them it cannot be read.'
const byHand = 'No call writes this: restore the row from a backup, or correct it manually.'

const tampered =
  'Someone wrote to the database outside the hub: find out who can, and compare with a backup. This is reported until the row is pruned.'

/**
 * Orphans first: if the blob store cannot be listed, the check ends before it reports every file as
 * unreadable.
 */
const checks: readonly Check[] = [
  {
    name: 'orphans',
    weight: 'waiting',
    find: findOrphanBlobs,
    advice: 'dragoman check --repair removes it; so does the daily sweep.',
  },
  {
    name: 'strangers',
    weight: 'waiting',
    find: findStrangers,
    advice: 'Check that this is the right database. The hub never removes these blobs.',
  },
  {
    name: 'file bytes',
    weight: 'wrong',
    find: findBadBytes,
    advice: 'Restore the blob from a backup, or have the file sent again as a new one.',
  },
  {
    name: 'upload bytes',
    weight: 'wrong',
    find: findLostUploads,
    advice: 'Restore the blob from a backup, or have its client start the upload again.',
  },
  {
    name: 'upload tasks',
    weight: 'wrong',
    find: findUnfinishedUploads,
    advice: 'A HEAD of the upload by its client finishes it; otherwise it expires.',
  },
  { name: 'keys', weight: 'wrong', find: findBadKeys, advice: restoreKeys },
  { name: 'sealed content', weight: 'wrong', find: findBadContents, advice: restoreKeys },
  {
    name: 'sealed notes',
    weight: 'wrong',
    find: findBadNotes,
    advice:
      'Restore the row from a backup. Until then it is shown without the note, and a delivery is not sent.',
  },
  { name: 'file counts', weight: 'wrong', find: findWrongCounts, advice: byHand },
  {
    name: 'site bytes',
    weight: 'wrong',
    find: findWrongBytes,
    advice:
      'Correct it manually: the rows of the site in site_bytes must add up to the bytes it stores.',
  },
  { name: 'states', weight: 'wrong', find: findStates, advice: byHand },
  { name: 'archived flags', weight: 'wrong', find: findFlags, advice: byHand },
  { name: 'archive tasks', weight: 'wrong', find: findUnfinished, advice: byHand },
  {
    name: lostWork,
    weight: 'wrong',
    find: findLostWork,
    advice: 'The remedy of the finding work-lost sends these requests to their provider again.',
  },
  {
    name: 'labels',
    weight: 'wrong',
    find: findLabels,
    advice: 'A PATCH of the job with its labels writes them again.',
  },
  {
    name: 'analysis codes',
    weight: 'wrong',
    find: findJobCodes,
    advice:
      'Before submission, a PATCH of the job with its analysisCodes writes them again; after it, correct them manually.',
  },
  {
    name: 'price lists',
    weight: 'wrong',
    find: findPriceLists,
    advice: 'Save the prices again as a new version.',
  },
  { name: 'references', weight: 'wrong', find: findReferences, advice: byHand },
  {
    name: 'quotas',
    weight: 'wrong',
    find: findOverQuota,
    advice: 'Nothing more can be added: remove some, or raise the quota of the client.',
  },
  {
    name: 'call log',
    weight: 'wrong',
    find: findBrokenCalls,
    advice: tampered,
  },
  { name: 'audit log', weight: 'wrong', find: findBrokenAudit, advice: tampered },
  {
    name: 'leases',
    weight: 'waiting',
    find: findLeases,
    advice: 'A running node takes it over: start one, or check the log of the running one.',
  },
  {
    name: 'parked tasks',
    weight: 'waiting',
    find: findParked,
    advice: 'Fix what the error says, then retry the task: dragoman tasks retry ID.',
  },
]

export type CheckOptions = { readonly fast?: boolean; readonly repair?: boolean }
export type Report = Pick<CheckRun, 'checked' | 'heads' | 'repaired'> & {
  readonly findings: readonly CheckFinding[]
}

export async function checkHub(
  hub: Hub,
  { fast = false, repair = false }: CheckOptions = {},
): Promise<Report> {
  const run: CheckRun = {
    fast,
    strangers: 0,
    checked: { files: 0, bytes: 0, uploads: 0, blobs: 0 },
    heads: {},
    ...(repair ? { repaired: { orphans: [], leftovers: 0 } } : {}),
  }
  const findings: CheckFinding[] = []
  for (const { name, weight, find, advice } of checks)
    for (const found of await find(hub, run))
      findings.push({ check: name, weight, ...found, advice })
  await keepCheck(hub, findings, fast)
  const { checked, heads, repaired } = run
  if (repaired && repaired.orphans.length + repaired.leftovers > 0) {
    const is = { orphans: repaired.orphans.length, leftovers: repaired.leftovers }
    await hub.db.transact((tx) =>
      recordActs(hub, tx, commandLine(), [{ thing: 'hub', verb: 'repaired', id: 'files', is }]),
    )
  }
  return { findings, checked, heads, ...(repaired ? { repaired } : {}) }
}

async function findStates({ db }: Hub): Promise<Fault[]> {
  const jobs = await rows.jobsOutside(db.read, jobStatuses, archiveStatuses)
  const requests = await rows.requestsOutside(db.read, requestStatuses)
  return [
    ...jobs.map((job) =>
      fault(job.site_id, `job ${job.job_id}`, `The job is ${job.status}, ${job.archive_status}.`),
    ),
    ...requests.map((request) =>
      fault(request.site_id, `request ${request.request_id}`, `The request is ${request.status}.`),
    ),
  ]
}

async function findFlags({ db }: Hub): Promise<Fault[]> {
  const jobs = await rows.jobsWithWrongFlag(db.read, archiveStatuses.filter(isArchived))
  return jobs.map((job) =>
    fault(
      job.site_id,
      `job ${job.job_id}`,
      `archived is ${job.archived} on a job ${job.archive_status}.`,
    ),
  )
}

async function findUnfinished({ db }: Hub): Promise<Fault[]> {
  const jobs = await rows.jobsWithoutTask(db.read)
  return jobs.map((job) =>
    fault(
      job.site_id,
      `job ${job.job_id}`,
      `The job is ${job.archive_status}, but no task will finish that.`,
    ),
  )
}

async function findLabels({ db }: Hub): Promise<Fault[]> {
  const found: Fault[] = []
  for await (const job of rows.labelledJobs(db.read)) {
    const wanted = labelsOf(job.labels)
    if (wanted === undefined)
      found.push(fault(job.site_id, `job ${job.job_id}`, 'The labels cannot be read.'))
    else if (wanted !== listed(job.rows))
      found.push(
        fault(job.site_id, `job ${job.job_id}`, 'The rows of labels differ from the labels.'),
      )
  }
  return found
}

function labelsOf(labels: string | null): string | undefined {
  try {
    return listed(labelRows(labels === null ? undefined : JSON.parse(labels)))
  } catch {
    return undefined
  }
}

/** In a fixed order and form, so that two sets can be compared. */
const listed = (labels: readonly rows.Label[]): string =>
  labels
    .map(({ name, value }) => JSON.stringify([name, value]))
    .sort()
    .join()

async function findReferences({ db }: Hub): Promise<Fault[]> {
  const lost = await rows.lostReferences(db.read)
  return lost.map(({ thing, siteId, id, kind, to }) =>
    fault(siteId, `${thing} ${id}`, `It refers to ${kind} ${to}, which does not exist.`),
  )
}

async function findOverQuota({ db }: Hub): Promise<Fault[]> {
  const own = await rows.ownQuotas(db.read)
  const found: Fault[] = []
  for (const name of rows.countedQuotas) {
    const byDefault = quotas[name]
    const raised = new Map<string, number>()
    for (const { site_id, quotas: text } of own) {
      const limit = (JSON.parse(text) as Partial<Record<QuotaName, number>>)[name]
      // Any client of the site may have added it, so the highest limit applies.
      if (limit !== undefined)
        raised.set(site_id, Math.max(raised.get(site_id) ?? byDefault, limit))
    }
    for (const job of await rows.jobsOfMore(db.read, name, byDefault))
      if (job.count > (raised.get(job.site_id) ?? byDefault))
        found.push(
          fault(
            job.site_id,
            `job ${job.job_id}`,
            `It has ${job.count} items; the quota is ${name}.`,
          ),
        )
  }
  return found
}

async function findLeases({ db, clock }: Hub): Promise<Fault[]> {
  const tasks = await rows.overdueLeases(db.read, clock.now() - overdueMs)
  return tasks.map((task) =>
    fault(
      task.site_id,
      `task ${task.task_id}`,
      `${task.name} was held by node ${task.leased_by}; no node took it over.`,
    ),
  )
}

async function findParked({ db }: Hub): Promise<Fault[]> {
  const tasks = await rows.parkedTasks(db.read)
  return tasks.map((task) =>
    fault(
      task.site_id,
      `task ${task.task_id}`,
      `${task.name} is parked after ${task.attempts} attempts: ${task.last_error}`,
    ),
  )
}
