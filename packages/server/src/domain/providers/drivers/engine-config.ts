/** The config of a provider that is an engine: what every dialect has, and the settings of one dialect. */
import type { ProviderType } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { forbiddenBecause } from '../../../outgoing/post.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { EngineAddress } from './dialects/dialect.ts'
import { type DialectId, dialectIds, dialects } from './dialects/index.ts'
import type { ConfigFault } from './driver.ts'
import { openConfig } from './sealed-config.ts'

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

const defaultDialect: DialectId = 'libretranslate'
const defaultFormat = 'html'

const common = {
  dialect: {
    enum: dialectIds,
    default: defaultDialect,
    description: `The engine: ${dialectIds.map((id) => `"${id}" (${dialects[id].name})`).join(', ')}.`,
  },
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    description: 'The http or https URL of the engine, without the path of its calls.',
  },
  apiKey: {
    type: 'string',
    minLength: 1,
    maxLength: 1_000,
    writeOnly: true,
    description:
      'The key of the engine, if it wants one. Stored encrypted and never returned; send it again whenever you change the config.',
  },
  format: {
    enum: ['html', 'text'],
    default: defaultFormat,
    description: 'Whether the engine keeps HTML tags; with "text", placeholders and tags are sent as ⟦1⟧.',
  },
  languages: {
    type: 'object',
    maxProperties: 500,
    additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,20}$' },
    description: 'Maps language codes of the hub to codes of the engine. By default, the dialect decides.',
  },
  ...sizes,
} as const

const requiredOf = (id: DialectId): string[] => [
  ...(dialects[id].defaultUrl === undefined ? ['url'] : []),
  ...(dialects[id].required ?? []),
]

/** The whole schema of a config in this dialect. */
function schemaOf(id: DialectId): Record<string, unknown> {
  const { settings, defaultUrl } = dialects[id]
  const url = { ...common.url, ...(defaultUrl !== undefined && { default: defaultUrl }) }
  const properties = { ...common, url, ...settings }
  return { type: 'object', properties, required: requiredOf(id), additionalProperties: false }
}

export const engineDialects: NonNullable<ProviderType['dialects']> = dialectIds.map((dialect) => ({
  dialect,
  name: dialects[dialect].name,
  configSchema: schemaOf(dialect),
}))

/** The settings of all dialects in one: for a form, and for what is secret. A config is checked by its dialect's own schema. */
export const engineSchema = {
  type: 'object',
  properties: { ...common, ...Object.assign({}, ...dialectIds.map((id) => dialects[id].settings)) },
  required: requiredOf(defaultDialect).filter((name) => dialectIds.every((id) => requiredOf(id).includes(name))),
  additionalProperties: false,
}

export const schemaFor = ({ dialect = defaultDialect }: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  engineDialects.find((one) => one.dialect === dialect)?.configSchema ?? engineSchema

export type EngineSettings = { [name in keyof typeof sizes]: number } & Omit<EngineAddress, 'own'> & {
    readonly dialect: DialectId
    readonly format: 'html' | 'text'
    readonly languages?: Readonly<Record<string, string>>
    readonly own: Readonly<Record<string, unknown>>
  }

const defaults = {
  dialect: defaultDialect,
  format: defaultFormat,
  ...Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size.default])),
}

export function settingsOf(hub: Hub, provider: ProviderRow): EngineSettings {
  const config = { ...defaults, ...openConfig(hub.vault, engineSchema, provider) } as EngineSettings
  const { settings = {}, defaultUrl = '' } = dialects[config.dialect]
  const own = Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(settings, name)))
  return { ...config, url: config.url ?? defaultUrl, own }
}

export function faultInConfig(hub: Hub, { url }: Readonly<Record<string, unknown>>): ConfigFault | undefined {
  const because = url === undefined ? undefined : forbiddenBecause(hub, String(url))
  return because === undefined ? undefined : { path: 'url', message: because.replace(/\.$/, '') }
}
