/**
 * Analysis codes (contract, section 9): reporting dimensions of a site, unique per level ignoring
 * case. A code used by a job is never removed, only hidden, so that the job's history stays
 * correct.
 */
import {
  type AnalysisCode,
  type AnalysisCodeChange,
  type AnalysisCodeDeletion,
  HubError,
  type NewAnalysisCode,
} from '@dragoman/contract'
import { withoutCase } from '@dragoman/text/characters'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import type { AnalysisCodeRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { mustFit } from '../access/quota.ts'
import { lockSite } from '../access/sites.ts'
import {
  type CodeChange,
  countCodes,
  insertCode,
  isUsed,
  removeCode,
  type ShownCode,
  selectByKeys,
  selectCode,
  updateCode,
} from './code-rows.ts'

/** Changes the code with this id, or creates one if there is no id. */
export function saveAnalysisCode(
  hub: Hub,
  call: Call,
  input: NewAnalysisCode,
): Promise<AnalysisCode> {
  const { id, ...change } = input
  if (id !== undefined) return once(hub, call, (tx) => changeOne({ hub, tx, call }, id, change))
  return once(hub, call, async (tx) => {
    const { siteId } = call.caller
    await lockSite(tx, siteId)
    mustFit(call.caller, 'MaxAnalysisCodesPerSite', await countCodes(tx, siteId))
    await mustBeFree(tx, siteId, input)
    const now = hub.clock.now()
    const row: AnalysisCodeRow = {
      code_id: newId(),
      site_id: siteId,
      level: input.level,
      code: input.code,
      code_key: withoutCase(input.code),
      label: input.label ?? '',
      visible: Number(input.visible ?? true),
      created_at: now,
      modified_at: now,
      cause_id: call.traceId,
    }
    await insertCode(tx, row)
    const shown = describeCode(row)
    const facts = factsOf('analysis code', undefined, shown)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'analysis code', verb: 'created', id: row.code_id, ...facts },
    ])
    return shown
  })
}

export async function findAnalysisCode(hub: Hub, call: Call, id: string): Promise<AnalysisCode> {
  const row = await selectCode(hub.db.read, call.caller.siteId, id)
  if (!row) throw new HubError('ANALYSIS_CODE_NOT_FOUND', { id })
  return describeCode(row)
}

export const changeAnalysisCode = (
  hub: Hub,
  call: Call,
  id: string,
  input: AnalysisCodeChange,
): Promise<AnalysisCode> => hub.db.transact((tx) => changeOne({ hub, tx, call }, id, input))

/** Moves all codes or none. */
export function moveAnalysisCodes(
  hub: Hub,
  call: Call,
  ids: readonly string[],
  level: number,
): Promise<AnalysisCode[]> {
  return hub.db.transact(async (tx) => {
    const moved: Changed[] = []
    for (const id of new Set(ids)) moved.push(await applyChange({ hub, tx, call }, id, { level }))
    await recordChanges({ hub, tx, call }, moved, { level })
    return moved.map(({ is }) => is)
  })
}

/** Removes a code that no job uses, or hides one that is in use. */
export function deleteAnalysisCode(
  hub: Hub,
  call: Call,
  id: string,
): Promise<AnalysisCodeDeletion> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    await lockSite(tx, siteId)
    const row = await selectCode(tx, siteId, id)
    if (!row) throw new HubError('ANALYSIS_CODE_NOT_FOUND', { id })
    const used = await isUsed(tx, row)
    if (used) await updateCode(tx, siteId, id, { visible: 0, modified_at: hub.clock.now() })
    else await removeCode(tx, siteId, id)
    const verb = used ? 'hidden' : 'deleted'
    const shown = describeCode(row)
    const facts = factsOf('analysis code', shown, used ? { ...shown, visible: false } : undefined)
    await recordActs(hub, tx, actorOf(call), [{ thing: 'analysis code', verb, id, ...facts }])
    return { id, deleted: !used }
  })
}

type Writing = { readonly hub: Hub; readonly tx: Db; readonly call: Call }

async function changeOne(
  writing: Writing,
  id: string,
  input: AnalysisCodeChange,
): Promise<AnalysisCode> {
  const changed = await applyChange(writing, id, input)
  await recordChanges(writing, [changed], input)
  return changed.is
}

type Changed = { readonly was: AnalysisCode; readonly is: AnalysisCode }

const changeable = ['code', 'label', 'level', 'visible'] as const

function recordChanges(
  { hub, tx, call }: Writing,
  codes: readonly Changed[],
  input: AnalysisCodeChange,
) {
  const fields = changeable.filter((name) => input[name] !== undefined)
  const acts = codes.map(
    ({ was, is }) =>
      ({
        thing: 'analysis code',
        verb: 'changed',
        id: is.id,
        fields,
        ...factsOf('analysis code', was, is),
      }) as const,
  )
  return recordActs(hub, tx, actorOf(call), acts)
}

/** Locks the site, so that concurrent changes cannot create duplicates. */
async function applyChange(
  { hub, tx, call }: Writing,
  id: string,
  input: AnalysisCodeChange,
): Promise<Changed> {
  const { siteId } = call.caller
  await lockSite(tx, siteId)
  const row = await selectCode(tx, siteId, id)
  if (!row) throw new HubError('ANALYSIS_CODE_NOT_FOUND', { id })
  await mustBeFree(
    tx,
    siteId,
    { level: input.level ?? row.level, code: input.code ?? row.code },
    id,
  )
  const change: CodeChange = { modified_at: hub.clock.now() }
  if (input.code !== undefined)
    Object.assign(change, { code: input.code, code_key: withoutCase(input.code) })
  if (input.label !== undefined) change.label = input.label
  if (input.level !== undefined) change.level = input.level
  if (input.visible !== undefined) change.visible = Number(input.visible)
  return { was: describeCode(row), is: describeCode(await updateCode(tx, siteId, id, change)) }
}

async function mustBeFree(
  tx: Db,
  siteId: string,
  { level, code }: Pick<NewAnalysisCode, 'level' | 'code'>,
  id?: string,
): Promise<void> {
  const [taken] = await selectByKeys(tx, siteId, [{ level, key: withoutCase(code) }])
  if (!taken || taken.code_id === id) return
  throw new HubError('ANALYSIS_CODE_INVALID', {
    because: `level ${level} already has the code ${taken.code} (${taken.code_id}); codes are unique within a level, ignoring case. Change that one, or choose another code.`,
  })
}

export const describeCode = (row: ShownCode): AnalysisCode => ({
  id: row.code_id,
  code: row.code,
  label: row.label,
  level: row.level,
  visible: row.visible === 1,
})
