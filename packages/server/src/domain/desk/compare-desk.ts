/**
 * The checks that compare segments with each other, for some segments of a desk. Only what can be
 * compared with them is read, up to a limit: segments with their source, and those with their
 * target.
 */
import type { TextParts } from '@dragoman/contract'
import {
  type CheckFinding,
  comparedChecks,
  compareUnits,
  type Severities,
  severityOf,
  type TextUnit,
} from '@dragoman/text/checks'
import type { Hub } from '../../hub.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { type Pages, packInTurns, wholeList } from '../language/worker/pages.ts'
import { isSmall, runSafely, textWork } from '../language/worker/run.ts'
import {
  type Draft,
  deliveredOnly,
  digestOf,
  draftsById,
  type Side,
  targetOf,
} from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import type { Desk } from './open-desk.ts'
import { type RequestPath, selectByDigest, selectDrafts } from './segment-rows.ts'
import type { Walked } from './walk-desk.ts'

export type Compared = ReadonlyMap<string, readonly CheckFinding[]>

type Asked = {
  readonly path: RequestPath
  readonly desk: Desk
  /** The segments that are asked about. */
  readonly some: readonly Pick<Walked, 'segment' | 'place'>[]
  /** Drafts that are read already, of those at least. */
  readonly drafts: ReadonlyMap<string, Draft>
  readonly side: Side
  readonly severities: Severities
}

/** Others with which one segment is compared, and all of a call: the first ones decide. */
const mostAlike = 500
const mostCompared = 5_000

export async function compareDesk(
  hub: Hub,
  request: RequestWithFile,
  { path, desk, some, drafts, side, severities }: Asked,
): Promise<Compared> {
  if (comparedChecks.every((check) => severityOf(check, severities) === 'OFF')) return new Map()
  const shown = (draft: Draft | undefined) => (side === 'connector' ? deliveredOnly(draft) : draft)
  const among = new Set<number>()
  const others = new Set<number>()
  const digests = new Set<string>()
  const pause = openPauses()
  for (const { segment, place: at } of some) {
    const target = targetOf(segment, shown(drafts.get(segment.segmentId)))
    if (!target) continue
    among.add(at)
    for (const alike of [
      desk.withSource(segment.source, mostAlike),
      desk.withTarget(target, mostAlike),
    ])
      for (const other of alike) if (other < at && others.size < mostCompared) others.add(other)
    // What a connector sees was delivered: no draft counts.
    if (side === 'provider') digests.add(digestOf(hub, path, target))
    await pause()
  }
  for (const segmentId of await selectByDigest(hub.db.read, path, [...digests])) {
    const at = desk.placeOf(segmentId)
    if (at !== undefined && others.size < mostCompared) others.add(at)
    await pause()
  }
  for (const at of others) among.add(at)
  if (among.size < 2) return new Map()
  const sorted = [...among].sort((one, other) => one - other)
  const all: { readonly segment: DeskSegment; readonly at: number }[] = []
  for (const at of sorted) {
    all.push({ segment: desk.at(at), at })
    await pause()
  }
  const unread = all.flatMap(({ segment: { segmentId } }) =>
    drafts.has(segmentId) ? [] : segmentId,
  )
  const read = draftsById(
    hub,
    unread.length > 0 ? await selectDrafts(hub.db.read, path, unread) : [],
  )
  const units = all.flatMap(({ segment, at }): (TextUnit & { segmentId: string })[] => {
    const { segmentId } = segment
    const target = targetOf(segment, shown(drafts.get(segmentId) ?? read.get(segmentId)))
    return target ? [{ ...unitAt(segment, at, target), segmentId }] : []
  })
  const { target_language: language, site_id: siteId } = request
  const texts = units.flatMap(({ target }) => target.filter((part) => typeof part === 'string'))
  const found = isSmall(texts)
    ? [...compareUnits(units, language)]
    : await comparedSafely(siteId, units, language)
  return new Map(found.map(([at, findings]) => [units[at]?.segmentId ?? '', findings]))
}

async function comparedSafely(
  siteId: string,
  units: readonly TextUnit[],
  language: string,
): Promise<[number, CheckFinding[]][]> {
  const given = await packInTurns(units)
  const found = await runSafely<Pages>(textWork.checks, 'comparePaged', [given, language], {
    siteId,
    moves: [given],
  })
  return wholeList(found)
}

const unitAt = (
  { unit: id, key, source }: DeskSegment,
  at: number,
  target: TextParts,
): TextUnit => ({
  ...{ id, source, tags: [], target },
  ...(key === undefined && { position: at + 1 }),
})
