/**
 * Adds approved translations to the site's memory. The approval adds the task in its own
 * transaction; running the task twice changes nothing. Content that cannot be split into segments
 * is skipped, and the approval stands.
 */

import { FormatError } from '@dragoman/text/formats'
import type { Change, Hub } from '../../../hub.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import type { Task } from '../../../store/tasks/hold-tasks.ts'
import { addUnits, pairOf } from '../../language/memory/add-units.ts'
import { prepareSafely } from '../../language/memory/prepare-units.ts'
import { eachPage } from '../../language/worker/pages.ts'
import { withPairs } from './read-segments.ts'
import type { Movable, RequestWithFile } from './request.ts'
import { selectRequestsById } from './request-rows.ts'
import type { SegmentPair } from './segments-of.ts'

export const rememberTask = 'remember-requests'
/** Requests per task. */
const batchSize = 50
/** Units per transaction. */
const unitBatchSize = 500

type Payload = { siteId: string; jobId: string; requestIds: string[] }

export async function rememberLater(
  { hub, tx, causeId }: Change,
  requests: readonly Movable[],
): Promise<void> {
  const now = hub.clock.now()
  const [first] = requests
  if (!first) return
  const { site_id: siteId, job_id: jobId } = first
  const ids = requests.map((request) => request.request_id)
  const tasks = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) => {
    const payload: Payload = {
      siteId,
      jobId,
      requestIds: ids.slice(at * batchSize, (at + 1) * batchSize),
    }
    return { name: rememberTask, payload, siteId, dueAt: now, causeId }
  })
  await addTasks(hub.db, tx, now, tasks)
}

export async function rememberRequests(hub: Hub, task: Task): Promise<'done'> {
  const { siteId, jobId, requestIds } = task.payload as Payload
  const requests = await selectRequestsById(hub.db.read, siteId, jobId, requestIds)
  for (const request of requests.sort((one, other) => one.position - other.position))
    if (request.status === 'TRANSLATION_APPROVED') await remember(hub, request)
  return 'done'
}

async function remember(hub: Hub, request: RequestWithFile): Promise<void> {
  const { site_id: siteId, job_id: jobId, format } = request
  const at = { siteId, jobId, format, targetLanguage: request.target_language }
  const own = {
    fileId: request.file_id,
    contentId: request.content_id,
    sourceLanguage: request.source_language,
  }
  const source = { ...at, ...own }
  const translation = {
    ...at,
    fileId: request.translation_file_id,
    contentId: request.translation_content_id,
  }
  try {
    const pair = pairOf(request.source_language, request.target_language)
    await withPairs(hub, source, translation, async (pairs) => {
      if (!pairs) return
      for await (const some of inBatches(eachPage<SegmentPair>(pairs))) {
        const units = some.map((one) => ({ ...one, origin: request.request_id }))
        const prepared = await prepareSafely(siteId, units)
        await hub.db.transact((tx) => addUnits(hub, tx, { siteId, pair }, prepared))
      }
    })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    hub.log.info(
      { err: error, requestId: request.request_id },
      'an approved translation could not be added to the memory',
    )
  }
}

async function* inBatches(pages: AsyncIterable<SegmentPair[]>): AsyncGenerator<SegmentPair[]> {
  let open: SegmentPair[] = []
  for await (const page of pages)
    for (const pair of page) {
      open.push(pair)
      if (open.length < unitBatchSize) continue
      yield open
      open = []
    }
  if (open.length > 0) yield open
}
