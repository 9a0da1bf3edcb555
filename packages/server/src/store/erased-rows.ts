/**
 * Takes what rows of a log say out of them without breaking the chain: the row keeps its number,
 * its time and its hash, and gets a proof over what is left of it. So `dragoman check` tells a row
 * that the hub erased from one that somebody changed.
 */
import { type ChainName, erasedProof } from './chain-links.ts'
import type { Db } from './database.ts'
import type { Vault } from './vault.ts'

const rowsAtOnce = 500

const noCall = {
  ...{
    trace_id: '',
    method: '',
    route: '',
    address: '',
    status: 0,
    duration_us: 0,
    bytes_in: 0,
    bytes_out: 0,
  },
  ...{
    ids: null,
    job_id: null,
    site_id: null,
    client_id: null,
    error_code: null,
    call_body: null,
    answer_body: null,
  },
} as const
const noAct = {
  ...{ actor: '', verb: '', thing: '', thing_id: '', trace_id: '' },
  ...{ client_id: null, site_id: null, fields: null, was: null, is_now: null, person_id: null },
} as const

const withProof = <R extends { hash: string }>(vault: Vault, name: ChainName, row: R) => ({
  ...row,
  erased: erasedProof(vault, name, row),
})

/**
 * The bodies of a deleted job's calls; who called when stays. Returns how many calls had any, a
 * slice of them at a time.
 */
export async function eraseBodies(
  vault: Vault,
  tx: Db,
  siteId: string,
  jobId: string,
): Promise<number> {
  const found = await tx
    .selectFrom('calls')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where((eb) => eb.or([eb('call_body', 'is not', null), eb('answer_body', 'is not', null)]))
    .limit(rowsAtOnce)
    .execute()
  for (const { call_id, ...row } of found) {
    const left = withProof(vault, 'calls', { ...row, call_id, call_body: null, answer_body: null })
    await tx.updateTable('calls').set(left).where('call_id', '=', call_id).execute()
  }
  return found.length
}

/** Everything that the calls of a removed site say. */
export async function eraseCalls(vault: Vault, tx: Db, siteId: string): Promise<number> {
  const found = await tx
    .selectFrom('calls')
    .selectAll()
    .where('site_id', '=', siteId)
    .limit(rowsAtOnce)
    .execute()
  for (const row of found) {
    const left = withProof(vault, 'calls', { ...row, ...noCall })
    await tx.updateTable('calls').set(left).where('call_id', '=', row.call_id).execute()
  }
  return found.length
}

/** Everything that the acts of a removed site say, but for its removal. */
export async function eraseActs(vault: Vault, tx: Db, siteId: string): Promise<number> {
  const found = await tx
    .selectFrom('audit')
    .selectAll()
    .where('site_id', '=', siteId)
    .where((eb) => eb.not(eb.and([eb('thing', '=', 'site'), eb('verb', '=', 'removed')])))
    .limit(rowsAtOnce)
    .execute()
  for (const row of found) {
    const left = withProof(vault, 'audit', { ...row, ...noAct })
    await tx.updateTable('audit').set(left).where('audit_id', '=', row.audit_id).execute()
  }
  return found.length
}
