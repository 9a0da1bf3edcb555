/**
 * Where matches of the memory come from, for whoever translates: the job and who translated it, an
 * import, or a change by hand. Names of a job are told to its own provider and to admins only.
 */
import type { MatchOrigin } from '@dragoman/contract'
import type { Db } from '../../../store/database.ts'
import type { MemoryUnitRow } from '../../../store/tables.ts'
import { type Call, mayCall } from '../../access/caller.ts'
import { peopleNames } from '../../handover/asset-tasks.ts'
import { isByHand } from '../../language/memory/units.ts'
import {
  type OfJob,
  selectImportOrigins,
  selectRequestOrigins,
  selectUpdateOrigins,
} from './origin-rows.ts'

type Unit = Pick<MemoryUnitRow, 'origin' | 'changed_by'>

/** Returns undefined for a unit whose job or import is gone. */
export async function openOrigins(
  db: Db,
  { caller }: Call,
  providerId: string,
  units: readonly Unit[],
): Promise<(unit: Unit) => MatchOrigin | undefined> {
  const ids = [...new Set(units.filter((unit) => !isByHand(unit)).map(({ origin }) => origin))]
  if (units.length === 0) return () => undefined
  const { siteId } = caller
  const [requests, updates, imports] =
    ids.length === 0
      ? [[], [], []]
      : await Promise.all([
          selectRequestOrigins(db, siteId, ids),
          selectUpdateOrigins(db, siteId, ids),
          selectImportOrigins(db, siteId, ids),
        ])
  const isTold = ({ provider_id }: OfJob) => provider_id === providerId || mayCall(caller, 'admin')
  const people = [
    ...requests.filter(isTold).map(({ assignee }) => assignee),
    ...units.filter(isByHand).map(({ changed_by }) => changed_by),
  ].filter((id) => id !== null)
  const names =
    people.length > 0 ? await peopleNames(db, [...new Set(people)]) : new Map<string, string>()
  const by = (personId: string | null) => {
    const name = names.get(personId ?? '')
    return name === undefined ? {} : { by: name }
  }
  const known = new Map<string, MatchOrigin>([
    ...imports.map((id) => [id, { kind: 'IMPORT' }] as const),
    ...updates.map(
      (row) => [row.id, { kind: 'TM_UPDATE', ...(isTold(row) && jobOf(row)) }] as const,
    ),
    ...requests.map(
      (row) =>
        [
          row.id,
          { kind: 'REQUEST', ...(isTold(row) && { ...jobOf(row), ...by(row.assignee) }) },
        ] as const,
    ),
  ])
  return (unit) =>
    isByHand(unit) ? { kind: 'MANUAL', ...by(unit.changed_by) } : known.get(unit.origin)
}

const jobOf = ({ job_id: jobId, job_name: jobName, request_name }: OfJob) => ({
  jobId,
  jobName,
  ...(request_name !== null && { requestName: request_name }),
})
