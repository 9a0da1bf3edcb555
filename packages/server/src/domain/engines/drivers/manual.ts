/** People translate: the job waits until a provider client or a person delivers. */
import { type Driver, noConfig } from './driver.ts'

export const manual: Driver = {
  typeId: 'manual',
  name: 'Manual',
  description: 'Waits for a provider client or a person to deliver the translations.',
  configSchema: noConfig,
  capabilities: { supportUpdateTM: true, supportQuote: false },
}
