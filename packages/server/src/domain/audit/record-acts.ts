/**
 * The audit log: who did what to which thing, when, in which call. Written in the transaction of the act itself, so that there
 * is never one without the other; only ever added to, and a chain, which `dragoman check` proves. It holds names of fields,
 * never what is in them. Kept for a year, and so many rows (DRAGOMAN_AUDIT_ROWS): clients act at their own rate.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Head } from '../../store/chain-links.ts'
import { cutChain, extendChain, lockChain } from '../../store/chains.ts'
import type { Db } from '../../store/engine.ts'
import { newTraceId } from '../../store/ids.ts'
import type { AuditRow } from '../../store/tables.ts'
import type { Act } from './acts.ts'
import * as rows from './audit-rows.ts'

/** Who acts: a client by a call, an operator at the command line, or the hub by itself. */
export type Actor = { readonly traceId: string } & (
  | { readonly actor: 'client'; readonly clientId: string; readonly siteId: string }
  | { readonly actor: 'command line' | 'hub' }
)

export const commandLine = (): Actor => ({ actor: 'command line', traceId: newTraceId() })
export const hubItself = (): Actor => ({ actor: 'hub', traceId: newTraceId() })

/** To be called last in the transaction of the acts: from here on other acts wait for its end. */
export async function recordActs(hub: Hub, tx: Db, by: Actor, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return
  const given = acts.map((act) => rowOf(by, act, hub.clock.now()))
  const head = await extendChain(hub, tx, 'audit', given)
  await rows.insertActs(tx, given)
  if (tooMany(hub, head) > 0) await pruneSome(hub, tx)
}

const tooMany = (hub: Hub, { last, anchor }: Head): number => last - anchor - hub.config.auditRows

/** Its number and hash are the chain's to give. */
const rowOf = (by: Actor, act: Act, now: number): AuditRow => ({
  audit_id: 0,
  acted_at: now,
  actor: by.actor,
  client_id: by.actor === 'client' ? by.clientId : null,
  site_id: act.siteId ?? (by.actor === 'client' ? by.siteId : null),
  verb: act.verb,
  thing: act.thing,
  thing_id: act.id,
  fields: act.fields && act.fields.length > 0 ? JSON.stringify(act.fields) : null,
  trace_id: by.traceId,
  hash: '',
})

const prunedTogether = 2_000

/** Forgets acts that are a year old; part of the sweep. */
export async function pruneActs(hub: Hub): Promise<void> {
  const before = hub.clock.now() - limits.auditMs
  // Many short transactions, so that others get their turn in between.
  while (await hub.engine.transact((tx) => pruneSome(hub, tx, before)));
}

/** Some of the oldest: those from before that time, and those that are too many. Says whether any went. */
async function pruneSome(hub: Hub, tx: Db, before = 0): Promise<boolean> {
  const head = await lockChain(tx, 'audit')
  const upTo = head.anchor + tooMany(hub, head)
  const many = before === 0 ? Math.min(prunedTogether, upTo - head.anchor) : prunedTogether
  const last = await rows.lastToGo(tx, { before, upTo, many })
  if (!last) return false
  await rows.deleteUpTo(tx, last.audit_id)
  await cutChain(hub, tx, head, { number: last.audit_id, hash: last.hash, bytes: 0 })
  return true
}
