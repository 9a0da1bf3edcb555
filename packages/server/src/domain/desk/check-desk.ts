/**
 * The checks of targets: those of one segment when it is shown or written, and all of them before a
 * delivery, which blocking findings stop unless they are kept with a reason.
 */
import { checkNames, HubError, type KeptCheck, limits, type TextParts } from '@dragoman/contract'
import {
  type CheckFinding,
  checkText,
  type Languages,
  type Severities,
  severityOf,
  type TextUnit,
  termSentencesInTurns,
  withSeverities,
} from '@dragoman/text/checks'
import type { TermMatcher } from '@dragoman/text/terms'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { together } from '../../store/prepared.ts'
import { openPauses } from '../../turns/pauses.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { checkSettingsOf } from '../language/checks/check-settings.ts'
import {
  type Confirmed,
  findUnedited,
  newLookUps,
  type Unedited,
  type UneditedLookUps,
} from '../language/memory/unedited-matches.ts'
import { termStamp, termsAt, termsFor } from '../language/terms/known-terms.ts'
import type { DeskFinding, DeskUnit } from '../language/worker/check-work.ts'
import {
  eachPage,
  openPager,
  type Pages,
  packInTurns,
  wholeList,
} from '../language/worker/pages.ts'
import { isSmall, runSafely, textWork } from '../language/worker/run.ts'
import { compareDesk } from './compare-desk.ts'
import type { Checked } from './describe-segment.ts'
import type { DeskSegment } from './desk-segments.ts'
import type { Desk } from './open-desk.ts'

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
  /** All that are checked, among the others of their desk, each with its target. */
  readonly among: Omit<Parameters<typeof compareDesk>[2], 'severities'>
  readonly targets: readonly (TextParts | undefined)[]
  readonly rules?: Rules
}

/** The checks of `some`, in their order. They are weighed as a whole: many texts go to a worker. */
export async function checkSegments(
  hub: Hub,
  request: RequestWithFile,
  { confirmed, among, targets, rules: known }: Checking,
): Promise<Checked[]> {
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
  const pause = openPauses()
  const units: TextUnit[] = []
  for (const [at, { segment }] of among.some.entries()) {
    const target = targets[at]
    if (!target) continue
    units.push(await unitOf(matcher, segment, target, unedited.get(segment.segmentId)))
    await pause()
  }
  const found = await checkUnits(siteId, units, languages)
  let next = 0
  return among.some.map(({ segment: { segmentId } }, at): Checked => {
    if (!targets[at]) return { checks: [] }
    const percent = unedited.get(segmentId)
    const all = inOrder([...(found[next++] ?? []), ...(compared.get(segmentId) ?? [])])
    return { checks: withSeverities(all, severities), ...(percent !== undefined && { percent }) }
  })
}

async function checkUnits(
  siteId: string,
  units: readonly TextUnit[],
  languages: Languages,
): Promise<CheckFinding[][]> {
  const strings = units.flatMap(({ source, target }) =>
    [...source, ...target].filter((part) => typeof part === 'string'),
  )
  if (isSmall(strings)) return units.map((unit) => checkText({ ...unit, ...languages }))
  const given = await packInTurns(units)
  const found = await runSafely<Pages>(textWork.checks, 'checkEachPaged', [given, languages], {
    siteId,
    moves: [given],
  })
  return wholeList(found)
}

/** As in the table of checks. */
const inOrder = (found: readonly CheckFinding[]): CheckFinding[] =>
  checkNames.flatMap((name) => found.filter(({ check }) => check === name))

const uneditedIn = async (
  hub: Hub,
  request: RequestWithFile,
  confirmed: readonly Confirmed[],
  severities: Severities,
  lookUps?: UneditedLookUps,
): Promise<Unedited> =>
  severityOf('fuzzy', severities) === 'OFF'
    ? new Map()
    : findUnedited(hub, request, confirmed, lookUps)

/** Where people find it: its key, else its position. */
const placeIn = ({ segmentId, key }: DeskSegment, at: number) => ({
  segmentId,
  where: key === undefined ? `segment ${at + 1}` : `"${key}"`,
})

