/**
 * The checks of targets: those of one segment when it is shown or written, and all of them before a
 * delivery, which blocking findings stop unless they are kept with a reason.
 */
import { checkNames, HubError, type SegmentDelivery, type TextParts } from '@dragoman/contract'
import {
  type CheckFinding,
  checkText,
  type Severities,
  severityOf,
  type TextUnit,
  termSentences,
  type UnitFindings,
  withSeverities,
} from '@dragoman/text/checks'
import type { TermMatcher } from '@dragoman/text/terms'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { together } from '../../store/prepared.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { checkSettingsOf } from '../language/checks/check-settings.ts'
import { type Confirmed, findUnedited, type Unedited } from '../language/memory/unedited-matches.ts'
import { termStamp, termsAt, termsFor } from '../language/terms/known-terms.ts'
import { isSmall, runSafely, textWork } from '../language/worker/run.ts'
import { compareDesk } from './compare-desk.ts'
import { type Checker, type Draft, targetOf } from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import { indexOf } from './open-desk.ts'

const languagesOf = ({ source_language, target_language }: RequestWithFile) => ({
  sourceLanguage: source_language,
  targetLanguage: target_language,
})

/** What the checks depend on besides the text, as rows say it now. */
export type Rules = { readonly severities: Severities; readonly stamp: string | undefined }

export async function readRules(db: Db, siteId: string): Promise<Rules> {
  const [severities, stamp] = await Promise.all([
    checkSettingsOf(db, siteId),
    termStamp(db, siteId),
  ])
  return { severities, stamp }
}

type Checking = {
  /** The segments that will be checked as somebody's finished work. */
  readonly confirmed: readonly Confirmed[]
  /** All that will be checked, among the others of their desk. */
  readonly among: Omit<Parameters<typeof compareDesk>[2], 'severities'>
  readonly rules?: Rules
}

export async function openChecker(
  hub: Hub,
  request: RequestWithFile,
  { confirmed, among, rules: known }: Checking,
): Promise<Checker> {
  const languages = languagesOf(request)
  const { site_id: siteId } = request
  const { severities, stamp } =
    known ?? (await together(hub.db.read, (db) => readRules(db, siteId)))
  const matcher = await termsAt(
    hub,
    { siteId, stamp },
    languages.sourceLanguage,
    languages.targetLanguage,
  )
  const unedited = await uneditedIn(hub, request, confirmed, severities)
  const compared = await compareDesk(hub, request, { ...among, severities })
  return async (segment, target) => {
    if (!target) return { checks: [] }
    const percent = unedited.get(segment.segmentId)
    const pair = { ...unitOf(matcher, segment, target, percent), ...languages }
    const strings = [...segment.source, ...target].filter((part) => typeof part === 'string')
    const found = isSmall(strings)
      ? checkText(pair)
      : await runSafely<CheckFinding[]>(textWork.checks, 'checkText', [pair], {
          siteId: request.site_id,
        })
    const all = inOrder([...found, ...(compared.get(segment.segmentId) ?? [])])
    return { checks: withSeverities(all, severities), ...(percent !== undefined && { percent }) }
  }
}

/** As in the table of checks. */
const inOrder = (found: readonly CheckFinding[]): CheckFinding[] =>
  checkNames.flatMap((name) => found.filter(({ check }) => check === name))

const uneditedIn = async (
  hub: Hub,
  request: RequestWithFile,
  confirmed: readonly Confirmed[],
  severities: Severities,
): Promise<Unedited> =>
  severityOf('fuzzy', severities) === 'OFF' ? new Map() : findUnedited(hub, request, confirmed)

/** Where people find it: its key, else its position. */
const placeIn = ({ segmentId, key }: DeskSegment, at: number) => ({
  segmentId,
  where: key === undefined ? `segment ${at + 1}` : `"${key}"`,
})

