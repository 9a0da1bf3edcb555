/**
 * Keeps a reserve of disk space: uploads are refused before the disk is full, so that the database,
 * which may share the disk, can still write. Checked at most once a second.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'

const checkEveryMs = 1_000
const reserve = { part: 1 / 20, max: 1024 ** 3 }
const lastCheckOf = perHub(() => ({ at: Number.NEGATIVE_INFINITY, isLow: false }))

/** Does nothing if the store has no size limit. */
export async function mustHaveSpace(hub: Hub): Promise<void> {
  const now = performance.now()
  const known = lastCheckOf(hub)
  const isLow = now - known.at < checkEveryMs ? known.isLow : await check(hub, now)
  if (isLow)
    throw new HubError(
      'FMS_UNAVAILABLE',
      { because: 'the disk is nearly full; the operator must free space.' },
      { retryAfter: 60 },
    )
}

export type Space = { readonly free: number; readonly total: number; readonly reserve: number }

/**
 * The disk of the files and the reserve below which uploads are refused; undefined if the store has
 * no size limit.
 */
export async function readSpace(hub: Hub): Promise<Space | undefined> {
  const space = await hub.blobs.space?.()
  return (
    space && {
      ...space,
      reserve: hub.config.freeSpace ?? Math.min(reserve.max, space.total * reserve.part),
    }
  )
}

async function check(hub: Hub, at: number): Promise<boolean> {
  const space = await readSpace(hub)
  const isLow = space !== undefined && space.free < space.reserve
  if (isLow)
    hub.log.error(
      { free: space.free, wanted: space.reserve },
      'the disk is nearly full; uploads are refused',
    )
  Object.assign(lastCheckOf(hub), { at, isLow })
  return isLow
}