const unitOf = async (
  matcher: TermMatcher,
  { unit, source, tags, maxLength }: DeskSegment,
  target: TextParts,
  percent: number | undefined,
): Promise<TextUnit> => ({
  id: unit,
  source,
  tags: [...tags],
  target,
  terms: await termSentencesInTurns(matcher, source, target, openPauses()),
  ...(maxLength && { maxLength }),
  ...(percent !== undefined && { fuzzy: { percent, target } }),
})

/** A segment with the target that is judged, and why its findings are kept. */
export type Judging = {
  readonly segment: DeskSegment
  readonly place: number
  readonly target: TextParts
  readonly kept?: readonly KeptCheck[] | undefined
}
type Blocking = { readonly segmentId: string } & Pick<CheckFinding, 'check' | 'message' | 'facts'>
/** `warnings` are sentences for the reviewer, as JSON. */
type JudgedDesk = {
  /** The first of them. */
  readonly blocking: Blocking[]
  readonly count: number
  readonly warnings: string | null
}

/** Sentences of one delivery. */
const mostWarnings = 20

/** Refuses a delivery with blocking findings that nobody keeps. */
export async function mustPass(judge: DeskJudge): Promise<string | null> {
  const { blocking: checks, count, warnings } = await judge.finish()
  if (count > 0) throw new HubError('CHECKS_FAILED', { count }, { also: { checks } })
  return warnings
}

export type DeskJudge = {
  /** Slices of a desk, in their order. */
  readonly add: (some: readonly Judging[]) => Promise<void>
  /** What the checks find in all targets; what is kept with a reason does not block. */
  readonly finish: () => Promise<JudgedDesk>
}

/** Gathers the targets of a delivery as bytes, and checks them in a worker. */
export async function openJudge(
  hub: Hub,
  request: RequestWithFile,
  desk: Desk,
): Promise<DeskJudge> {
  const { site_id: siteId } = request
  const languages = languagesOf(request)
  const matcher = await termsFor(hub, siteId, languages.sourceLanguage, languages.targetLanguage)
  const severities = await checkSettingsOf(hub.db.read, siteId)
  const lookUps = newLookUps()
  const pause = openPauses()
  const pager = openPager<DeskUnit>()
  const add: DeskJudge['add'] = async (some) => {
    const unedited = await uneditedIn(hub, request, some, severities, lookUps)
    for (const { segment, place, target, kept } of some) {
      const unit = await unitOf(matcher, segment, target, unedited.get(segment.segmentId))
      const position = segment.key === undefined ? place + 1 : undefined
      const reasons = kept?.length && Object.fromEntries(kept.map((one) => [one.check, one.reason]))
      pager.add({ ...unit, place, ...(position && { position }), ...(reasons && { reasons }) })
      await pause()
    }
  }
  const finish: DeskJudge['finish'] = async () => {
    const units = pager.finish()
    const options = { ...languages, severities }
    const found = await runSafely<Pages>(textWork.checks, 'checkPaged', [units, options], {
      siteId,
      moves: [units],
    })
    const blocking: Blocking[] = []
    const sentences: string[] = []
    let count = 0
    for await (const some of eachPage<DeskFinding>(found))
      for (const { place, finding, reason } of some) {
        const { check, severity, message, facts } = finding
        const blocks = severity === 'BLOCKING' && reason === undefined
        if (blocks) count += 1
        const isListed = blocks && blocking.length < limits.deliveryChecks
        if (!isListed && sentences.length >= mostWarnings) continue
        const { segmentId, where } = placeIn(desk.at(place), place)
        if (isListed) blocking.push({ segmentId, check, message, facts })
        if (sentences.length < mostWarnings)
          sentences.push(
            `${check} in ${where}: ${message}${reason === undefined ? '' : ` Kept: ${reason}`}`,
          )
      }
    return { blocking, count, warnings: sentences.length > 0 ? JSON.stringify(sentences) : null }
  }
  return { add, finish }
}
