/**
 * Machine translation by an HTTP engine in one of the dialects. Files and fields are split into segments and sent in
 * batches; an answer is accepted only if every placeholder and tag came back. Failures become errors of the request.
 */
import { unknownFormat } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Named } from '../../formats/find-format.ts'
import type { Part } from '../../formats/format.ts'
import { buildParts } from '../../formats/placeholders/parts.ts'
import { cutSafely, isSmall, readSafely, writeSafely } from '../../formats/worker/run.ts'
import { dialects } from './dialects/index.ts'
import { CannotTranslate, type Driver, faultOfFile, type Source, type Translated } from './driver.ts'
import { askEngine } from './engine-call.ts'
import {
  type EngineSettings,
  engineDialects,
  engineSchema,
  faultInConfig,
  schemaFor,
  settingsOf,
} from './engine-config.ts'
import { engineCode, pairsOf } from './engine-languages.ts'
import { throughGate } from './gate.ts'
import { translateSegments } from './translate-segments.ts'

async function translate(hub: Hub, provider: ProviderRow, source: Source): Promise<Translated> {
  const stored = settingsOf(hub, provider)
  const timeoutSeconds = Math.min(stored.timeoutSeconds, source.maxSeconds ?? stored.timeoutSeconds)
  const settings = { ...stored, timeoutSeconds }
  const { format, concurrency, dialect } = settings
  const from = engineCode(source.sourceLanguage, settings, 'source')
  const to = engineCode(source.targetLanguage, settings, 'target')
  if (from.toLowerCase() === to.toLowerCase())
    throw new CannotTranslate(
      `For the translation engine, ${source.sourceLanguage} and ${source.targetLanguage} are the same language (${from}).`,
    )
  const translated = (segments: readonly (readonly Part[])[]): Promise<Part[][]> =>
    translateSegments(segments, format === 'html' ? 'xml' : 'brackets', sizesOf(settings), (texts) =>
      throughGate(hub, provider.provider_id, concurrency, () =>
        askEngine(hub, dialects[dialect], settings, { texts, source: from, target: to, format }),
      ),
    )
  const { content } = source
  if ('fields' in content) {
    const texts = content.fields.map(({ value }) => value)
    const cut = isSmall(texts) ? texts.map(partsOf) : await cutFields(provider.site_id, texts)
    const values = await translated(cut)
    return { fields: content.fields.map(({ key }, at) => ({ key, value: textOf(values[at] ?? []) })) }
  }
  return translateFile(provider.site_id, content, source.targetLanguage, translated)
}

/** What the config asks for, within the limits of the dialect. */
const sizesOf = (settings: EngineSettings): EngineSettings => {
  const { texts = Number.POSITIVE_INFINITY, plainTexts = texts } = dialects[settings.dialect].limits
  return { ...settings, batchSize: Math.min(settings.batchSize, settings.format === 'html' ? texts : plainTexts) }
}

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
  translated: (segments: readonly (readonly Part[])[]) => Promise<Part[][]>,
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
