/**
 * What the commands on providers say about a provider: its config by the schema of its type, its
 * secrets and its limits. A secret comes from standard input or from a variable of the environment,
 * never from an argument, and is printed nowhere.
 */
import { buffer } from 'node:stream/consumers'
import type { ProviderLimits, ProviderType } from '@dragoman/contract/wire'
import { canAsk, withAsk } from '../ask.ts'
import { many, type Screen, text, UsageError } from '../command.ts'
import { didYouMean } from '../nearest.ts'

export const settingOptions = {
  dialect: text,
  set: many,
  secret: many,
  'per-day': text,
  'per-job': text,
} as const
export type SettingFlags = {
  dialect?: string
  set?: string[]
  secret?: string[]
  'per-day'?: string
  'per-job'?: string
}

export const settingHelp = `  --set NAME=VALUE      a setting of the config, such as url=http://127.0.0.1:2737; repeatable. Lists and objects are JSON
  --secret NAME         a secret setting, such as apiKey, from standard input; on a terminal you are asked for it
  --secret NAME=VAR     the same from the environment variable VAR; repeatable
  --per-day N           source characters that it may translate in a UTC day; none for no limit
  --per-job N           the same for one job; when a limit is reached, work waits`

type Property = {
  readonly type?: string
  readonly writeOnly?: boolean
  readonly enum?: readonly unknown[]
}
type Schema = { readonly properties?: Readonly<Record<string, Property>> }

/** The settings of the type, or of its dialect. */
export function propertiesOf(
  { configSchema, dialects = [], name }: ProviderType,
  dialect: unknown,
): Readonly<Record<string, Property>> {
  const { properties = {} } = configSchema as Schema
  if (dialect === undefined) return properties
  const own = dialects.find((one) => one.dialect === dialect)
  if (own) return { ...properties, ...(own.configSchema as Schema).properties }
  if (dialects.length === 0) throw new UsageError(`${name} has no dialects.`)
  const known = dialects.map((one) => one.dialect)
  throw new UsageError(
    `There is no dialect "${dialect}".${didYouMean(String(dialect), known) || ` The dialects are ${known.join(', ')}.`}`,
  )
}

/** The settings that the flags give, in the form that the hub accepts. */
export async function configIn(
  flags: SettingFlags,
  properties: Readonly<Record<string, Property>>,
  screen: Screen,
): Promise<Record<string, unknown>> {
  const plain = (flags.set ?? []).map((given) => {
    const [name, value] = pairIn(given, '--set')
    const property = mustKnow(name, properties)
    if (property.writeOnly)
      throw new UsageError(
        `${name} is secret, and others on this machine can see arguments: use --secret ${name}.`,
      )
    if (value === undefined) throw new UsageError(`--set ${name} needs a value, such as ${name}=…`)
    return [name, typed(value, property)] as const
  })
  const asked = (flags.secret ?? []).map((given) => pairIn(given, '--secret'))
  if (asked.filter(([, variable]) => variable === undefined).length > 1)
    throw new UsageError(
      'Only one --secret can come from standard input; name a variable for the others: NAME=VAR.',
    )
  const secrets: [string, string][] = []
  for (const [name, variable] of asked) {
    if (!mustKnow(name, properties).writeOnly)
      throw new UsageError(`${name} is not secret: use --set ${name}=VALUE.`)
    secrets.push([
      name,
      variable === undefined ? await secretFromInput(name, screen) : secretIn(variable, screen),
    ])
  }
  return {
    ...(flags.dialect !== undefined && { dialect: flags.dialect }),
    ...Object.fromEntries([...plain, ...secrets]),
  }
}

function pairIn(given: string, option: string): [name: string, value?: string] {
  const [, name, , value] = /^([^=]+)(=(.*))?$/s.exec(given) ?? []
  if (name === undefined) throw new UsageError(`${option} needs a name, not "${given}".`)
  return value === undefined ? [name] : [name, value]
}

function mustKnow(name: string, properties: Readonly<Record<string, Property>>): Property {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (property) return property
  const known = Object.keys(properties)
  const names =
    known.length === 0 ? ' This type has no settings.' : ` The settings are ${known.join(', ')}.`
  throw new UsageError(`There is no setting "${name}".${didYouMean(name, known) || names}`)
}

/** What is not a number stays text, so that the hub says what is wrong with it. */
function typed(value: string, { type }: Property): unknown {
  if (type === 'integer' || type === 'number')
    return value !== '' && Number.isFinite(+value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  if (type !== 'object' && type !== 'array') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new UsageError(`"${value}" is not JSON, such as {"no":"nb"}.`)
  }
}

function secretIn(variable: string, { env }: Screen): string {
  const value = env[variable]
  if (!value) throw new UsageError(`The environment variable ${variable} is not set.`)
  return value
}

async function secretFromInput(name: string, screen: Screen): Promise<string> {
  const value = canAsk(screen)
    ? await withAsk((ask) => ask.secret(name))
    : (await buffer(process.stdin)).toString()
  const secret = value.replace(/\r?\n$/, '')
  if (secret === '')
    throw new UsageError(`Standard input is empty: it should have the value of ${name}.`)
  return secret
}

/** The limits as they will be; undefined if no flag changes them. */
export function limitsIn(
  flags: SettingFlags,
  before: ProviderLimits = {},
): ProviderLimits | undefined {
  const { 'per-day': perDay, 'per-job': perJob } = flags
  if (perDay === undefined && perJob === undefined) return undefined
  const { charactersPerDay, charactersPerJob } = before
  const day = limitOf('--per-day', perDay, charactersPerDay)
  const job = limitOf('--per-job', perJob, charactersPerJob)
  return {
    ...(day !== undefined && { charactersPerDay: day }),
    ...(job !== undefined && { charactersPerJob: job }),
  }
}

function limitOf(
  option: string,
  given: string | undefined,
  before: number | undefined,
): number | undefined {
  if (given === undefined) return before
  if (given === 'none') return undefined
  if (!/^[1-9]\d{0,11}$/.test(given))
    throw new UsageError(`${option} must be a number of characters, or none.`)
  return Number(given)
}
