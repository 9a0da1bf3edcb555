/**
 * A segment as the API shows it: the content, and over it what was written and reviewed. And the
 * row of what is written.
 */
import {
  type CheckFinding,
  formatTime,
  type KeptCheck,
  type ReviewedSegment,
  type SegmentChange,
  type SegmentReview,
  type TextParts,
} from '@dragoman/contract'
import { joined } from '@dragoman/text/placeholders'
import type { Hub } from '../../hub.ts'
import type { DraftRow } from '../../store/tables.ts'
import { type Call, creatorOf } from '../access/caller.ts'
import type { MachineWorkOf } from '../engines/machine-work.ts'
import { openNote, sealNote } from '../files/seals/notes.ts'
import type { DeskSegment } from './desk-segments.ts'
import type { RequestPath } from './segment-rows.ts'

/** A draft with its texts open. */
export type Draft = Pick<
  DraftRow,
  'state' | 'version' | 'changed_by' | 'by_person' | 'changed_at' | 'bytes' | 'spent_ms'
> & {
  readonly target?: TextParts
  readonly delivered?: TextParts
  readonly previous?: TextParts
  readonly review?: SegmentReview
  readonly kept?: KeptCheck[]
}

export function openDraft(hub: Hub, row: DraftRow): Draft {
  const opened = <T>(sealed: string | null): T | undefined => {
    const text = openNote(hub, sealed)
    return text === null ? undefined : (JSON.parse(text) as T)
  }
  const texts = {
    target: opened<TextParts>(row.target),
    delivered: opened<TextParts>(row.delivered),
    previous: opened<TextParts>(row.previous),
    review: opened<SegmentReview>(row.review),
    kept: opened<KeptCheck[]>(row.kept),
  }
  const { state, version, changed_by, by_person, changed_at, bytes, spent_ms } = row
  const known = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined))
  return {
    state,
    version,
    changed_by,
    by_person,
    changed_at,
    bytes,
    spent_ms: Number(spent_ms),
    ...known,
  }
}

type Written = {
  readonly path: RequestPath
  readonly segmentId: string
  readonly change: SegmentChange
  /** What the row has now. */
  readonly known: Pick<DraftRow, 'delivered' | 'previous' | 'spent_ms'> | undefined
  /** Time that a person spent on it now. */
  readonly spentMs?: number
}

/** The row of a target that is written now. */
export function draftRow(
  hub: Hub,
  { caller }: Call,
  { path, segmentId, change, known, spentMs = 0 }: Written,
): DraftRow {
  const text = JSON.stringify(joined(change.target))
  return {
    site_id: path.siteId,
    job_id: path.jobId,
    request_id: path.requestId,
    segment_id: segmentId,
    target: sealNote(hub, text),
    state: change.state,
    version: change.version + 1,
    bytes: Buffer.byteLength(text),
    changed_by: creatorOf(caller),
    by_person: caller.person ? 1 : 0,
    changed_at: hub.clock.now(),
    delivered: known?.delivered ?? null,
    previous: known?.previous ?? null,
    review: null,
    kept: change.kept?.length ? sealNote(hub, JSON.stringify(change.kept)) : null,
    spent_ms: Number(known?.spent_ms ?? 0) + spentMs,
  }
}

export const draftsById = (hub: Hub, rows: readonly DraftRow[]): ReadonlyMap<string, Draft> =>
  new Map(rows.map((row) => [row.segment_id, openDraft(hub, row)]))

/** A connector sees what was delivered, and nothing that is still being written. */
export const deliveredOnly = (draft: Draft | undefined): Draft | undefined => {
  if (!draft) return undefined
  const { target: _, ...delivered } = draft
  return delivered
}

/** The target that counts now: as written, else as delivered or as the file has it. */
export const targetOf = (segment: DeskSegment, draft: Draft | undefined): TextParts | undefined =>
  draft?.target ?? deliveredIn(segment, draft) ?? segment.target

/**
 * A sentence as it was written, if the delivered paragraph has it: by itself the paragraph cannot
 * be told apart.
 */
function deliveredIn({ paragraph }: DeskSegment, draft: Draft | undefined): TextParts | undefined {
  const text = draft?.delivered?.filter((piece) => typeof piece === 'string').join('')
  return paragraph !== undefined && text !== undefined && paragraph.includes(text)
    ? draft?.delivered
    : undefined
}

export function stateOf(segment: DeskSegment, draft: Draft | undefined): ReviewedSegment['state'] {
  if (draft?.review) return draft.review.verdict === 'WRONG' ? 'REJECTED' : 'APPROVED'
  if (draft?.target) return draft.state
  if (segment.origin === 'DELIVERY') return 'TRANSLATED'
  return segment.target ? 'DRAFT' : 'NEW'
}

/** Whether a target is finished work. */
export const isDone = (state: ReviewedSegment['state']): boolean =>
  state === 'TRANSLATED' || state === 'APPROVED'

/**
 * What the checks find in a target (check-desk.ts), and the percentage of a match that was
 * confirmed as it was offered.
 */
export type Checked = { readonly checks: CheckFinding[]; readonly percent?: number }
export type Checker = (segment: DeskSegment, target: TextParts | undefined) => Promise<Checked>
export type Side = 'provider' | 'connector'
export type Placed = {
  readonly segment: DeskSegment
  readonly position: number
  readonly draft?: Draft | undefined
  /** It is there if the delivered target, or the suggestion, is a machine's. */
  readonly machine?: ReturnType<MachineWorkOf>
}

/** `side`: a reviewer also sees the delivery before. */
export function describeSegment(
  { segment, position, draft, machine }: Placed,
  side: Side,
  { checks, percent }: Checked,
): ReviewedSegment {
  const { segmentId, key, source, tags, notes, maxLength, origin, openReason } = segment
  const target = targetOf(segment, draft)
  const isDraft = draft?.target !== undefined
  const byMachine = !isDraft && origin !== 'FILE' ? machine : undefined
  const from = isDraft
    ? draft.by_person === 1
      ? 'PERSON'
      : 'CLIENT'
    : byMachine
      ? kindOf(byMachine)
      : given(origin)
  return {
    segmentId,
    position,
    ...(key !== undefined && { key }),
    source,
    tags: [...tags],
    ...(notes && { notes: [...notes] }),
    ...(maxLength && { maxLength }),
    ...(target && { target }),
    state: stateOf(segment, draft),
    version: draft?.version ?? 0,
    checks,
    ...(draft?.kept && { kept: draft.kept }),
    ...(from && target && { origin: from }),
    ...(byMachine && target && describeMachine(byMachine)),
    ...(openReason !== undefined && !target && { openReason }),
    ...(percent !== undefined && { percent }),
    ...(isDraft && { changedBy: draft.changed_by, changedTime: formatTime(draft.changed_at) }),
    ...(draft?.review && { review: draft.review }),
    ...(side === 'connector' && draft?.previous && { previous: draft.previous }),
  }
}

/** A suggestion that no engine made has no letters to translate. */
const given = (origin: DeskSegment['origin']) => (origin === 'DRAFT' ? undefined : origin)

type Machine = NonNullable<Placed['machine']>
const kindOf = ({ origin }: Machine) =>
  origin === 'MEMORY' ? ('MEMORY' as const) : ('MACHINE' as const)
const describeMachine = ({ origin, risk, reasons }: Machine) => ({
  ...(origin !== 'MEMORY' && { engine: { providerId: origin.providerId, name: origin.engine } }),
  risk,
  riskReasons: [...reasons],
})
