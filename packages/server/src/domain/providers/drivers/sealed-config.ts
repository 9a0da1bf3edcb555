/**
 * A provider's config as stored: values that its schema marks `writeOnly` are sealed. Only a driver opens them; no response
 * shows them.
 */
import type { ProviderRow } from '../../../store/tables.ts'
import type { Vault } from '../../../store/vault.ts'

type Config = Readonly<Record<string, unknown>>
type Sealed = { readonly sealed: string }

export function sealConfig(vault: Vault, schema: Readonly<Record<string, unknown>>, config: Config): string {
  const secret = secretsOf(schema)
  const entries = Object.entries(config).map(([name, value]) => [name, secret.has(name) ? seal(vault, value) : value])
  return JSON.stringify(Object.fromEntries(entries))
}

export function openConfig(vault: Vault, schema: Readonly<Record<string, unknown>>, row: ProviderRow): Config {
  const secret = secretsOf(schema)
  const entries = Object.entries(JSON.parse(row.config) as Config)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secret.has(name) ? open(vault, value as Sealed) : value]),
  )
}

const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'sealed' in value && typeof value.sealed === 'string'

/** The names of the sealed values of a stored config. */
export const sealedNames = (config: string): string[] =>
  Object.entries(JSON.parse(config) as Config).flatMap(([name, value]) => (isSealed(value) ? [name] : []))

/** The same config, sealed under another master key. */
export function reseal(from: Vault, to: Vault, config: string): string {
  const entries = Object.entries(JSON.parse(config) as Config)
  const sealed = entries.map(([name, value]) => [name, isSealed(value) ? seal(to, open(from, value)) : value])
  return JSON.stringify(Object.fromEntries(sealed))
}

const seal = (vault: Vault, value: unknown): Sealed => ({ sealed: vault.seal('provider', JSON.stringify(value)) })
const open = (vault: Vault, { sealed }: Sealed): unknown => JSON.parse(vault.open('provider', sealed))

function secretsOf({ properties }: Readonly<Record<string, unknown>>): Set<string> {
  const known = Object.entries((properties ?? {}) as Record<string, { writeOnly?: boolean }>)
  return new Set(known.flatMap(([name, { writeOnly }]) => (writeOnly ? [name] : [])))
}
