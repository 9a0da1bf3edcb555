/** Finds the engine that drafts targets for people: the one that is named, else the only one. */
import { HubError } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { ProviderRow } from '../../store/tables.ts'
import { machineTranslation } from './drivers/machine-translation.ts'
import { selectEnabled, selectProvider } from './provider-rows.ts'

type Named = { readonly providerId: string | undefined; readonly path: string }

/** Refuses what is no enabled machine translation provider of the site. */
export async function mustFindEngine(
  db: Db,
  siteId: string,
  { providerId, path }: Named,
): Promise<ProviderRow> {
  const { typeId } = machineTranslation
  const invalid = (message: string) =>
    new HubError(
      'INVALID_REQUEST',
      { because: `${path}: ${message}.` },
      { details: [{ path, message }] },
    )
  if (providerId === undefined) {
    const [only, ...more] = await selectEnabled(db, siteId, { limit: 2, typeId })
    if (only && more.length === 0) return only
    throw invalid(
      `name a machine translation provider; the site has ${only ? 'several' : 'none'} that is enabled`,
    )
  }
  const provider = await selectProvider(db, siteId, providerId)
  if (!provider) throw invalid('is not a provider of this site')
  const { name, type_id, status } = provider
  if (type_id !== typeId) throw invalid(`${name} has the type ${type_id}; name an engine`)
  if (status !== 'ENABLED') throw invalid(`${name} is disabled; enable it first`)
  return provider
}
