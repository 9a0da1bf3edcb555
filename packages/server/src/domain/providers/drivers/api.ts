/** An outside provider that works through the provider side: it lists its jobs, or a listener tells it of them. */
import { type Driver, noConfig } from './driver.ts'

export const api: Driver = {
  typeId: 'api',
  name: 'Provider interface',
  description: 'An outside provider that fetches its jobs and delivers through the provider side of this interface.',
  configSchema: noConfig,
  capabilities: { supportUpdateTM: true, supportQuote: false },
}
