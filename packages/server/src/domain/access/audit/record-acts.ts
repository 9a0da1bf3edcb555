/**
 * The audit log: who did what to which thing, when and in which call. An entry is written in the
 * transaction of its act, so neither exists without the other. Append-only, and a chain that
 * `dragoman check` verifies. It holds names of fields, and of ids, states and numbers what they
 * were and are; never secrets or content. Kept for a year and up to a number of rows
 * (DRAGOMAN_AUDIT_ROWS), because clients can act at any rate.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Head } from '../../../store/chain-links.ts'
import { cutChain, extendChain, lockChain } from '../../../store/chains.ts'
import type { Db } from '../../../store/database.ts'
import { newTraceId } from '../../../store/ids.ts'
import type { AuditRow } from '../../../store/tables.ts'
import type { Act, Facts } from './acts.ts'
import * as rows from './audit-rows.ts'

/**
 * Who acts: a client by a call (an operator has no site), a person in the console, an operator at
 * the command line, or the hub itself.
 */
export type Actor = { readonly traceId: string } & (
  | { readonly actor: 'client'; readonly clientId: string; readonly siteId: string }
  | { readonly actor: 'person'; readonly personId: string; readonly siteId: string }
  | { readonly actor: 'command line' | 'hub' }
)

export const commandLine = (): Actor => ({ actor: 'command line', traceId: newTraceId() })
export const hubItself = (): Actor => ({ actor: 'hub', traceId: newTraceId() })

/** Call this last in the transaction: from here on, other acts wait until it ends. */
export async function recordActs(hub: Hub, tx: Db, by: Actor, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return
  const given = acts.map((act) => rowOf(by, act, hub.clock.now()))
  const head = await extendChain(hub, tx, 'audit', given)
  await rows.insertActs(tx, given)
  if (tooMany(hub, head) > 0) await pruneSome(hub, tx)
}

const tooMany = (hub: Hub, { last, anchor }: Head): number => last - anchor - hub.config.auditRows

/** The chain sets number and hash. */
const rowOf = (by: Actor, act: Act, now: number): AuditRow => ({
  audit_id: 0,
  acted_at: now,
  actor: by.actor,
  client_id: by.actor === 'client' ? by.clientId : null,
  person_id: by.actor === 'person' ? by.personId : null,
  site_id: act.siteId || ('siteId' in by && by.siteId) || null,
  verb: act.verb,
  thing: act.thing,
  thing_id: act.id,
  fields: act.fields && act.fields.length > 0 ? JSON.stringify(act.fields) : null,
  was: factsText(act.was),
  is_now: factsText(act.is),
  trace_id: by.traceId,
  hash: '',
  erased: null,
})

/** Undefined members are left out by JSON. */
function factsText(facts: Facts = {}): string | null {
  const text = JSON.stringify(facts)
  return text === '{}' ? null : text
}

const pruneBatchSize = 2_000

/** Part of the sweep: removes acts that are a year old. */
export async function pruneActs(hub: Hub): Promise<void> {
  const before = hub.clock.now() - limits.auditMs
  // Many short transactions, so that others can write in between.
  while (await hub.db.transact((tx) => pruneSome(hub, tx, before)));
}

/**
 * Removes some of the oldest acts: those before that time and those over the row limit. Returns
 * whether it removed any.
 */
async function pruneSome(hub: Hub, tx: Db, before = 0): Promise<boolean> {
  const head = await lockChain(tx, 'audit')
  const upTo = head.anchor + tooMany(hub, head)
  const many = before === 0 ? Math.min(pruneBatchSize, upTo - head.anchor) : pruneBatchSize
  const last = await rows.lastToPrune(tx, { before, upTo, many })
  if (!last) return false
  await rows.deleteUpTo(tx, last.audit_id)
  await cutChain(hub, tx, head, { number: last.audit_id, hash: last.hash, bytes: 0 })
  return true
}
