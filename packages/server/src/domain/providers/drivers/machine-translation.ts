/**
 * Machine translation by an HTTP engine in one of the dialects. Files and fields are split into segments, which go the way of
 * translate-segments.ts. A content with a segment that no engine could translate is not delivered: its request gets the reason.
 */
import { unknownFormat } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Named } from '../../formats/find-format.ts'
import type { Part } from '../../formats/format.ts'
import { buildParts } from '../../formats/placeholders/parts.ts'
import { cutSafely, isSmall, readSafely, writeSafely } from '../../formats/worker/run.ts'
import { CannotTranslate, type Driver, faultOfFile, type Source, type Translated } from './driver.ts'
import { engineDialects, engineSchema, faultInConfig, schemaFor, settingsOf } from './engine-config.ts'
import { engineCode, pairsOf } from './engine-languages.ts'
import { openEngine } from './open-engine.ts'
import { type SegmentResult, translateSegments } from './translate-segments.ts'

async function translate(hub: Hub, provider: ProviderRow, source: Source): Promise<Translated> {
  const engine = openEngine(hub, provider, source)
  const translated = (segments: readonly (readonly Part[])[]): Promise<(readonly Part[])[]> =>
    translateSegments(segments, source, [engine]).then(mustBeWhole)
  const { content } = source
  if ('fields' in content) {
    const texts = content.fields.map(({ value }) => value)
    const cut = isSmall(texts) ? texts.map(partsOf) : await cutFields(provider.site_id, texts)
    const values = await translated(cut)
    return { fields: content.fields.map(({ key }, at) => ({ key, value: textOf(values[at] ?? []) })) }
  }
  return translateFile(provider.site_id, content, source.targetLanguage, translated)
}

/** A translation with a gap is none. */
function mustBeWhole(results: readonly SegmentResult[]): (readonly Part[])[] {
  const open = results.flatMap((one) => ('open' in one ? one.open : []))
  const [first] = open
  if (first !== undefined) throw new CannotTranslate(open.length > 1 ? `${first} ${also(open.length - 1)}` : first)
  return results.map((one) => ('parts' in one ? one.parts : []))
}

const also = (count: number): string =>
  count === 1 ? 'One more text has no translation either.' : `${count} more texts have no translation either.`

const partsOf = (text: string): readonly Part[] => buildParts([{ text }], (same) => same, { newlines: true })
const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')

const cutFields = (siteId: string, texts: readonly string[]): Promise<(readonly Part[])[]> =>
  cutSafely(siteId, texts).catch((error: unknown) => {
    throw faultOfFile(error)
  })

async function translateFile(
  siteId: string,
  { bytes, ...named }: Named & { readonly bytes: Uint8Array },
  targetLanguage: string,
  translated: (segments: readonly (readonly Part[])[]) => Promise<(readonly Part[])[]>,
): Promise<Translated> {
  try {
    const opened = await readSafely(siteId, named, bytes)
    if (!opened) throw new CannotTranslate(unknownFormat(named.fileName))
    const wanted = opened.segments.filter(({ held }) => !held)
    const all = await translated(wanted.map(({ parts }) => parts))
    const byId = new Map(wanted.map(({ id }, at) => [id, all[at] ?? []]))
    return {
      bytes: await writeSafely(siteId, named, bytes, { translations: byId, targetLanguage }),
      remarks: opened.remarks,
    }
  } catch (error) {
    throw faultOfFile(error)
  }
}

export const machineTranslation: Driver = {
  typeId: 'machine-translation',
  name: 'Machine translation',
  description:
    'Translates with an engine: a server of your own or the service of a vendor. Placeholders and tags are kept.',
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
    const known = new Map(pairs.map(({ source, targets }) => [from(source), new Set(targets.map(to))]))
    return { pairs, has: (source, target) => known.get(from(source))?.has(to(target)) === true }
  },
  translate,
}