const unitOf = (
  matcher: TermMatcher,
  { unit, source, tags, maxLength }: DeskSegment,
  target: TextParts,
  percent: number | undefined,
): TextUnit => ({
  id: unit,
  source,
  tags: [...tags],
  target,
  terms: termSentences(matcher, source, target),
  ...(maxLength && { maxLength }),
  ...(percent !== undefined && { fuzzy: { percent, target } }),
})

type Desk = {
  readonly segments: readonly DeskSegment[]
  readonly drafts: ReadonlyMap<string, Draft>
  readonly kept: NonNullable<SegmentDelivery['kept']>
}
type Blocking = { readonly segmentId: string } & Pick<CheckFinding, 'check' | 'message' | 'facts'>
/** `warnings` are sentences for the reviewer, as JSON. */
type JudgedDesk = { readonly blocking: Blocking[]; readonly warnings: string | null }

/** Sentences of one delivery. */
const mostWarnings = 20

/** Refuses a delivery with blocking findings that nobody keeps. */
export async function mustPass(
  hub: Hub,
  request: RequestWithFile,
  desk: Desk,
): Promise<string | null> {
  const { blocking: checks, warnings } = await judgeDesk(hub, request, desk)
  if (checks.length > 0)
    throw new HubError('CHECKS_FAILED', { count: checks.length }, { also: { checks } })
  return warnings
}

/** What the checks find in all targets; `blocking` leaves out what is kept with a reason. */
export async function judgeDesk(
  hub: Hub,
  request: RequestWithFile,
  { segments, drafts, kept }: Desk,
): Promise<JudgedDesk> {
  const placeOf = new Map(segments.map((segment, at) => [segment.unit, placeIn(segment, at)]))
  const { sourceLanguage, targetLanguage } = languagesOf(request)
  const matcher = await termsFor(hub, request.site_id, sourceLanguage, targetLanguage)
  const severities = await checkSettingsOf(hub.db.read, request.site_id)
  const confirmed = segments.flatMap((segment) => {
    const target = targetOf(segment, drafts.get(segment.segmentId))
    return target ? [{ segment, target }] : []
  })
  const unedited = await uneditedIn(hub, request, confirmed, severities)
  const pause = openPauses()
  const units: TextUnit[] = []
  const places = indexOf(segments)
  for (const { segment, target } of confirmed) {
    const unit = unitOf(matcher, segment, target, unedited.get(segment.segmentId))
    const position =
      segment.key === undefined ? (places.get(segment.segmentId) ?? 0) + 1 : undefined
    units.push({ ...unit, ...(position && { position }) })
    await pause()
  }
  const options = { ...languagesOf(request), severities }
  const found = await runSafely<UnitFindings[]>(textWork.checks, 'checkTexts', [units, options], {
    siteId: request.site_id,
  })
  const all = found.flatMap(({ id, findings }) => {
    const place = placeOf.get(id) ?? { segmentId: '', where: id }
    return findings.map(({ fix: _, ...finding }) => ({ ...place, ...finding }))
  })
  const reasons = new Map(
    kept.map(({ segmentId, check, reason }) => [`${segmentId} ${check}`, reason]),
  )
  for (const [segmentId, draft] of drafts)
    for (const { check, reason } of draft.kept ?? []) reasons.set(`${segmentId} ${check}`, reason)
  const reasonOf = (one: (typeof all)[0]) => reasons.get(`${one.segmentId} ${one.check}`)
  const blocking = all
    .filter((one) => one.severity === 'BLOCKING' && reasonOf(one) === undefined)
    .map(({ segmentId, check, message, facts }) => ({ segmentId, check, message, facts }))
  const sentences = all.slice(0, mostWarnings).map((one) => {
    const reason = reasonOf(one)
    return `${one.check} in ${one.where}: ${one.message}${reason === undefined ? '' : ` Kept: ${reason}`}`
  })
  return { blocking, warnings: sentences.length > 0 ? JSON.stringify(sentences) : null }
}
