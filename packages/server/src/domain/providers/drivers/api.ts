/** An outside provider that works through the provider side: it lists its jobs, or a listener tells it of them. */
import { type Driver, noConfig } from './driver.ts'

export const api: Driver = {
  typeId: 'api',
  name: 'Provider interface',
  description: 'An external provider that retrieves jobs and delivers translations through the provider API.',
  configSchema: noConfig,
  capabilities: { supportUpdateTM: true, supportQuote: false },
}
