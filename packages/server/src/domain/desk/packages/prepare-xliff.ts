/**
 * One XLIFF file of a package, judged and joined, ready to be delivered with the others. What a
 * translator left as it was sent keeps the target that the hub has now; what somebody else changed
 * in the meantime is never overwritten.
 */
import { HubError, type TextParts } from '@dragoman/contract'
import {
  type FoundTarget,
  fingerprintOf,
  isSameText,
  type JudgedXliff,
  type Problem,
} from '@dragoman/text/exchange'
import { FormatError, type LoneEntry } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import type { DraftRow } from '../../../store/tables.ts'
import { type Call, creatorOf } from '../../access/caller.ts'
import { storeTranslation } from '../../handover/deliver-batch.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { runSafely, textWork } from '../../language/worker/run.ts'
import { judgeDesk } from '../check-desk.ts'
import type { Prepared } from '../commit-deliveries.ts'
import { readDrafts } from '../deliver-segments.ts'
import { type Draft, draftRow, isDone, stateOf, targetOf, versionOf } from '../describe-segment.ts'
import type { DeskSegment } from '../desk-segments.ts'
import { measureEffort } from '../effort.ts'
import { joinDesk } from '../join-desk.ts'
import { pathOf } from '../list-segments.ts'

/** Nothing to deliver, or what a delivery needs; `store` puts its bytes in place. */
export type Outcome =
  | { readonly problems: readonly Problem[] }
  | 'unchanged'
  | { readonly characters: number; readonly store: () => Promise<Prepared> }

export async function prepareXliff(
  hub: Hub,
  call: Call,
  request: OneRequest,
  entry: LoneEntry,
): Promise<Outcome> {
  const { segments, drafts, mark } = await readDrafts(hub, request)
  const awaited = {
    targetLanguage: request.target_language,
    segments: segments.map(({ segmentId, source, tags }) => ({ segmentId, source, tags })),
  }
  const judged = await runSafely<JudgedXliff>(textWork.exchange, 'judgeXliff', [entry, awaited], {
    siteId: request.site_id,
  })
  if (judged.problems.length > 0) return { problems: judged.problems }
  const merged = merge(call, segments, drafts, judged.targets)
  if (merged.problems.length > 0) return merged
  if (merged.changed === 0 && !isLeft(request, segments, drafts, judged.targets)) return 'unchanged'
  const { targets } = merged
  const virtual = new Map(
    segments.map((segment): [string, Draft] => {
      const draft = drafts.get(segment.segmentId)
      const target = targets.get(segment.segmentId) ?? []
      const isKept = draft?.target !== undefined && isSameText(draft.target, target)
      return [segment.segmentId, { ...blank, ...(isKept && draft), target }]
    }),
  )
  const { blocking, warnings } = await judgeDesk(hub, request, {
    segments,
    drafts: virtual,
    kept: [],
  })
  if (blocking.length > 0)
    return {
      problems: blocking.map(({ segmentId, check, message }) => ({
        segmentId,
        problem: `${message} (${check})`,
      })),
    }
  const { translated, contentType } = await joinDesk(hub, request, segments, (one) =>
    targets.get(one.segmentId),
  )
  const effort = await measureEffort(hub, request, {
    ...{ segments, drafts },
    targetOf: (one) => targets.get(one.segmentId),
  })
  const rows = rowsOf(hub, call, request, { segments, drafts, targets })
  const before = rows.reduce((sum, { segment_id }) => sum + (drafts.get(segment_id)?.bytes ?? 0), 0)
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  return {
    characters: bytes,
    store: async () => ({
      request,
      stored: await storeTranslation(hub, request, translated, contentType),
      warnings,
      targets: { mark, isSame: false, rows, bytes: bytes - before, effort },
    }),
  }
}

const blank = {
  state: 'TRANSLATED',
  version: 0,
  changed_by: '',
  by_person: 0,
  changed_at: 0,
  bytes: 0,
  spent_ms: 0,
} as const

type Merged = {
  readonly targets: Map<string, TextParts>
  readonly problems: Problem[]
  changed: number
}

