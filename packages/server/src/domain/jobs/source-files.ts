/** Source files of a job: transfer objects for new files, links to stored ones. */
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { beginTransfer, mustBeFileName, type Transfer } from '../files/begin-transfer.ts'
import { type LinkTo, linkTo, mustBeStored } from '../files/serve.ts'
import { checkAct, mustAllow, mustFindJob } from './find-job.ts'

export function createSourceFile(
  hub: Hub,
  call: Call,
  jobId: string,
  fileName: string,
): Promise<Transfer> {
  mustBeFileName(fileName)
  return once(hub, call, async (tx) => {
    await mustAllow(tx, call.caller.siteId, jobId, 'beginTransfer')
    return beginTransfer(hub, tx, call, { jobId, name: fileName, kind: 'source' })
  })
}

export async function findSourceFile(
  hub: Hub,
  call: Call,
  { jobId, fileId }: { readonly jobId: string; readonly fileId: string },
): Promise<LinkTo> {
  const { siteId } = call.caller
  checkAct(await mustFindJob(hub.db.read, siteId, jobId), 'reachContents')
  return linkTo(hub, call.caller, await mustBeStored(hub, siteId, jobId, fileId))
}
