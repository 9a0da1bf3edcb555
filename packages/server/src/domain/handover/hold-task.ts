/**
 * Whom a claim and a share bind (contract, section 15): a person writes, sends, starts and delivers
 * a task only where they hold it or nobody does, at every door. Of a shared text everybody writes
 * their own positions, and anyone of them delivers the segments. A program of the provider, a
 * provider-manager and an admin are not bound.
 */
import { HubError } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { RequestRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { type Shared, sharesOf } from '../jobs/shares/shares.ts'
import { selectNames } from './provider-job-rows.ts'

/** A client of the provider, and people who manage its work, may write what others have claimed. */
export const manages = ({ caller: { person } }: Call): boolean =>
  !person || person.roles.some((role) => role === 'provider-manager' || role === 'admin')

/**
 * What the call does to a shared text: a whole one is for those who manage it, the segments are
 * delivered by anyone with a share, and positions (from 1) are written in one's own share.
 */
export type Holding = 'whole' | 'segments' | readonly number[]

/** Refuses a call that writes on a task of somebody else. */
export async function mustHold(
  db: Db,
  call: Call,
  request: Shared & Pick<RequestRow, 'assignee'>,
  as: Holding = 'whole',
): Promise<void> {
  if (manages(call)) return
  const { assignee, is_shared, request_id: assetTaskId } = request
  const personId = call.caller.person?.personId
  if (is_shared === 0) {
    if (assignee === null || assignee === personId) return
    throw await claimed(db, assetTaskId, assignee)
  }
  const own = (await sharesOf(db, request)).filter(({ person_id }) => person_id === personId)
  const refused = (because: string) => new HubError('NOT_IN_SHARE', { assetTaskId, because })
  if (own.length === 0) throw refused('you have no share of it.')
  if (as === 'whole')
    throw refused('whoever has a share writes its segments, and does nothing to the whole.')
  if (as === 'segments') return
  const isOwn = (position: number) =>
    own.some(
      ({ from_position, to_position }) => from_position <= position && position <= to_position,
    )
  const other = as.find((position) => !isOwn(position))
  if (other !== undefined) throw refused(`segment ${other} is not in your share.`)
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
