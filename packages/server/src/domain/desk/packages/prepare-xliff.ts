/**
 * One XLIFF file of a package, judged and joined, ready to be delivered with the others. What a
 * translator left as it was sent keeps the target that the hub has now; what somebody else changed
 * in the meantime is never overwritten.
 */
import { HubError, limits, type TextParts } from '@dragoman/contract'
import { type FoundTarget, fingerprintOf, isSameText, type Problem } from '@dragoman/text/exchange'
import { FormatError, type LoneEntry } from '@dragoman/text/formats'
import type { Hub } from '../../../hub.ts'
import type { DraftRow } from '../../../store/tables.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { type Call, creatorOf } from '../../access/caller.ts'
import { storeTranslation } from '../../handover/deliver-batch.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import type { JudgedPages } from '../../language/worker/exchange-work.ts'
import { eachPage, openPager } from '../../language/worker/pages.ts'
import { runSafely, textWork } from '../../language/worker/run.ts'
import { type Judging, openJudge } from '../check-desk.ts'
import type { Prepared } from '../commit-deliveries.ts'
import { draftRow, isDone, stateOf, targetOf, versionOf } from '../describe-segment.ts'
import type { DeskSegment } from '../desk-segments.ts'
import { openEffort } from '../effort.ts'
import { joinDesk } from '../join-desk.ts'
import type { Joining } from '../join-file.ts'
import { openTargets, pathOf, type Walked } from '../walk-desk.ts'

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
  const opened = await openTargets(hub, request)
  const { desk, mark } = opened
  const { target_language: targetLanguage, site_id: siteId } = request
  const judged = await runSafely<JudgedPages>(
    textWork.exchange,
    'judgePaged',
    [entry, { targetLanguage }, desk.stored],
    { siteId },
  )
  if (judged.problems.length > 0) return { problems: judged.problems }
  const found = oneByOne(eachPage<FoundTarget | null>(judged.targets))
  const judge = await openJudge(hub, request, desk)
  const joining = openPager<Joining>()
  const effort = openEffort(hub, request, desk)
  const rows = openRows(hub, call, request)
  const merged = openMerge(call, request)
  const pause = openPauses()
  for await (const slice of opened.walk()) {
    const judging: Judging[] = []
    for (const walked of slice) {
      const { segment, place, draft } = walked
      const target = merged.add(walked, await found())
      const isKept = draft?.target !== undefined && isSameText(draft.target, target)
      judging.push({ segment, place, target, kept: isKept ? draft.kept : undefined })
      joining.add({ unit: segment.unit, tags: segment.tags, target })
      effort.add(segment, draft, target)
      rows.add(walked, target)
      await pause()
    }
    await judge.add(judging)
  }
  const { problems, isUnchanged } = merged.finish()
  if (problems.length > 0) return { problems }
  if (isUnchanged) return 'unchanged'
  const { blocking, count, warnings } = await judge.finish()
  if (count > 0)
    return {
      problems: blocking.map(({ segmentId, check, message }) => ({
        segmentId,
        problem: `${message} (${check})`,
      })),
    }
  const { translated, contentType } = await joinDesk(hub, request, joining.finish())
  return {
    characters: rows.weight(),
    store: async () => ({
      request,
      stored: await storeTranslation(hub, request, translated, contentType),
      warnings,
      targets: {
        ...{ mark, isSame: false, rows: rows.all, effort: effort.rows(), edits: effort.edits() },
        bytes: rows.addedBytes(),
      },
    }),
  }
}

/** The next of a list in pages; undefined after the last one. */
function oneByOne<T>(pages: AsyncIterator<T[], void>): () => Promise<T | undefined> {
  let page: readonly T[] = []
  let at = 0
  return async () => {
    while (at >= page.length) {
      const next = await pages.next()
      if (next.done) return undefined
      page = next.value
      at = 0
    }
    at += 1
    return page[at - 1]
  }
}

