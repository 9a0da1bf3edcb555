/** Machine translation by an HTTP engine in one of the dialects. */
import type { Driver } from './driver.ts'
import {
  engineDialects,
  engineSchema,
  faultInConfig,
  schemaFor,
  settingsOf,
} from './engine-config.ts'
import { engineCode, pairsOf } from './engine-languages.ts'
import { openEngine } from './open-engine.ts'
import { translateContent } from './translate-content.ts'

export const machineTranslation: Driver = {
  typeId: 'machine-translation',
  name: 'Machine translation',
  description:
    'Translates with an engine: your own server or the service of a vendor. Placeholders and tags are kept.',
  configSchema: engineSchema,
  dialects: engineDialects,
  schemaFor,
  capabilities: { supportUpdateTM: false, supportQuote: false },
  outside: true,
  faultIn: faultInConfig,
  languages: async (hub, provider) => {
    const settings = settingsOf(hub, provider)
    const pairs = await pairsOf(hub, settings)
    if (!pairs) return undefined
    const from = (language: string) => engineCode(language, settings, 'source')
    const to = (language: string) => engineCode(language, settings, 'target')
    const known = new Map(
      pairs.map(({ source, targets }) => [from(source), new Set(targets.map(to))]),
    )
    return { pairs, has: (source, target) => known.get(from(source))?.has(to(target)) === true }
  },
  translate: async (hub, provider, source) =>
    translateContent(hub, {
      siteId: provider.site_id,
      source,
      engines: [openEngine(hub, provider, source)],
    }),
}
