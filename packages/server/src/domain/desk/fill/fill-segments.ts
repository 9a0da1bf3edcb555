/** Fills a request for a caller, or says what that would do (contract, section 15). */
import type { Fill, Filling, FillQuery } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { type Call, creatorOf } from '../../access/caller.ts'
import { onceAround } from '../../access/once.ts'
import { storeBytes } from '../../access/site-bytes.ts'
import { mustFindEngine } from '../../engines/find-engine.ts'
import { lockWithJob, type OneTask, reachWithJob } from '../../handover/asset-tasks.ts'
import { manages } from '../../handover/hold-task.ts'
import { checkAct } from '../../jobs/find-job.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { sharesOf } from '../../jobs/shares/shares.ts'
import { mustBeOpen } from '../change-segments.ts'
import { mustHold } from '../claims.ts'
import { fillDesk } from './fill-desk.ts'
import { openFillEngine } from './open-fill-engine.ts'

export async function fillSegments(
  hub: Hub,
  call: Call,
  at: OneTask,
  asked: Fill & FillQuery,
): Promise<Filling> {
  const { siteId } = call.caller
  const { job, request } = await reachWithJob(hub, call, at)
  checkAct(job, 'deliver')
  mustBeOpen(request)
  await mustHold(hub.db.read, call, request, 'segments')
  const provider = asked.from.includes('ENGINE')
    ? await mustFindEngine(hub.db.read, siteId, {
        providerId: asked.providerId,
        path: 'providerId',
      })
    : undefined
  const isOwn = await ownPositions(hub, call, request)
  const fill = () =>
    fillDesk(hub, request, asked, {
      engine: provider && openFillEngine(hub, provider),
      dryRun: asked.dryRun,
      isOwn,
      changedBy: creatorOf(call.caller),
      locked: (write) =>
        hub.db.transact(async (tx) => {
          const now = await lockWithJob(tx, call, at)
          checkAct(now.job, 'deliver')
          mustBeOpen(now.request)
          await mustHold(tx, call, now.request, 'segments')
          await storeBytes(hub, tx, call.caller, await write(tx, now.request))
        }),
    })
  return asked.dryRun ? fill() : onceAround(hub, call, fill)
}

/** Those of the caller's share, if they are bound to one. */
async function ownPositions(
  hub: Hub,
  call: Call,
  request: OneRequest,
): Promise<((position: number) => boolean) | undefined> {
  if (request.is_shared === 0 || manages(call)) return undefined
  const personId = call.caller.person?.personId
  const own = (await sharesOf(hub.db.read, request)).filter((one) => one.person_id === personId)
  return (position) =>
    own.some((one) => one.from_position <= position && position <= one.to_position)
}
