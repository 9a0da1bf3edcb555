/** Handlers of what only the pages Providers, Prices and Analysis codes call. */
import { countProviderWork } from '../../domain/jobs/provider-work.ts'
import { checkMetadata } from '../../domain/providers/metadata-schema.ts'
import { tryPriceList } from '../../domain/quoting/try-price-list.ts'
import { listUsedPairs } from '../../domain/requests/used-pairs.ts'
import { countCodeUse } from '../../domain/settings/code-use.ts'
import type { ConsoleHandlers } from './session.ts'

export const setUpHandlers = {
  countProviderWork: (hub, call) => countProviderWork(hub, call),
  checkMetadata: (_hub, _call, { body }) => checkMetadata(body),
  tryPriceList: (hub, call, { query, body }) => tryPriceList(hub, call, body, query.jobId),
  listUsedPairs: (hub, call) => listUsedPairs(hub, call),
  countCodeUse: (hub, call) => countCodeUse(hub, call),
} satisfies Partial<ConsoleHandlers>
