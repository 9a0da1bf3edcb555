/**
 * Expensive JSON bodies: millions of the same small value, names and texts that are all different,
 * nesting, escapes. Each is repeated as often as fits, and as often as the limits allow.
 */
import { limits } from '@dragoman/contract'

export type Form = 'list' | 'object' | 'text'
export type Filler = {
  readonly name: string
  readonly form: Form
  readonly unit: (at: number) => string
  /** How many values a unit counts as. */
  readonly values: number
}

const list = (name: string, values: number, unit: Filler['unit']): Filler => ({
  name,
  form: 'list',
  values,
  unit,
})
const named = (name: string, unit: Filler['unit']): Filler => ({
  name,
  form: 'object',
  values: 1,
  unit,
})
const text = (name: string, unit: string): Filler => ({
  name,
  form: 'text',
  values: 0,
  unit: () => unit,
})

const tenNames = (at: number): string =>
  Array.from({ length: 10 }, (_, which) => `"${at.toString(36)}${which}k":1`).join(',')

export const fillers: readonly Filler[] = [
  list('empty objects', 2, () => '{}'),
  list('empty lists', 2, () => '[]'),
  list('nested lists', 41, () => '['.repeat(40) + ']'.repeat(40)),
  list('numbers', 1, () => '1'),
  list('long numbers', 1, () => `-1.${'123456789'.repeat(100)}e-99`),
  list('equal texts', 1, () => '"a"'),
  list('different texts', 1, (at) => `"t${at}"`),
  list('equal languages', 1, () => '"de-DE"'),
  list('unknown languages', 1, (at) => `"xx-${at}"`),
  list('objects of ten names', 11, (at) => `{${tenNames(at)}}`),
  list('fields', 3, (at) => `{"key":"k${at}","value":"€"}`),
  list('fields of one key', 3, () => '{"key":"k","value":""}'),
  named('names', (at) => `"k${at}":1`),
  named('names of digits', (at) => `"${at * 3}":1`),
  named('one name', () => '"k":null'),
  text('a long text', 'a'),
  text('a long text of three bytes each', '€'),
  text('escaped ends of line', '\\n'),
  text('escaped letters', '\\u20ac'),
  text('escaped pairs', '\\ud83d\\ude00'),
  text('escaped quotes', '\\"'),
]

const brackets = { list: ['[', ']'], object: ['{', '}'], text: ['"', '"'] } as const
/** One less than the limit of a list. */
const inOne = limits.jsonItems - 1

const made = new Map<string, Buffer>()

/**
 * About so many bytes of the filler, in its brackets; `maxValues` has it fit the limits. Made once:
 * most endpoints get the same.
 */
export function fill(filler: Filler, bytes: number, maxValues = Number.POSITIVE_INFINITY): Buffer {
  const key = `${filler.name} ${bytes} ${maxValues}`
  const known = made.get(key) ?? Buffer.from(textOf(filler, bytes, maxValues))
  made.set(key, known)
  return known
}

function textOf(filler: Filler, bytes: number, maxValues: number): string {
  const [open, close] = brackets[filler.form]
  if (filler.form === 'text')
    return open + repeat(filler.unit(0), textBytes(bytes, maxValues)) + close
  if (maxValues === Number.POSITIVE_INFINITY) return open + tooMany(filler, bytes) + close
  const most = Math.floor((maxValues - 100) / filler.values)
  const parts: string[] = []
  let length = 0
  for (let at = 0; at < most && length < bytes - 100; at += 1) {
    const unit = filler.unit(at)
    const ends = at > 0 && at % inOne === 0
    const between = ends ? close + (filler.form === 'list' ? ',[' : `,"${at}x":{`) : ','
    if (at > 0) parts.push(between)
    parts.push(unit)
    length += Buffer.byteLength(unit) + 1
  }
  const all = open + parts.join('') + close
  return filler.form === 'list' ? `[${all}]` : `{"x":${all}}`
}

/** More units than a list may have, then the same ones again: nobody reads so far. */
function tooMany({ unit }: Filler, bytes: number): string {
  const units: string[] = []
  for (let [at, length] = [0, 0]; at <= limits.jsonItems && length < bytes - 100; at += 1) {
    const one = unit(at)
    units.push(one)
    length += one.length + 1
  }
  const block = units.join(',')
  return Array.from(
    { length: Math.max(1, Math.floor((bytes - 100) / (block.length + 1))) },
    () => block,
  ).join(',')
}

const textBytes = (bytes: number, maxValues: number): number =>
  maxValues < Number.POSITIVE_INFINITY ? Math.min(bytes, limits.jsonTextBytes) : bytes

const repeat = (unit: string, bytes: number): string =>
  unit.repeat(Math.floor((bytes - 100) / Buffer.byteLength(unit)))

/** Not JSON, or nothing but its skeleton. */
export const skeletons: Readonly<Record<string, (bytes: number) => string>> = {
  'deep lists': (bytes) => '['.repeat(bytes),
  'deep objects': (bytes) => '{"a":'.repeat(bytes / 5),
  'closing brackets': (bytes) => ']'.repeat(bytes),
  spaces: (bytes) => ' '.repeat(bytes),
  commas: (bytes) => `[${','.repeat(bytes - 2)}]`,
  colons: (bytes) => `{${':'.repeat(bytes - 2)}}`,
  'an open text': (bytes) => `"${'a'.repeat(bytes - 1)}`,
  'one number': (bytes) => '1'.repeat(bytes),
  'spaces in a list': (bytes) => `[1,${' '.repeat(bytes - 5)}2]`,
  'wrong letters at the end': (bytes) => `[${'1,\n'.repeat(bytes / 3 - 9)}x]`,
}
