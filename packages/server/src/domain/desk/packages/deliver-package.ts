/**
 * Takes a translated package back. Everything is judged first; then all of it is delivered in one
 * transaction, or nothing. A package that is sent again after a lost answer changes nothing.
 */
import {
  HubError,
  limits,
  type PackageDelivery,
  type PackageDeliveryQuery,
} from '@dragoman/contract'
import { FormatError } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { openGate, throughGate } from '../../../turns/gate.ts'
import type { Call } from '../../access/caller.ts'
import { type ReceivedFile, withReceived } from '../../files/received-file.ts'
import type { TaskPath } from '../../handover/asset-tasks.ts'
import { blobOf } from '../../handover/deliver-batch.ts'
import { reachProviderJob } from '../../handover/provider-jobs.ts'
import { checkAct } from '../../jobs/find-job.ts'
import { mustFindRequest } from '../../jobs/requests/find-request.ts'
import { measureRequests } from '../../jobs/requests/requests-of-job.ts'
import { mustHold } from '../claims.ts'
import { commitDeliveries, type Prepared } from '../commit-deliveries.ts'
import { type FileProblem, type Matched, matchFiles, whole } from './match-files.ts'
import { openPackage } from './open-package.ts'
import { packageTasks } from './package-tasks.ts'
import { prepareOriginal } from './prepare-original.ts'
import { asProblem, prepareXliff } from './prepare-xliff.ts'

/**
 * What a package delivers is in memory until it is written: two packages at a time on a node, one
 * of a site.
 */
const gateOf = perHub(() => openGate(2, 1))

export async function deliverPackage(
  hub: Hub,
  call: Call,
  at: TaskPath,
  {
    query: { dryRun = false },
    file,
  }: { query: PackageDeliveryQuery; file: AsyncIterable<Uint8Array> },
): Promise<PackageDelivery> {
  const { siteId } = call.caller
  checkAct(await reachProviderJob(hub, call, at.providerId, at.jobId), 'deliver')
  const body = { what: 'The package', limit: limits.packageBytes }
  return withReceived(hub, file, body, (received) =>
    throughGate(gateOf(hub), siteId, 1, async () => {
      const tasks = await packageTasks(hub, call, at)
      const { last } = await measureRequests(hub.db.read, siteId, at.jobId)
      const matched = await openFiles(siteId, at, received, { tasks, most: last })
      if (matched.problems.length > 0) throw invalid(matched.problems)
      for (const { task } of matched.placed) await mustHold(hub.db.read, call, task.request)
      const { unchanged, prepared, changed } = await prepareAll(hub, call, matched, dryRun)
      const answer = { delivered: changed, unchanged }
      if (dryRun) return answer
      const bodyHash = Buffer.from(received.sha256, 'hex').toString('base64url')
      const own = call.once ? { ...call, once: { ...call.once, bodyHash } } : call
      return commitDeliveries(hub, own, { at, prepared }, async () => answer)
    }),
  )
}

async function openFiles(
  siteId: string,
  at: TaskPath,
  received: ReceivedFile,
  { tasks, most }: { readonly tasks: Parameters<typeof matchFiles>[3]; readonly most: number },
): Promise<Matched> {
  try {
    return await matchFiles(siteId, at, await openPackage(siteId, received, most), tasks)
  } catch (error) {
    if (error instanceof FormatError) throw invalid([{ file: whole, problem: error.message }])
    throw error
  }
}

type Ready = {
  readonly unchanged: string[]
  readonly changed: string[]
  readonly prepared: Prepared[]
}

/** One file after the other. What was stored is removed if one of them cannot be delivered. */
async function prepareAll(
  hub: Hub,
  call: Call,
  { zip, form, placed }: Matched,
  dryRun: boolean,
): Promise<Ready> {
  const ready: Ready = { unchanged: [], changed: [], prepared: [] }
  const problems: FileProblem[] = []
  let characters = 0
  try {
    for (const { path: file, task, entry } of placed) {
      const { site_id, job_id, request_id: assetTaskId } = task.request
      const request = await mustFindRequest(hub.db.read, site_id, job_id, assetTaskId)
      const outcome = await asProblem(async () =>
        form === 'xliff'
          ? prepareXliff(hub, call, request, await zip.lone(entry))
          : prepareOriginal(hub, request, { size: entry.size, read: () => zip.unpack(entry) }),
      )
      if (outcome === 'unchanged') ready.unchanged.push(assetTaskId)
      else if ('problems' in outcome) {
        for (const one of outcome.problems)
          if (problems.length < limits.packageProblems) problems.push({ file, ...one })
      } else {
        ready.changed.push(assetTaskId)
        // The targets of all files stay in memory until they are written.
        characters += outcome.characters
        if (characters > limits.deliveredBytes)
          throw new HubError('CONTENT_TOO_LARGE', {
            what: 'What this package delivers',
            limit: limits.deliveredBytes,
          })
        if (!dryRun && problems.length === 0) ready.prepared.push(await outcome.store())
      }
    }
    if (problems.length > 0) throw invalid(problems)
    return ready
  } catch (error) {
    for (const { stored } of ready.prepared)
      for (const blobId of blobOf(stored)) await hub.blobs.remove(blobId)
    throw error
  }
}

function invalid(all: readonly FileProblem[]): HubError {
  const [first] = all
  const at = first?.segmentId === undefined ? '' : `, segment ${first.segmentId}`
  return new HubError(
    'PACKAGE_INVALID',
    { count: all.length, first: `${first?.file}${at}: ${first?.problem}` },
    { also: { problems: all.slice(0, limits.packageProblems) } },
  )
}
