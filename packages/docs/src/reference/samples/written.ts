/**
 * What the code of every language is made from: the address, quoted texts and values written as
 * literals.
 */
import type { SampleCall, SampleName } from './sample-call.ts'

export type CodeOptions = {
  /** The URL of the hub, with its path prefix if it has one. */
  readonly baseUrl: string
  /** A literal token. Without it the code reads the environment variable TOKEN. */
  readonly token?: string
  /** What the SDK connects with. Without them the code reads CLIENT_ID and CLIENT_SECRET. */
  readonly clientId?: string
  readonly clientSecret?: string
}

/** The full URL, with its query. */
export function addressOf({ path, query }: SampleCall, { baseUrl }: CodeOptions): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  const text = pairs
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
    .join('&')
  return `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}${path}${text && `?${text}`}`
}

/** Whether the call authenticates with a bearer token. */
export const isAuthorized = ({ send }: SampleCall): boolean => send === undefined

/** Turns `createJob` into `CreateJob`. */
export const classNameOf = (name: SampleName): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** A text in double quotes, which JSON, Python, Java and C# read the same way. */
export const quoted = (text: string): string => JSON.stringify(text)

export const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

export const formOf = (body: unknown): [string, string][] =>
  Object.entries(body as Record<string, string>).map(([name, value]) => [name, String(value)])

/** How a language writes lists, maps, and true, false and null. */
export type Literals = {
  readonly list: readonly [string, string]
  readonly map: readonly [string, string]
  readonly arrow: string
  readonly words: Readonly<Record<string, string>>
  readonly text: (text: string) => string
  readonly indent: string
  /** Whether a comma may follow the last member. */
  readonly comma?: false
}

/** A value as a literal: on one line if it is short, otherwise with one member per line. */
export function literal(value: unknown, how: Literals, width = 70): string {
  if (typeof value === 'string') return how.text(value)
  if (typeof value !== 'object' || value === null) return how.words[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? how.list : how.map
  const members = Object.entries(value).map(
    ([name, one]) => `${isList ? '' : `${how.text(name)}${how.arrow}`}${literal(one, how, width)}`,
  )
  if (members.length === 0) return `${open.trim()}${close.trim()}`
  const line = `${open}${members.join(', ')}${close}`
  if (line.length <= width && !line.includes('\n')) return line
  const lines = members.map((one) => `${how.indent}${indented(one, how.indent)}`).join(',\n')
  return `${open.trim()}\n${lines}${how.comma === false ? '' : ','}\n${close.trim()}`
}

const json: Literals = {
  list: ['[', ']'],
  map: ['{ ', ' }'],
  arrow: ': ',
  words: {},
  text: quoted,
  indent: '  ',
  comma: false,
}

/** JSON for people: on several lines if it is long. */
export const jsonOf = (value: unknown): string => literal(value, json)
