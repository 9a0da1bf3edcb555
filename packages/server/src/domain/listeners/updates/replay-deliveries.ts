/**
 * `POST /deliveries/replay` (contract, section 12): chooses by ids or by a filter, counts in a dry
 * run, and sends.
 */
import { HubError, type SiteReplay, type SiteReplayed } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { Act } from '../../access/audit/acts.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { countChosen, type Replay, replayChosen } from '../replay-chosen.ts'
import { filterOf } from '../site-deliveries.ts'
import { findMissing, replayMissing, upToNow } from './replay-missing.ts'

export async function replaySiteDeliveries(
  hub: Hub,
  call: Call,
  input: SiteReplay,
): Promise<SiteReplayed> {
  mustFit(input)
  const {
    dryRun = false,
    deliveryIds,
    filter: given = {},
    mode = deliveryIds ? 'all' : 'failed',
  } = input
  const filter = filterOf(call, given)
  const fields = [mode, ...Object.keys(given)]
  /**
   * The act of a replay that found nothing to send. It names no id: what the caller named may be
   * another site's.
   */
  const none: Act = {
    thing: 'listener',
    verb: 'deliveries replayed',
    id: mode,
    ...(filter.siteId !== undefined && { siteId: filter.siteId }),
  }
  const recorded = async (
    tx: Db,
    replayed: number,
    acts: readonly Act[],
  ): Promise<SiteReplayed> => {
    const named = acts.length > 0 ? acts : [none]
    await recordActs(
      hub,
      tx,
      actorOf(call),
      named.map((act) => ({ ...act, fields })),
    )
    return { replayed }
  }
  if (mode === 'missing') {
    const range = upToNow(hub, filter)
    const missing = await findMissing(hub.db.read, range)
    return once(hub, call, async (tx): Promise<SiteReplayed> => {
      if (dryRun) return { wouldReplay: missing.total }
      const { replayed, acts } = await replayMissing(
        { hub, tx, causeId: call.traceId },
        range,
        missing,
      )
      return recorded(tx, replayed, acts)
    })
  }
  const replay: Replay = {
    mode,
    filter,
    ...(deliveryIds && { deliveryIds: [...new Set(deliveryIds)] }),
  }
  return once(hub, call, async (tx): Promise<SiteReplayed> => {
    if (dryRun) return countChosen(tx, replay)
    const { replayed, acts } = await replayChosen({ hub, tx, causeId: call.traceId }, replay)
    return recorded(tx, replayed, acts)
  })
}

function mustFit({ deliveryIds, filter, mode }: SiteReplay): void {
  if ((deliveryIds === undefined) === (filter === undefined))
    refuse('filter', 'send deliveryIds or a filter; an empty filter means all deliveries')
  if (mode !== 'missing') return
  if (deliveryIds)
    refuse('mode', 'missing needs a filter, because what is missing has no deliveryId')
  if (
    filter?.state !== undefined ||
    filter?.responseCode !== undefined ||
    filter?.error !== undefined
  )
    refuse('filter', 'with mode missing, use only listenerId, jobId, since, until and siteId')
}

function refuse(path: string, message: string): never {
  throw new HubError(
    'INVALID_REQUEST',
    { because: `${path}: ${message}.` },
    { details: [{ path, message }] },
  )
}
