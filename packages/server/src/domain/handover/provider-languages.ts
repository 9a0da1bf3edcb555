/**
 * Which languages the engine of a provider has: asked before the transaction of a submission, held
 * against its requests in it.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow, ProviderRow } from '../../store/tables.ts'
import type { Languages } from '../engines/drivers/driver.ts'
import { driverOf } from '../engines/drivers/drivers.ts'
import { findProviderIfAny, listEnabledProviders } from '../engines/providers.ts'
import { findIfAny } from '../jobs/find-job.ts'
import { readLanguagePairs } from '../jobs/requests/requests-of-job.ts'

export type Spoken = { readonly providerId: string; readonly languages: Languages }

/**
 * Of the provider that a submission would go to; undefined where there is none, or nothing is known
 * of its languages.
 */
export async function askLanguages(
  hub: Hub,
  siteId: string,
  jobId: string,
  asked?: string,
): Promise<Spoken | undefined> {
  const { read } = hub.db
  const job = await findIfAny(read, siteId, jobId)
  if (job?.status !== 'CREATED') return undefined
  const named = asked ?? job.provider_id
  const [only, ...others] = named ? [] : await listEnabledProviders(read, siteId)
  const provider = named
    ? await findProviderIfAny(read, siteId, named)
    : others.length === 0
      ? only
      : undefined
  const languages = provider && (await driverOf(provider.type_id)?.languages?.(hub, provider))
  return provider && languages && { providerId: provider.provider_id, languages }
}

/** Refuses a pair that the engine lacks: nothing would ever come of it. */
export async function mustSpeak(
  tx: Db,
  job: JobRow,
  provider: ProviderRow,
  spoken?: Spoken,
): Promise<void> {
  if (spoken?.providerId !== provider.provider_id) return
  const { pairs, has } = spoken.languages
  for (const { source_language: source, target_language: target } of await readLanguagePairs(
    tx,
    job.site_id,
    job.job_id,
  ))
    if (!has(source, target)) {
      const known = pairs.flatMap(({ source: from, targets }) =>
        targets.map((to) => `${from} to ${to}`),
      )
      const some = known.length > 20 ? [...known.slice(0, 20), 'and more'] : known
      throw new HubError('LANGUAGES_UNSUPPORTED', {
        providerId: provider.provider_id,
        source,
        target,
        known: some.join(', ') || 'nothing',
      })
    }
}
