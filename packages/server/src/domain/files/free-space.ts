/**
 * A reserve of the disk: before it is full, uploads are refused, so that rows, which share the disk, can still be written and the
 * hub goes on. Asked at most once a second.
 */
import { HubError } from '@dragoman/contract'
import { perHub } from '../../caches.ts'
import type { Hub } from '../../hub.ts'

const askedEveryMs = 1_000
const usual = { part: 1 / 20, most: 1024 ** 3 }
const seenBy = perHub(() => ({ at: Number.NEGATIVE_INFINITY, lacks: false }))

/** Nothing is asked where the store knows no end. */
export async function mustHaveSpace(hub: Hub): Promise<void> {
  const now = performance.now()
  const known = seenBy(hub)
  const lacks = now - known.at < askedEveryMs ? known.lacks : await looks(hub, now)
  if (lacks)
    throw new HubError(
      'FMS_UNAVAILABLE',
      { because: 'the disk is nearly full; the operator must make room.' },
      { retryAfter: 60 },
    )
}

async function looks(hub: Hub, at: number): Promise<boolean> {
  const space = await hub.blobs.space?.()
  const wanted = hub.config.freeSpace ?? Math.min(usual.most, (space?.total ?? 0) * usual.part)
  const lacks = space !== undefined && space.free < wanted
  if (lacks) hub.log.error({ free: space.free, wanted }, 'the disk is nearly full; uploads are refused')
  Object.assign(seenBy(hub), { at, lacks })
  return lacks
}
