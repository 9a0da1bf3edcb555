/**
 * The ten levels of analysis codes, each with a label and a visibility. A hidden level hides its
 * codes.
 */
import {
  type AnalysisCodeLevel,
  type AnalysisCodesQuery,
  HubError,
  type LevelChange,
  limits,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { AnalysisLevelRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { lockSite } from '../access/sites.ts'
import { describeCode } from './analysis-codes.ts'
import { putLevel, type ShownCode, selectCodes, selectLevels } from './code-rows.ts'

/** The requested level, or all levels that have a code or a label. Hidden ones only on request. */
export async function listAnalysisCodes(
  hub: Hub,
  call: Call,
  asked: AnalysisCodesQuery,
): Promise<{ levels: AnalysisCodeLevel[] }> {
  const { siteId } = call.caller
  const hidden = asked.includeHidden === true
  // Clients generated from the WSDL send 0 for an unset number.
  const one = asked.level || undefined
  const filter = { hidden, ...(one === undefined ? {} : { level: one }) }
  const [known, codes] = await Promise.all([
    selectLevels(hub.db.read, siteId),
    selectCodes(hub.db.read, siteId, filter),
  ])
  const byLevel = new Map<number, ShownCode[]>()
  for (const row of codes) {
    const others = byLevel.get(row.level)
    if (others) others.push(row)
    else byLevel.set(row.level, [row])
  }
  const named = new Map(known.map((level) => [level.level, level]))
  const levels = one === undefined ? [...new Set([...named.keys(), ...byLevel.keys()])] : [one]
  const shown = levels
    .sort((a, b) => a - b)
    .map((level) =>
      describeLevel(named.get(level) ?? unnamed(siteId, level), byLevel.get(level) ?? []),
    )
  return { levels: hidden ? shown : shown.filter(({ visible }) => visible) }
}

/** Absent fields stay unchanged. The answer has all codes of the level, including hidden ones. */
export function changeAnalysisLevel(
  hub: Hub,
  call: Call,
  level: number,
  input: LevelChange,
): Promise<AnalysisCodeLevel> {
  const { siteId } = call.caller
  if (!Number.isInteger(level) || level < 1 || level > limits.analysisLevels)
    throw new HubError('INVALID_PARAMETER', {
      because: `level must be a number from 1 to ${limits.analysisLevels}.`,
    })
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const before =
      (await selectLevels(tx, siteId)).find((one) => one.level === level) ?? unnamed(siteId, level)
    const after = {
      ...before,
      label: input.label ?? before.label,
      visible: input.visible === undefined ? before.visible : Number(input.visible),
    }
    await putLevel(tx, after)
    const codes = await selectCodes(tx, siteId, { level, hidden: true })
    const fields = (['label', 'visible'] as const).filter((name) => input[name] !== undefined)
    const shown = describeLevel(after, codes)
    const facts = factsOf('analysis level', describeLevel(before, []), shown)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'analysis level', verb: 'changed', id: String(level), fields, ...facts },
    ])
    return shown
  })
}

const unnamed = (siteId: string, level: number): AnalysisLevelRow => ({
  site_id: siteId,
  level,
  label: '',
  visible: 1,
})

const describeLevel = (row: AnalysisLevelRow, codes: readonly ShownCode[]): AnalysisCodeLevel => ({
  level: row.level,
  label: row.label,
  visible: row.visible === 1,
  codes: codes.map(describeCode),
})
