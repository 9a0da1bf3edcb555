/** Every call's handler: an endpoint without one does not compile. Those that few hubs need are loaded on first use. */
import {
  clientEndpoints,
  findingEndpoints,
  operatingDeliveryEndpoints,
  operatingLogEndpoints,
  operatingTaskEndpoints,
  peopleEndpoints,
  providerSideEndpoints,
  reportEndpoints,
  siteEndpoints,
} from '@dragoman/contract'
import { assetHandlers } from './assets.ts'
import type { Handlers } from './bind.ts'
import { jobHandlers } from './jobs.ts'
import { listenerHandlers } from './listeners.ts'
import { onFirstCall } from './on-first-call.ts'
import { providerHandlers } from './providers.ts'
import { requestHandlers } from './requests.ts'
import { settingsHandlers } from './settings.ts'
import { sourceContentHandlers } from './source-content.ts'
import { sourceFileHandlers } from './source-files.ts'
import { submissionHandlers } from './submission.ts'

export const handlers: Handlers = {
  ...jobHandlers,
  ...sourceFileHandlers,
  ...sourceContentHandlers,
  ...requestHandlers,
  ...assetHandlers,
  ...providerHandlers,
  ...listenerHandlers,
  ...submissionHandlers,
  ...settingsHandlers,
  ...onFirstCall(providerSideEndpoints, async () => (await import('./provider-side.ts')).providerSideHandlers),
  ...onFirstCall(clientEndpoints, async () => (await import('./clients.ts')).clientHandlers),
  ...onFirstCall(peopleEndpoints, async () => (await import('./people.ts')).peopleHandlers),
  ...onFirstCall(siteEndpoints, async () => (await import('./sites.ts')).siteHandlers),
  ...onFirstCall(
    operatingDeliveryEndpoints,
    async () => (await import('./operating-deliveries.ts')).operatingDeliveryHandlers,
  ),
  ...onFirstCall(operatingTaskEndpoints, async () => (await import('./operating-tasks.ts')).operatingTaskHandlers),
  ...onFirstCall(findingEndpoints, async () => (await import('./findings.ts')).findingHandlers),
  ...onFirstCall(operatingLogEndpoints, async () => (await import('./operating-log.ts')).operatingLogHandlers),
  ...onFirstCall(reportEndpoints, async () => (await import('./operating-reports.ts')).reportHandlers),
}
