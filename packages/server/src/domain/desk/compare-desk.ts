/**
 * The checks that compare segments with each other, for some segments of a desk. Only what can be
 * compared with them is read: segments with their source, and those with their target.
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
import type { RequestWithFile } from '../jobs/requests/request.ts'
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
import { indexOf } from './open-desk.ts'
import { type RequestPath, selectByDigest, selectDrafts } from './segment-rows.ts'

export type Compared = ReadonlyMap<string, readonly CheckFinding[]>

type Asked = {
  readonly path: RequestPath
  readonly segments: readonly DeskSegment[]
  /** The segments that are asked about. */
  readonly some: readonly DeskSegment[]
  /** Drafts that are read already, of those at least. */
  readonly drafts: ReadonlyMap<string, Draft>
  readonly side: Side
  readonly severities: Severities
}

/** Others with which one segment is compared: the first ones decide. */
const mostAlike = 500

export async function compareDesk(
  hub: Hub,
  request: RequestWithFile,
  { path, segments, some, drafts, side, severities }: Asked,
): Promise<Compared> {
  if (comparedChecks.every((check) => severityOf(check, severities) === 'OFF')) return new Map()
  const shown = (draft: Draft | undefined) => (side === 'connector' ? deliveredOnly(draft) : draft)
  const places = indexOf(segments)
  const { bySource, byTarget } = textsIn(segments)
  const among = new Set<number>()
  const digests = new Set<string>()
  for (const segment of some) {
    const target = targetOf(segment, shown(drafts.get(segment.segmentId)))
    const at = places.get(segment.segmentId)
    if (!target || at === undefined) continue
    among.add(at)
    for (const alike of [bySource.get(keyOf(segment.source)), byTarget.get(keyOf(target))])
      for (const other of alike?.slice(0, mostAlike) ?? []) if (other < at) among.add(other)
    // What a connector sees was delivered: no draft counts.
    if (side === 'provider') digests.add(digestOf(hub, path, target))
  }
  for (const segmentId of await selectByDigest(hub.db.read, path, [...digests])) {
    const at = places.get(segmentId)
    if (at !== undefined) among.add(at)
  }
  if (among.size < 2) return new Map()
  const sorted = [...among].sort((one, other) => one - other)
  const unread = sorted.flatMap((at) => {
    const id = segments[at]?.segmentId ?? ''
    return drafts.has(id) ? [] : [id]
  })
  const others = draftsById(
    hub,
    unread.length > 0 ? await selectDrafts(hub.db.read, path, unread) : [],
  )
  const units = sorted.flatMap((at): (TextUnit & { segmentId: string })[] => {
    const segment = segments[at] as DeskSegment
    const { segmentId } = segment
    const target = targetOf(segment, shown(drafts.get(segmentId) ?? others.get(segmentId)))
    return target ? [{ ...unitAt(segment, at, target), segmentId }] : []
  })
  const { target_language: language, site_id: siteId } = request
  const texts = units.flatMap(({ target }) => target.filter((part) => typeof part === 'string'))
  const found = isSmall(texts)
    ? compareUnits(units, language)
    : await runSafely<ReturnType<typeof compareUnits>>(
        textWork.checks,
        'compareUnits',
        [units, language],
        { siteId },
      )
  return new Map([...found].map(([at, findings]) => [units[at]?.segmentId ?? '', findings]))
}

const unitAt = (
  { unit: id, key, source }: DeskSegment,
  at: number,
  target: TextParts,
): TextUnit => ({
  ...{ id, source, tags: [], target },
  ...(key === undefined && { position: at + 1 }),
})

const keyOf = (text: TextParts): string => JSON.stringify(text)

type Texts = {
  readonly bySource: ReadonlyMap<string, readonly number[]>
  readonly byTarget: ReadonlyMap<string, readonly number[]>
}
const known = new WeakMap<readonly DeskSegment[], Texts>()

/** Where each text stands, without what was written since. */
function textsIn(segments: readonly DeskSegment[]): Texts {
  const found = known.get(segments)
  if (found) return found
  const [bySource, byTarget] = [new Map<string, number[]>(), new Map<string, number[]>()]
  const add = (places: Map<string, number[]>, text: TextParts, at: number) => {
    const alike = places.get(keyOf(text))
    if (alike) alike.push(at)
    else places.set(keyOf(text), [at])
  }
  for (const [at, { source, target }] of segments.entries()) {
    add(bySource, source, at)
    if (target) add(byTarget, target, at)
  }
  const texts = { bySource, byTarget }
  known.set(segments, texts)
  return texts
}
