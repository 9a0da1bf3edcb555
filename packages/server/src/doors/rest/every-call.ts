/** Every call's handler: an endpoint without one does not compile. */
import { assetHandlers } from './assets.ts'
import type { Handlers } from './bind.ts'
import { checkHandlers } from './checks.ts'
import { clientHandlers } from './clients.ts'
import { deskHandlers } from './desk.ts'
import { findingHandlers } from './findings.ts'
import { jobHandlers } from './jobs.ts'
import { listenerHandlers } from './listeners.ts'
import { memoryHandlers } from './memory.ts'
import { operatingDeliveryHandlers } from './operating-deliveries.ts'
import { operatingLogHandlers } from './operating-log.ts'
import { reportHandlers } from './operating-reports.ts'
import { operatingTaskHandlers } from './operating-tasks.ts'
import { peopleHandlers } from './people.ts'
import { providerSideHandlers } from './provider-side.ts'
import { providerHandlers } from './providers.ts'
import { requestHandlers } from './requests.ts'
import { routingHandlers } from './routing.ts'
import { settingsHandlers } from './settings.ts'
import { siteHandlers } from './sites.ts'
import { sourceContentHandlers } from './source-content.ts'
import { sourceFileHandlers } from './source-files.ts'
import { submissionHandlers } from './submission.ts'
import { termHandlers } from './terms.ts'

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
  ...routingHandlers,
  ...termHandlers,
  ...memoryHandlers,
  ...providerSideHandlers,
  ...deskHandlers,
  ...checkHandlers,
  ...clientHandlers,
  ...peopleHandlers,
  ...siteHandlers,
  ...operatingDeliveryHandlers,
  ...operatingTaskHandlers,
  ...findingHandlers,
  ...operatingLogHandlers,
  ...reportHandlers,
}
