/**
 * Receives a provider's translation of an asset task. It becomes the translation when the task is
 * set to TRANSLATION_SUBMITTED.
 */
import { type AssetTask, HubError } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { beginTransfer, type Transfer } from '../files/begin-transfer.ts'
import { checkAct } from '../jobs/find-job.ts'
import { contentFileName } from '../jobs/requests/content-file.ts'
import { mustFindRequest } from '../jobs/requests/find-request.ts'
import { freeReplaced } from '../jobs/requests/free-translations.ts'
import type { RequestWithFile, WholeRequest } from '../jobs/requests/request.ts'
import { updateRequests } from '../jobs/requests/requests-of-job.ts'
import { addContents, findFields } from '../jobs/requests/sealed-contents.ts'
import { type Fields, mustBeContent, newContent } from '../jobs/requests/source-content.ts'
import { describeTask, type OneTask, reachTask } from './asset-tasks.ts'
import { mustHold } from './hold-task.ts'
import { lockProviderJob } from './provider-jobs.ts'

export function createTranslatedFile(hub: Hub, call: Call, at: OneTask): Promise<Transfer> {
  return once(hub, call, async (tx) => {
    const { job, request } = await lockTask(tx, call, at)
    const name = request.file_name ?? contentFileName(request.request_name)
    const transfer = await beginTransfer(hub, tx, call, {
      jobId: job.job_id,
      name,
      kind: 'translation',
    })
    const incoming = { incoming_file_id: transfer.fileId, incoming_content_id: null }
    await replaceIncoming({ hub, tx, causeId: call.traceId }, job, request, incoming)
    return transfer
  })
}

export async function putTranslatedContent(
  hub: Hub,
  call: Call,
  at: OneTask,
  fields: Fields,
): Promise<AssetTask> {
  mustBeContent(fields, 'fields')
  await mustBeKnown(hub, await reachTask(hub, call, at), fields)
  return hub.db.transact(async (tx) => {
    const { job, request } = await lockTask(tx, call, at)
    if (request.content_id === null)
      throw new HubError('INVALID_REQUEST', {
        because: 'this asset task is a file; send it through translatedFile.',
      })
    const content = newContent(hub.clock.now(), job.site_id, job.job_id, fields)
    await addContents(hub, tx, [content])
    const incoming = { incoming_content_id: content.content_id, incoming_file_id: null }
    return describeTask(
      hub,
      await replaceIncoming({ hub, tx, causeId: call.traceId }, job, request, incoming),
    )
  })
}

/** Removes what was sent before but not delivered. */
async function replaceIncoming(
  change: Change,
  job: JobRow,
  request: WholeRequest,
  incoming: Pick<RequestWithFile, 'incoming_file_id' | 'incoming_content_id'>,
): Promise<WholeRequest> {
  await updateRequests(change.tx, [job.site_id, job.job_id], incoming, [
    { request_id: request.request_id },
  ])
  await freeReplaced(change, job, [{ before: request, after: incoming }])
  return { ...request, ...incoming }
}

/** A translation must not have a key that its source lacks. The source can no longer change. */
async function mustBeKnown(
  hub: Hub,
  { site_id, job_id, content_id }: RequestWithFile,
  fields: Fields,
): Promise<void> {
  const source =
    content_id === null ? undefined : await findFields(hub, site_id, job_id, content_id)
  if (!source) return
  const known = new Set(source.map(({ key }) => key))
  const at = fields.findIndex(({ key }) => !known.has(key))
  if (at < 0) return
  const detail = {
    path: `fields[${at}].key`,
    message: `is not a key of the source: "${fields[at]?.key.slice(0, 100)}"`,
  }
  throw new HubError(
    'INVALID_REQUEST',
    { because: `${detail.path} ${detail.message}.` },
    { details: [detail] },
  )
}

async function lockTask(
  tx: Db,
  call: Call,
  at: OneTask,
): Promise<{ job: JobRow; request: WholeRequest }> {
  const job = await lockProviderJob(tx, call, at.providerId, at.jobId)
  checkAct(job, 'deliver')
  const request = await mustFindRequest(tx, call.caller.siteId, at.jobId, at.assetTaskId)
  await mustHold(tx, call, request)
  return { job, request }
}
