/**
 * A segment as the API shows it: the content, and over it what was written and reviewed. And the
 * row of what is written.
 */
import {
  type CheckFinding,
  formatTime,
  type KeptCheck,
  type ReviewedSegment,
  type Segment,
  type SegmentChange,
  type SegmentReview,
  type TextParts,
} from '@dragoman/contract'
import { joined } from '@dragoman/text/placeholders'
import type { Hub } from '../../hub.ts'
import type { DraftRow } from '../../store/tables.ts'
import { type Call, creatorOf } from '../access/caller.ts'
import type { MachineWorkOf } from '../engines/machine-segments.ts'
import { openNote, sealNote } from '../files/seals/notes.ts'
import type { OneRequest } from '../jobs/requests/request.ts'
import { type Correction, isWaiting } from './corrections/read-corrections.ts'
import type { DeskSegment } from './desk-segments.ts'
import type { Filled } from './fill/filled-target.ts'
import type { RequestPath } from './segment-rows.ts'

/** A draft with its texts open. */
export type Draft = Pick<
  DraftRow,
  'state' | 'version' | 'changed_by' | 'by_person' | 'changed_at' | 'bytes' | 'spent_ms'
> & {
  readonly target?: TextParts
  readonly delivered?: TextParts
  readonly previous?: TextParts
  readonly replaced?: TextParts
  readonly review?: Verdict
  readonly previousReview?: Verdict
  readonly kept?: KeptCheck[]
  readonly deliveredKept?: KeptCheck[]
  readonly filled?: Filled
}
/** `over`: the version of the draft, if there was one, when the verdict was given. */
type Verdict = Omit<SegmentReview, 'version'> & { readonly over?: number }

export function openDraft(hub: Hub, row: DraftRow): Draft {
  const opened = <T>(sealed: string | null): T | undefined => {
    const text = openNote(hub, sealed)
    return text === null ? undefined : (JSON.parse(text) as T)
  }
  const texts = {
    target: opened<TextParts>(row.target),
    delivered: opened<TextParts>(row.delivered),
    previous: opened<TextParts>(row.previous),
    replaced: opened<TextParts>(row.replaced),
    review: opened<Verdict>(row.review),
    previousReview: opened<Verdict>(row.previous_review),
    kept: opened<KeptCheck[]>(row.kept),
    deliveredKept: opened<KeptCheck[]>(row.delivered_kept),
  }
  const { state, version, changed_by, by_person, changed_at, bytes, spent_ms } = row
  const filled = row.filled === null ? undefined : (JSON.parse(row.filled) as Filled)
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
    ...(filled && { filled }),
  }
}

type Written = {
  readonly path: RequestPath
  readonly segmentId: string
  readonly change: SegmentChange
  readonly words: number
  /** What the row has now. */
  readonly known: Partial<DraftRow> | undefined
  /** Time that a person spent on it now. */
  readonly spentMs?: number
}

/** The row of a target that is written now. What a delivery or a reviewer wrote there stays. */
export function draftRow(
  hub: Hub,
  { caller }: Call,
  { path, segmentId, change, words, known, spentMs = 0 }: Written,
): DraftRow {
  const target = joined(change.target)
  const text = JSON.stringify(target)
  return {
    ...emptyRow(path, segmentId),
    ...known,
    target: sealNote(hub, text),
    target_digest: digestOf(hub, path, target),
    state: change.state,
    version: change.version + 1,
    bytes: Buffer.byteLength(text),
    changed_by: creatorOf(caller),
    by_person: caller.person ? 1 : 0,
    changed_at: hub.clock.now(),
    kept: change.kept?.length ? sealNote(hub, JSON.stringify(change.kept)) : null,
    spent_ms: Number(known?.spent_ms ?? 0) + spentMs,
    words,
    filled: null,
  }
}

