/**
 * Reads the audit log (contract, section 12): an admin the acts on its site, an operator those of
 * the hub.
 */
import { type AuditEntry, type AuditQuery, formatTime, mustParseTime } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { readPage } from '../../../store/filtered-page.ts'
import type { Page } from '../../../store/page.ts'
import type { AuditRow } from '../../../store/tables.ts'
import { type Call, noSite, sightOf } from '../../access/caller.ts'
import { selectActs } from './act-list-rows.ts'

export async function listActs(hub: Hub, call: Call, asked: AuditQuery): Promise<Page<AuditEntry>> {
  const list = { vault: hub.vault, siteId: call.caller.siteId, name: 'audit' }
  const { rows, next } = await readPage(
    list,
    asked,
    ({ siteId, client, person, thing, thingId, verb, since, until }, part) => {
      const filter = {
        clientId: client,
        personId: person,
        thing,
        thingId,
        verb,
        since: since === undefined ? undefined : mustParseTime(since),
        until: until === undefined ? undefined : mustParseTime(until),
      }
      return selectActs(hub.db.read, sightOf(call, siteId), filter, part)
    },
    (row) => [row.acted_at, row.audit_id],
  )
  return { items: rows.map(describe), ...(next && { next }) }
}

const describe = (row: AuditRow): AuditEntry => ({
  auditId: row.audit_id,
  time: formatTime(row.acted_at),
  actor: row.actor as AuditEntry['actor'],
  ...(row.client_id !== null && { clientId: row.client_id }),
  ...(row.person_id !== null && { personId: row.person_id }),
  ...(row.site_id !== null && row.site_id !== noSite && { siteId: row.site_id }),
  verb: row.verb,
  thing: row.thing,
  thingId: row.thing_id,
  ...(row.fields !== null && { fields: JSON.parse(row.fields) as string[] }),
  ...(row.was !== null && { was: JSON.parse(row.was) as Record<string, unknown> }),
  ...(row.is_now !== null && { is: JSON.parse(row.is_now) as Record<string, unknown> }),
  traceId: row.trace_id,
})
