/**
 * A provider's config as stored: values that its schema marks `writeOnly` are sealed. Only a driver
 * opens them; no response shows them.
 */
import type { ProviderRow } from '../../../store/tables.ts'
import type { Vault } from '../../../store/vault.ts'

type Config = Readonly<Record<string, unknown>>
type Sealed = { readonly sealed: string }

export function sealConfig(
  vault: Vault,
  schema: Readonly<Record<string, unknown>>,
  config: Config,
): string {
  const secret = secretNames(schema)
  const entries = Object.entries(config).map(([name, value]) => [
    name,
    secret.has(name) ? seal(vault, value) : value,
  ])
  return JSON.stringify(Object.fromEntries(entries))
}

export function openConfig(
  vault: Vault,
  schema: Readonly<Record<string, unknown>>,
  row: ProviderRow,
): Config {
  const secret = secretNames(schema)
  const entries = Object.entries(JSON.parse(row.config) as Config)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secret.has(name) ? open(vault, value as Sealed) : value]),
  )
}

const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' &&
  value !== null &&
  'sealed' in value &&
  typeof value.sealed === 'string'

/** The names of the sealed values of a stored config. */
export const sealedNames = (config: string): string[] =>
  Object.entries(JSON.parse(config) as Config).flatMap(([name, value]) =>
    isSealed(value) ? [name] : [],
  )

/** The stored config without its sealed values. */
export const openPart = (config: string): Config =>
  Object.fromEntries(
    Object.entries(JSON.parse(config) as Config).filter(([, value]) => !isSealed(value)),
  )

/**
 * The new config with the secrets of the stored one that it lacks. Undefined if its url leads to
 * another host, or its dialect is another, which may have another host: a secret goes only where
 * the person who set it wanted it to go.
 */
export function withStoredSecrets(
  vault: Vault,
  row: ProviderRow,
  config: Config,
): Config | undefined {
  const stored = JSON.parse(row.config) as Config
  const missing = Object.entries(stored).filter(
    ([name, value]) => isSealed(value) && !(name in config),
  )
  const isElsewhere =
    originOf(stored.url) !== originOf(config.url) || stored.dialect !== config.dialect
  if (missing.length > 0 && isElsewhere) return undefined
  return {
    ...config,
    ...Object.fromEntries(missing.map(([name, value]) => [name, open(vault, value as Sealed)])),
  }
}

const originOf = (url: unknown): string => {
  const text = String(url ?? '')
  return URL.canParse(text) ? new URL(text).origin : text
}

/** The same config, sealed under another master key. */
export function reseal(from: Vault, to: Vault, config: string): string {
  const entries = Object.entries(JSON.parse(config) as Config)
  const sealed = entries.map(([name, value]) => [
    name,
    isSealed(value) ? seal(to, open(from, value)) : value,
  ])
  return JSON.stringify(Object.fromEntries(sealed))
}

const seal = (vault: Vault, value: unknown): Sealed => ({
  sealed: vault.seal('provider', JSON.stringify(value)),
})
const open = (vault: Vault, { sealed }: Sealed): unknown =>
  JSON.parse(vault.open('provider', sealed))

/** The names of the values that the schema keeps secret. */
export function secretNames({ properties }: Readonly<Record<string, unknown>>): Set<string> {
  const known = Object.entries((properties ?? {}) as Record<string, { writeOnly?: boolean }>)
  return new Set(known.flatMap(([name, { writeOnly }]) => (writeOnly ? [name] : [])))
}
