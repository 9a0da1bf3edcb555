/** Handlers of providers, their types, formats, and the quota. */
import { listFormats } from '@dragoman/contract'
import { findProviderType, listProviderTypes } from '../../domain/engines/provider-types.ts'
import { findProviderUsage } from '../../domain/engines/provider-usage.ts'
import {
  changeProvider,
  createProvider,
  findProvider,
  findProviderConfig,
  listProviders,
} from '../../domain/engines/providers.ts'
import { deleteProvider } from '../../domain/engines/remove-provider.ts'
import { testProvider } from '../../domain/engines/test-provider.ts'
import { findQuotas } from '../../domain/listeners/updates/updates.ts'
import type { Handlers } from './bind.ts'
import { onlyPage } from './only-page.ts'

export const providerHandlers = {
  listProviders: (hub, call, { query }) => listProviders(hub, call, query),
  findProvider: (hub, call, { params }) => findProvider(hub, call, params.providerId),
  createProvider: (hub, call, { body }) => createProvider(hub, call, body),
  changeProvider: (hub, call, { params, body }) =>
    changeProvider(hub, call, params.providerId, body),
  deleteProvider: (hub, call, { params }) => deleteProvider(hub, call, params.providerId),
  findProviderConfig: (hub, call, { params }) => findProviderConfig(hub, call, params.providerId),
  findProviderUsage: (hub, call, { params, query }) =>
    findProviderUsage(hub, call, params.providerId, query),
  testProvider: (hub, call, { params, body }) => testProvider(hub, call, params.providerId, body),
  listProviderTypes: (_hub, _call, { query }) => onlyPage(query, listProviderTypes()),
  findProviderType: (_hub, _call, { params }) => findProviderType(params.typeId),
  listFormats: (_hub, _call, { query }) => onlyPage(query, { items: listFormats() }),
  findQuota: (hub, call) => findQuotas(hub, call),
} satisfies Partial<Handlers>
