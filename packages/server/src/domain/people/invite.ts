/** Mails an invitation where the hub sends mail. The link is sealed: who has it can sign in. */
import type { Change } from '../../hub.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'

export const invitationTask = 'mail-invitation'
export type Invited = { readonly siteId: string; readonly personId: string; readonly link: string }

export async function queueInvitation(
  { hub, tx, causeId }: Change,
  { link, ...to }: Invited,
): Promise<void> {
  if (!hub.config.mail) return
  const now = hub.clock.now()
  const payload: Invited = { ...to, link: hub.vault.seal('note', link) }
  await addTasks(hub.db, tx, now, [
    {
      name: invitationTask,
      payload,
      key: `mail:invitation ${to.personId} ${causeId}`,
      ...(to.siteId !== '' && { siteId: to.siteId }),
      ...{ dueAt: now, causeId, lane: 'outside' },
    },
  ])
}
