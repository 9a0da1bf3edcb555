/**
 * The config of a provider that is an engine: what every dialect has, and the settings of one
 * dialect.
 */
import type { ProviderType } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { forbiddenBecause } from '../../../outgoing/post.ts'
import { parseJson } from '../../../process/parse.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import { type EngineAddress, isText, member } from './dialects/dialect.ts'
import { type DialectId, dialectIds, dialects } from './dialects/index.ts'
import type { ConfigFault } from './driver.ts'
import { openConfig, secretNames } from './sealed-config.ts'

const sizes = {
  batchSize: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Texts in one call.',
  },
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
  timeoutSeconds: {
    type: 'integer',
    minimum: 1,
    maximum: 300,
    default: 30,
    description: 'For one call.',
  },
} as const

const kept = 'Stored encrypted and never returned; send it again whenever you change the config.'

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
    description: `The key of the engine, if it wants one. ${kept}`,
  },
  format: {
    enum: ['html', 'text'],
    default: defaultFormat,
    description:
      'Whether the engine keeps HTML tags; with "text", placeholders and tags are sent as ⟦1⟧.',
  },
  languages: {
    type: 'object',
    maxProperties: 500,
    additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,20}$' },
    description:
      'Maps language codes of the hub to codes of the engine. By default, the dialect decides.',
  },
  ...sizes,
} as const

const requiredOf = (id: DialectId): string[] => [
  ...(dialects[id].defaultUrl === undefined ? ['url'] : []),
  ...(dialects[id].required ?? []),
]

const described = (description?: string) => (description === undefined ? {} : { description })

/** The whole schema of a config in this dialect. */
function schemaOf(id: DialectId): Record<string, unknown> {
  const { settings, defaultUrl, says = {}, format: usual = defaultFormat } = dialects[id]
  const url = {
    ...common.url,
    ...(isText(defaultUrl) && { default: defaultUrl }),
    ...described(says.url),
  }
  const apiKey = { ...common.apiKey, ...described(says.apiKey && `${says.apiKey} ${kept}`) }
  const properties = {
    ...common,
    url,
    apiKey,
    format: { ...common.format, default: usual },
    ...settings,
  }
  return { type: 'object', properties, required: requiredOf(id), additionalProperties: false }
}

export const engineDialects: NonNullable<ProviderType['dialects']> = dialectIds.map((dialect) => ({
  dialect,
  name: dialects[dialect].name,
  configSchema: schemaOf(dialect),
}))

/** A setting that several dialects have takes here what any of them takes. */
function everySetting(): Record<string, object> {
  const every: Record<string, { enum?: readonly unknown[]; default?: unknown }> = {}
  for (const id of dialectIds)
    for (const [name, schema] of Object.entries<(typeof every)[string]>(
      dialects[id].settings ?? {},
    )) {
      const known = every[name]
      const { default: _, ...rest } = known?.enum ? schema : (known ?? schema)
      const values = known?.enum && schema.enum && [...new Set([...known.enum, ...schema.enum])]
      every[name] = known ? { ...rest, ...(values && { enum: values }) } : schema
    }
  return every
}

/**
 * The settings of all dialects in one: for a form, and for what is secret. A config is checked by
 * its dialect's own schema.
 */
export const engineSchema = {
  type: 'object',
  properties: { ...common, ...everySetting() },
  required: requiredOf(defaultDialect).filter((name) =>
    dialectIds.every((id) => requiredOf(id).includes(name)),
  ),
  additionalProperties: false,
}

export const schemaFor = ({
  dialect = defaultDialect,
}: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  engineDialects.find((one) => one.dialect === dialect)?.configSchema ?? engineSchema

export type EngineSettings = { [name in keyof typeof sizes]: number } & Omit<
  EngineAddress,
  'own'
> & {
    readonly dialect: DialectId
    readonly format: 'html' | 'text'
    readonly languages?: Readonly<Record<string, string>>
    readonly own: Readonly<Record<string, unknown>>
  }

const defaults = {
  dialect: defaultDialect,
  ...Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size.default])),
}

export function settingsOf(hub: Hub, provider: ProviderRow): EngineSettings {
  const given = openConfig(hub.vault, engineSchema, provider)
  const { settings = {}, format = defaultFormat } =
    dialects[(given.dialect as DialectId | undefined) ?? defaultDialect]
  const config = { ...defaults, format, ...given } as EngineSettings
  const own = Object.fromEntries(
    Object.entries(config).filter(([name]) => Object.hasOwn(settings, name)),
  )
  return { ...config, url: config.url ?? usualUrl(config), own, secrets: secretsIn(given) }
}

function usualUrl(config: Readonly<Record<string, unknown>>): string {
  const { defaultUrl = '' } = dialects[(config.dialect as DialectId | undefined) ?? defaultDialect]
  return isText(defaultUrl) ? defaultUrl : defaultUrl(config)
}

/**
 * The values that the schema keeps secret, and what is in them if they are JSON: the key of a
 * service account.
 */
function secretsIn(config: Readonly<Record<string, unknown>>): string[] {
  const names = secretNames(engineSchema)
  const values = Object.entries(config).flatMap(([name, value]) =>
    names.has(name) && isText(value) ? [value] : [],
  )
  return values.flatMap((value) => [value, member(parseJson(value), 'private_key')]).filter(isText)
}

export function faultInConfig(
  hub: Hub,
  config: Readonly<Record<string, unknown>>,
): ConfigFault | undefined {
  const fault =
    dialects[(config.dialect as DialectId | undefined) ?? defaultDialect].faultIn?.(config)
  if (fault) return fault
  const because = forbiddenBecause(hub, isText(config.url) ? config.url : usualUrl(config))
  return because === undefined ? undefined : { path: 'url', message: because.replace(/\.$/, '') }
}