function merge(
  { caller }: Call,
  segments: readonly DeskSegment[],
  drafts: ReadonlyMap<string, Draft>,
  found: readonly FoundTarget[],
): Merged {
  const merged: Merged = { targets: new Map(), problems: [], changed: 0 }
  const incoming = new Map(found.map((one) => [one.segmentId, one]))
  const left: string[] = []
  const marked = { open: 0, done: 0 }
  for (const segment of segments) {
    const { segmentId } = segment
    const one = incoming.get(segmentId)
    const draft = drafts.get(segmentId)
    const own = targetOf(segment, draft)
    const target = one?.target ?? []
    const isKept = own
      ? isSameText(own, target) || one?.sent?.touched === false
      : !isTouched(segment, one)
    merged.targets.set(segmentId, isKept && own ? own : target)
    if (isKept && !own && one?.open) left.push(segmentId)
    if (isKept) continue
    merged.changed += 1
    marked[one?.open ? 'open' : 'done'] += 1
    if (
      own &&
      one?.sent &&
      one.sent.own !== fingerprintOf(own) &&
      (draft?.target === undefined || draft.changed_by !== creatorOf(caller))
    )
      merged.problems.push({
        segmentId,
        problem:
          'Somebody else has translated it in the hub since the package was made. Download a new package.',
      })
  }
  // Some tools leave the state of every unit as it was: it tells something only if all that was
  // changed is marked.
  if (marked.done > 0 && marked.open === 0)
    for (const segmentId of left)
      merged.problems.push({
        segmentId,
        problem: 'It is not translated: its state is still that of an open unit.',
      })
  return merged
}

const isTouchedUnit = ({ sent }: FoundTarget): boolean => sent?.touched ?? true

/** Of a segment that has no target yet. */
const isTouched = ({ source }: DeskSegment, one: FoundTarget | undefined): boolean =>
  one?.sent?.touched ?? !isSameText(source, one?.target ?? [])

/**
 * Whether the targets of the hub came back as they are, all done, and nobody has delivered them
 * yet.
 */
function isLeft(
  request: OneRequest,
  segments: readonly DeskSegment[],
  drafts: ReadonlyMap<string, Draft>,
  found: readonly FoundTarget[],
): boolean {
  if (!found.some(isTouchedUnit)) return false
  const { status } = request
  const isOver = status === 'REVIEW_TRANSLATION' || status === 'TRANSLATION_APPROVED'
  const isDelivered = segments.every((segment) => {
    const draft = drafts.get(segment.segmentId)
    if (!draft?.target) return segment.origin === 'DELIVERY'
    return draft.delivered !== undefined && isSameText(draft.target, draft.delivered)
  })
  if (isOver && isDelivered) return false
  return segments.every((segment) =>
    isDone(stateOf(segment, drafts.get(segment.segmentId), request)),
  )
}

type Targets = {
  readonly segments: readonly DeskSegment[]
  readonly drafts: ReadonlyMap<string, Draft>
  readonly targets: ReadonlyMap<string, TextParts>
}

/** The targets that are not in the hub yet, or not as done. */
function rowsOf(
  hub: Hub,
  call: Call,
  request: OneRequest,
  { segments, drafts, targets }: Targets,
): DraftRow[] {
  const path = pathOf(request)
  return segments.flatMap((segment) => {
    const { segmentId } = segment
    const draft = drafts.get(segmentId)
    const [own, target] = [targetOf(segment, draft), targets.get(segmentId) ?? []]
    if (own && isSameText(own, target) && isDone(stateOf(segment, draft, request))) return []
    const change = { target, state: 'TRANSLATED', version: versionOf(request, draft) } as const
    const known = draft && { spent_ms: draft.spent_ms }
    return [draftRow(hub, call, { path, segmentId, change, known })]
  })
}

/** A file that the task cannot take is a problem of the package. */
export async function asProblem(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HubError && ['NO_SEGMENTS', 'DELIVERY_INVALID'].includes(error.code))
      return { problems: [{ problem: error.message }] }
    if (error instanceof FormatError) return { problems: [{ problem: error.message }] }
    throw error
  }
}
