/**
 * An external provider that works through the provider API: it lists its jobs, or a listener
 * notifies it.
 */
import { type Driver, noConfig } from './driver.ts'

export const api: Driver = {
  typeId: 'api',
  name: 'Provider interface',
  description:
    'An external provider that retrieves jobs and delivers translations through the provider API.',
  configSchema: noConfig,
  capabilities: { supportUpdateTM: true, supportQuote: false },
}
