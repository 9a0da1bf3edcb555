/** Whom news of a job concerns, among those who asked for such mail. */
import { isLimited, type Role } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { findIfAny } from '../../jobs/find-job.ts'
import type { News } from '../../jobs/queue-mail.ts'
import type { MailPerson } from '../../people/mail-people.ts'

type Roles = Pick<MailPerson, 'sites'>
const hereOf = ({ sites }: Roles, siteId: string) => sites.find((one) => one.siteId === siteId)

export const isManager = (person: Roles, siteId: string): boolean =>
  hereOf(person, siteId)?.roles.some((role) => role === 'manager' || role === 'admin') === true

const team: readonly Role[] = ['provider-manager', 'reviewer']

/** Managers hear of their jobs and of questions to the connector, a provider's team of its own. */
export async function wants(hub: Hub, person: MailPerson, news: News): Promise<boolean> {
  const { siteId, jobId } = news
  if (news.kind !== 'question' || news.to === 'CONNECTOR') return isManager(person, siteId)
  const here = hereOf(person, siteId)
  if (!here?.roles.some((role) => team.includes(role))) return false
  const job = await findIfAny(hub.db.read, siteId, jobId)
  const isWhole = here.roles.some((role) => !isLimited(role, here.providers))
  return isWhole || (here.providers ?? []).some((id) => id === job?.provider_id)
}