/** The row of a segment in which nobody has written. */
export const emptyRow = (
  { siteId, jobId, requestId }: RequestPath,
  segmentId: string,
): DraftRow => ({
  ...{ site_id: siteId, job_id: jobId, request_id: requestId, segment_id: segmentId },
  ...{ target: null, target_digest: null, state: 'TRANSLATED', version: 0, bytes: 0 },
  ...{ changed_by: '', by_person: 0, changed_at: 0, spent_ms: 0, words: null, filled: null },
  ...{ delivered: null, previous: null, replaced: null },
  ...{ review: null, previous_review: null, kept: null, delivered_kept: null },
})

/** Equal for equal targets of a request, and tells nothing else. */
export const digestOf = ({ vault }: Hub, { requestId }: RequestPath, target: TextParts): string =>
  vault.digest('note', `${requestId} ${JSON.stringify(target)}`)

export const draftsById = (hub: Hub, rows: readonly DraftRow[]): ReadonlyMap<string, Draft> =>
  new Map(rows.map((row) => [row.segment_id, openDraft(hub, row)]))

/** A connector sees what was delivered, and nothing that is still being written. */
export const deliveredOnly = (draft: Draft | undefined): Draft | undefined => {
  if (!draft) return undefined
  const { target: _, kept: __, deliveredKept, replaced: ___, ...delivered } = draft
  return { ...delivered, ...(deliveredKept && { kept: deliveredKept }) }
}

/** What the row of a request tells about its segments. */
export type Desk = Pick<OneRequest, 'status' | 'desk_version'>

/** A delivery gives a version to all segments, also to those in which nobody has written. */
export const versionOf = ({ desk_version }: Desk, draft: Draft | undefined): number =>
  Math.max(draft?.version ?? 0, desk_version ?? 0)

/** Whether it was written after the last delivery. */
const isNewer = ({ desk_version }: Desk, draft: Draft | undefined): boolean =>
  draft?.target !== undefined &&
  (draft.version > (desk_version ?? 0) || !isSameTarget(draft.target, draft.delivered))

/** A draft that was there before its delivery was rejected is no answer to that. */
const isAnswered = ({ desk_version }: Desk, { review, version }: Draft): boolean =>
  review?.verdict !== 'WRONG' || version > (review.over ?? desk_version ?? 0)

/** Before the first delivery only what was carried over has a verdict. */
const isCarriedApproved = ({ desk_version }: Desk, { review, version }: Draft): boolean =>
  desk_version === null && review?.verdict === 'OK' && version <= (review.over ?? 0)

