/** What the engine of a provider cost in a period of UTC days. */
import { HubError, mustParseTime, type ProviderUsage, type UsageQuery } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { dialects } from './drivers/dialects/index.ts'
import { settingsOf } from './drivers/engine-config.ts'
import { usageOf } from './drivers/engine-costs.ts'
import { machineTranslation } from './drivers/machine-translation.ts'
import { mustFindProvider, mustSee } from './providers.ts'

export async function findProviderUsage(
  hub: Hub,
  call: Call,
  providerId: string,
  { since, until }: UsageQuery,
): Promise<ProviderUsage> {
  const provider = await mustFindProvider(hub.db.read, call.caller.siteId, providerId)
  mustSee(call, providerId)
  const from = since === undefined ? 0 : mustParseTime(since)
  const to = until === undefined ? hub.clock.now() : mustParseTime(until)
  if (from > to)
    throw new HubError('INVALID_PARAMETER', { because: `since (${since}) is after until.` })
  const isEngine = provider.type_id === machineTranslation.typeId
  const unit = isEngine ? dialects[settingsOf(hub, provider).dialect].cost.unit : 'CHARACTERS'
  return usageOf(hub, provider, unit, { from, to })
}
