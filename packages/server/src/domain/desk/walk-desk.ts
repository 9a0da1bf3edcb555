/**
 * Walks the segments of a desk with what was written in them, in slices: no list of all segments
 * and no list of all targets is ever in memory, however many there are.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { OneRequest, RequestWithFile } from '../jobs/requests/request.ts'
import { type Draft, draftsById } from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { type Desk, openDesk } from './open-desk.ts'
import {
  type RequestPath,
  selectDraftMark,
  selectDraftSizes,
  selectDrafts,
  selectFirstDrafts,
} from './segment-rows.ts'

export type Walked = {
  readonly segment: DeskSegment
  /** Its place among all segments; the first one is 0. */
  readonly place: number
  readonly draft: Draft | undefined
}

export const pathOf = ({ site_id, job_id, request_id }: RequestWithFile): RequestPath => ({
  siteId: site_id,
  jobId: job_id,
  requestId: request_id,
})

export type OpenTargets = {
  readonly desk: Desk
  /** Grows with every target that is written. */
  readonly mark: number
  readonly walk: () => AsyncGenerator<Walked[], void>
}

/** What is written while somebody walks changes the mark. */
export async function openTargets(hub: Hub, request: OneRequest): Promise<OpenTargets> {
  // Before the drafts: one that is written in between makes the delivery fail, not wrong.
  const mark = await selectDraftMark(hub.db.read, pathOf(request), request)
  const desk = await openDesk(hub, request)
  return { desk, mark, walk: () => walkDesk(hub, request, desk) }
}

/** What was written in some segments, by their ids. */
export const draftsAt = async (
  hub: Hub,
  path: RequestPath,
  segmentIds: readonly string[],
): Promise<ReadonlyMap<string, Draft>> =>
  draftsById(hub, await selectDrafts(hub.db.read, path, segmentIds))

type Way = {
  readonly from?: number
  /** Places in another order. */
  readonly order?: Uint32Array | undefined
  /** Segments of the first slice; each has twice as many as the one before, up to a limit. */
  readonly size?: number
}

export async function* walkDesk(
  hub: Hub,
  request: RequestWithFile,
  desk: Desk,
  { from = 0, order, size = limits.segmentsPerCall }: Way = {},
): AsyncGenerator<Walked[], void> {
  const draftsOf = await openDrafts(hub, pathOf(request))
  const pause = openPauses()
  let many = size
  for (let at = from; at < desk.length; many = Math.min(many * 2, limits.segmentsPerCall)) {
    const slice: Omit<Walked, 'draft'>[] = []
    for (; slice.length < many && at + slice.length < desk.length; ) {
      const place = order?.[at + slice.length] ?? at + slice.length
      slice.push({ segment: desk.at(place), place })
    }
    const { drafts, fits } = await draftsOf(slice.map(({ segment }) => segment.segmentId))
    yield slice.slice(0, fits).map((one) => ({ ...one, draft: drafts.get(one.segment.segmentId) }))
    at += fits
    await pause()
  }
}

/** Drafts of a request whose sizes are known at once. */
const fewDrafts = 5_000
/** Bytes of targets that are read at once; a draft has up to four of them. */
const bytesAtOnce = 4 * 1024 ** 2

type SomeDrafts = {
  readonly drafts: ReadonlyMap<string, Draft>
  /** So many of those asked for; the others would be too much at once. */
  readonly fits: number
}

/** Most requests have few drafts or none, and nobody asks for those of a slice without any. */
async function openDrafts(
  hub: Hub,
  path: RequestPath,
): Promise<(segmentIds: readonly string[]) => Promise<SomeDrafts>> {
  const sizesIn = (rows: Awaited<ReturnType<typeof selectFirstDrafts>>) =>
    new Map(rows.map(({ segment_id, bytes }) => [segment_id, Number(bytes)]))
  const first = await selectFirstDrafts(hub.db.read, path, fewDrafts)
  const known = first.length > fewDrafts ? undefined : sizesIn(first)
  return async (segmentIds) => {
    const sizes = known ?? sizesIn(await selectDraftSizes(hub.db.read, path, segmentIds))
    const written: string[] = []
    let [bytes, fits] = [0, 0]
    for (const segmentId of segmentIds) {
      const size = sizes.get(segmentId)
      bytes += size ?? 0
      if (bytes > bytesAtOnce && fits > 0) break
      fits += 1
      if (size !== undefined) written.push(segmentId)
    }
    if (written.length === 0) return { drafts: new Map(), fits }
    return { drafts: draftsById(hub, await selectDrafts(hub.db.read, path, written)), fits }
  }
}