export const isSameTarget = (one: TextParts | undefined, other: TextParts | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

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

export function stateOf(
  segment: DeskSegment,
  draft: Draft | undefined,
  desk: Desk,
): ReviewedSegment['state'] {
  if (draft && isNewer(desk, draft)) {
    if (isCarriedApproved(desk, draft)) return 'APPROVED'
    return isAnswered(desk, draft) ? draft.state : 'REJECTED'
  }
  const isDelivered = draft?.target !== undefined || segment.origin === 'DELIVERY'
  if (desk.status === 'TRANSLATION_APPROVED' && isDelivered) return 'APPROVED'
  if (draft?.review) return draft.review.verdict === 'WRONG' ? 'REJECTED' : 'APPROVED'
  if (draft?.target) return draft.state
  if (isDelivered) return 'TRANSLATED'
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
export type DescribedSegment = ReviewedSegment & Pick<Segment, 'replaced' | 'corrected'>
export type Side = 'provider' | 'connector'
export type Placed = {
  readonly segment: DeskSegment
  readonly position: number
  readonly draft?: Draft | undefined
  readonly desk: Desk
  /** Its target in the delivery before the last one. */
  readonly former?: TextParts | undefined
  /** What it was in the request that this one supersedes. */
  readonly before?: ReviewedSegment['before'] | undefined
  /** If the delivered target, or the draft, is a machine's. */
  readonly machine?: ReturnType<MachineWorkOf>
  readonly correction?: Correction | undefined
}

/** `side`: a reviewer sees the delivery before, the provider what it has replaced at the desk. */
export function describeSegment(
  { segment, position, draft, desk, former, before, machine, correction }: Placed,
  side: Side,
  { checks, percent }: Checked,
): DescribedSegment {
  const { segmentId, key, source, tags, notes, maxLength, origin, openReason } = segment
  const target = targetOf(segment, draft)
  const isDraft = draft?.target !== undefined
  const byMachine = !isDraft && origin !== 'FILE' ? machine : undefined
  const filled = isDraft ? draft.filled : undefined
  const from = filled
    ? filledOrigin(filled)
    : isDraft
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
    state: stateOf(segment, draft, desk),
    version: side === 'connector' ? (desk.desk_version ?? 0) : versionOf(desk, draft),
    checks,
    ...(draft?.kept && { kept: draft.kept }),
    ...(from && target && { origin: from }),
    ...(byMachine && target && describeMachine(byMachine)),
    ...(filled && describeFilled(filled)),
    ...(openReason !== undefined && !target && { openReason }),
    ...(percent !== undefined && { percent }),
    ...(isDraft && { changedBy: draft.changed_by, changedTime: formatTime(draft.changed_at) }),
    ...(draft?.review && { review: verdictIn(draft.review) }),
    ...(before && { before }),
    ...(side === 'connector'
      ? {
          ...previousOf(draft, former),
          ...(isWaiting(correction, desk) && { correction: correction.target }),
        }
      : { ...replacedIn(draft), ...correctedIn(correction) }),
  }
}

/** Without where its segment stands, which is for the note of a rejection. */
const verdictIn = ({ verdict, note, type, severity }: Verdict): SegmentReview => ({
  verdict,
  ...(note !== undefined && { note }),
  ...(type && { type }),
  ...(severity && { severity }),
})

function previousOf(
  draft: Draft | undefined,
  former: TextParts | undefined,
): Pick<ReviewedSegment, 'previous'> {
  const target = draft?.previous ?? former
  const verdict = draft?.previousReview
  if (!target && !verdict) return {}
  return { previous: { ...(target && { target }), ...(verdict && verdictIn(verdict)) } }
}

function correctedIn(correction: Correction | undefined): Pick<Segment, 'corrected'> {
  if (!correction?.delivered) return {}
  const { delivered: target, delivered_by, changed_by } = correction
  return { corrected: { target, by: delivered_by ?? changed_by } }
}

/** Until somebody writes another one. */
function replacedIn(draft: Draft | undefined): Pick<Segment, 'replaced'> {
  if (!draft?.replaced || draft.target) return {}
  const { replaced: target, changed_by: changedBy, changed_at } = draft
  return { replaced: { target, changedBy, changedTime: formatTime(changed_at) } }
}

const filledOrigin = ({ from }: Filled) => (from === 'ENGINE' ? 'MACHINE' : 'MEMORY')
const describeFilled = ({ from, percent, adapted, engine, risk, reasons }: Filled) => ({
  filled: { from, ...(percent !== undefined && { percent }), ...(adapted && { adapted }) },
  ...(engine && { engine }),
  ...(risk !== undefined && { risk }),
  ...(reasons && { riskReasons: [...reasons] }),
})

/** A draft that no engine made has no letters to translate. */
const given = (origin: DeskSegment['origin']) => (origin === 'DRAFT' ? undefined : origin)

type Machine = NonNullable<Placed['machine']>
const kindOf = ({ origin }: Machine) =>
  origin === 'MEMORY' ? ('MEMORY' as const) : ('MACHINE' as const)
const describeMachine = ({ origin, risk, reasons, basis }: Machine) => ({
  ...(origin !== 'MEMORY' && { engine: { providerId: origin.providerId, name: origin.engine } }),
  risk,
  riskBasis: basis.basis,
  riskVerdicts: basis.verdicts,
  riskReasons: [...reasons],
})
