/**
 * Whom a claim binds (contract, section 15): a person writes, sends, starts and delivers a task
 * only where they hold it or nobody does, at every door. A program of the provider, a
 * provider-manager and an admin are not bound.
 */
import { HubError } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { RequestRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { selectNames } from './provider-job-rows.ts'

/** A client of the provider, and people who manage its work, may write what others have claimed. */
export const manages = ({ caller: { person } }: Call): boolean =>
  !person || person.roles.some((role) => role === 'provider-manager' || role === 'admin')

/** Refuses a call that writes on a task of somebody else. */
export async function mustHold(
  db: Db,
  call: Call,
  { assetTaskId }: { readonly assetTaskId: string },
  { assignee }: Pick<RequestRow, 'assignee'>,
): Promise<void> {
  if (assignee === null || assignee === call.caller.person?.personId || manages(call)) return
  throw await claimed(db, assetTaskId, assignee)
}

/** The refusal that names who has the task. */
export async function claimed(db: Db, assetTaskId: string, personId: string): Promise<HubError> {
  const name = (await selectNames(db, [personId])).get(personId)
  const by = { personId, ...(name !== undefined && { name }) }
  return new HubError('ALREADY_CLAIMED', { assetTaskId, by: name ?? personId }, { also: { by } })
}

/** A translator cannot end the work of others, nor take their own away from the connector. */
export function mustManage(call: Call): void {
  if (manages(call)) return
  throw new HubError('FORBIDDEN', {
    because: 'only a provider-manager, an admin or a program of the provider may cancel work.',
  })
}