/**
 * Says the target of each segment: what came back, or what the hub has if that is as it was sent.
 */
function openMerge({ caller }: Call, request: OneRequest) {
  const problems: Problem[] = []
  const left: string[] = []
  const marked = { open: 0, done: 0 }
  const seen = { changed: 0, touched: false, undelivered: false, undone: false }
  const tell = (list: unknown[]) => list.length < limits.packageProblems
  const add = (walked: Walked, one: FoundTarget | null | undefined): TextParts => {
    const { segment, draft } = walked
    const { segmentId } = segment
    const own = targetOf(segment, draft)
    const target = one?.target ?? []
    const isKept = own
      ? isSameText(own, target) || one?.sent?.touched === false
      : !isTouched(segment, one)
    if (one && isTouchedUnit(one)) seen.touched = true
    if (!isDeliveredAsIs(walked)) seen.undelivered = true
    if (!isDone(stateOf(segment, draft, request))) seen.undone = true
    if (isKept && !own && one?.open && tell(left)) left.push(segmentId)
    if (isKept) return own ?? target
    seen.changed += 1
    marked[one?.open ? 'open' : 'done'] += 1
    const isOthers =
      own &&
      one?.sent &&
      one.sent.own !== fingerprintOf(own) &&
      (draft?.target === undefined || draft.changed_by !== creatorOf(caller))
    if (isOthers && tell(problems))
      problems.push({
        segmentId,
        problem:
          'Somebody else has translated it in the hub since the package was made. Download a new package.',
      })
    return target
  }
  const finish = () => {
    // Some tools leave the state of every unit as it was: it tells something only if all that was
    // changed is marked.
    if (marked.done > 0 && marked.open === 0)
      for (const segmentId of left)
        problems.push({
          segmentId,
          problem: 'It is not translated: its state is still that of an open unit.',
        })
    // Targets of the hub that came back as they are, all done, and that nobody has delivered yet.
    const isOver = ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED'].includes(request.status)
    const isLeft = seen.touched && !(isOver && !seen.undelivered) && !seen.undone
    return { problems, isUnchanged: seen.changed === 0 && !isLeft }
  }
  return { add, finish }
}

const isTouchedUnit = ({ sent }: FoundTarget): boolean => sent?.touched ?? true

/** Says whether a returned target was worked on, where the segment had none before. */
const isTouched = ({ source }: DeskSegment, one: FoundTarget | null | undefined): boolean =>
  one?.sent?.touched ?? !isSameText(source, one?.target ?? [])

const isDeliveredAsIs = ({ segment, draft }: Walked): boolean =>
  draft?.target
    ? draft.delivered !== undefined && isSameText(draft.target, draft.delivered)
    : segment.origin === 'DELIVERY'

/** A row in memory, besides its texts. */
const rowBytes = 500

/** The targets that are not in the hub yet, or not as done; no more than fit into memory. */
function openRows(hub: Hub, call: Call, request: OneRequest) {
  const path = pathOf(request)
  const all: DraftRow[] = []
  let [bytes, before] = [0, 0]
  const weight = () => bytes + all.length * rowBytes
  const add = ({ segment, draft }: Walked, target: TextParts) => {
    const own = targetOf(segment, draft)
    if (own && isSameText(own, target) && isDone(stateOf(segment, draft, request))) return
    const change = { target, state: 'TRANSLATED', version: versionOf(request, draft) } as const
    const known = draft && { spent_ms: draft.spent_ms }
    const { segmentId, words } = segment
    const row = draftRow(hub, call, { path, segmentId, change, words, known })
    all.push(row)
    bytes += row.bytes
    before += draft?.bytes ?? 0
    if (weight() > limits.deliveredBytes)
      throw new HubError('CONTENT_TOO_LARGE', {
        what: 'What this package delivers',
        limit: limits.deliveredBytes,
      })
  }
  return { all, add, weight, addedBytes: () => bytes - before }
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
