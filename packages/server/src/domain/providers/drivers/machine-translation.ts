/**
 * Machine translation by an HTTP engine in one of the dialects. Files and fields are split into segments and sent in
 * batches; an answer is accepted only if every placeholder and tag came back. Failures become errors of the request.
 */
import { unknownFormat } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { forbiddenBecause } from '../../../outgoing/post.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Named } from '../../formats/find-format.ts'
import type { Part } from '../../formats/format.ts'
import { buildParts } from '../../formats/placeholders/parts.ts'
import { cutSafely, isSmall, readSafely, writeSafely } from '../../formats/worker/run.ts'
import type { Dialect } from './dialects/dialect.ts'
import { type DialectId, dialectIds, dialects } from './dialects/index.ts'
import { CannotTranslate, type Driver, faultOfFile, type Source, type Translated } from './driver.ts'
import { askEngine } from './engine-call.ts'
import { engineCode, pairsOf } from './engine-languages.ts'
import { throughGate } from './gate.ts'
import { openConfig } from './sealed-config.ts'
import { translateSegments } from './translate-segments.ts'

const sizes = {
  batchSize: { type: 'integer', minimum: 1, maximum: 1_000, default: 50, description: 'Texts in one call.' },
  batchBytes: {
    type: 'integer',
    minimum: 1_000,
    maximum: 1_000_000,
    default: 30_000,
    description: 'Bytes of text in one call; a longer text is sent alone.',
  },
  concurrency: {
    type: 'integer',
    minimum: 1,
    maximum: 16,
    default: 2,
    description: 'Concurrent calls to the engine, from each node of the hub.',
  },
  timeoutSeconds: { type: 'integer', minimum: 1, maximum: 300, default: 30, description: 'For one call.' },
} as const

const configSchema = {
  type: 'object',
  properties: {
    dialect: {
      enum: dialectIds,
      default: 'libretranslate',
      description: 'How the engine is spoken to: "libretranslate", or "apertium" for Apertium APY.',
    },
    url: {
      type: 'string',
      minLength: 1,
      maxLength: 2_000,
      description: 'The http or https URL of the engine; "/translate" is appended.',
    },
    apiKey: {
      type: 'string',
      minLength: 1,
      maxLength: 1_000,
      writeOnly: true,
      description:
        'Sent as "api_key" ("key" to Apertium). Stored encrypted and never returned; send it again whenever you change the config.',
    },
    format: {
      enum: ['html', 'text'],
      default: 'html',
      description: 'Whether the engine keeps HTML tags; with "text", placeholders and tags are sent as ⟦1⟧.',
    },
    languages: {
      type: 'object',
      maxProperties: 500,
      additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,20}$' },
      description:
        'Maps language codes of the hub to codes of the engine. By default, the first part of the code is used.',
    },
    ...sizes,
  },
  required: ['url'],
  additionalProperties: false,
}

type Settings = { [name in keyof typeof sizes]: number } & {
  readonly dialect: DialectId
  readonly url: string
  readonly apiKey?: string
  readonly format: 'html' | 'text'
  readonly languages?: Readonly<Record<string, string>>
}

const defaults = {
  dialect: configSchema.properties.dialect.default,
  format: configSchema.properties.format.default,
  ...Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size.default])),
}

const settingsOf = (hub: Hub, provider: ProviderRow): Settings =>
  ({ ...defaults, ...openConfig(hub.vault, configSchema, provider) }) as Settings

async function translate(hub: Hub, provider: ProviderRow, source: Source): Promise<Translated> {
  const stored = settingsOf(hub, provider)
  const timeoutSeconds = Math.min(stored.timeoutSeconds, source.maxSeconds ?? stored.timeoutSeconds)
  const settings = { ...stored, timeoutSeconds }
  const { format, concurrency, dialect } = settings
  const [from, to] = [source.sourceLanguage, source.targetLanguage].map((code) =>
    engineCode(code, settings.languages, dialect),
  )
  if (from === undefined || to === undefined || from === to)
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

const sizesOf = (settings: Settings): Settings => {
  const { mostTexts }: Dialect = dialects[settings.dialect]
  return { ...settings, batchSize: Math.min(settings.batchSize, mostTexts?.(settings.format) ?? settings.batchSize) }
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
    'Translates with an engine that supports the LibreTranslate API or that of Apertium; keeps placeholders and tags.',
  configSchema,
  capabilities: { supportUpdateTM: false, supportQuote: false },
  outside: true,
  faultIn: (hub, { url }) => {
    const because = forbiddenBecause(hub, String(url))
    return because === undefined ? undefined : { path: 'url', message: because.replace(/\.$/, '') }
  },
  languages: async (hub, provider) => {
    const { dialect, ...settings } = settingsOf(hub, provider)
    const pairs = await pairsOf(hub, dialect, settings)
    if (!pairs) return undefined
    const code = (language: string) => engineCode(language, settings.languages, dialect)
    const known = new Map(pairs.map(({ source, targets }) => [code(source), new Set(targets.map(code))]))
    return { pairs, has: (source, target) => known.get(code(source))?.has(code(target)) === true }
  },
  translate,
}
