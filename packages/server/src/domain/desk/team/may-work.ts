/** Whether a person may be given work: a role that writes, for the provider and the language. */
import { endpoints, HubError, isLimited, isSameLanguage, rolesOf } from '@dragoman/contract'
import type { Db } from '../../../store/database.ts'
import type { Call } from '../../access/caller.ts'
import { readWorker } from '../drafts.ts'

/**
 * Roles that write translations: whoever has none of them could hold a task, but do nothing with
 * it.
 */
const writing = rolesOf(endpoints.changeSegments)

type Wanted = { readonly providerId: string; readonly language: string }

export async function mustWorkFor(
  tx: Db,
  { caller }: Call,
  personId: string,
  { providerId, language }: Wanted,
): Promise<void> {
  const roles = await readWorker(tx, caller.siteId, personId)
  const may = roles.some(({ role, providers, languages }) => {
    if (!writing.includes(role)) return false
    if (!isLimited(role, undefined)) return true
    const isInto = listIn(languages)?.some((code) => isSameLanguage(code, language)) ?? true
    return listIn(providers)?.includes(providerId) === true && isInto
  })
  if (may) return
  const found = roles.find(({ role, providers }) => {
    const limits = listIn(providers)
    return isLimited(role, limits) && limits?.includes(providerId)
  })
  if (!found) throw new HubError('PERSON_NOT_FOUND', { personId })
  throw new HubError('FORBIDDEN', {
    because: `${found.name} does not translate into ${language} for this provider. Claim it for a translator or a provider-manager of this provider and language.`,
  })
}

const listIn = (json: string | null): string[] | undefined =>
  json === null ? undefined : (JSON.parse(json) as string[])
