/**
 * What follows a number and makes it more: `2.6 million`, `260万`, `25 लाख`, `10 mil millones`. Only
 * a few words are read for each number.
 */
import type { Language } from './language.ts'
import { isSigns } from './spelled-numbers.ts'
import { lexiconOf } from './spelled-words.ts'

export type Scale = { readonly power: number; readonly end: number }
type Scaled = {
  readonly raw: string
  readonly value: string
  readonly digits?: string
  readonly at?: number
}

const longest = 24

/** The words after `from`; undefined if the first is no power of ten. */
export function scaleAt(text: string, from: number, { base }: Language): Scale | undefined {
  const lexicon = lexiconOf(base)
  if (!lexicon) return undefined
  let scale: Scale | undefined
  for (let count = 0, at = from; count < 3; count += 1) {
    const start = afterBlanks(text, at)
    let end = start + 1
    if (!isSigns(base)) while (end - start < longest && isLetter.test(text.charAt(end))) end += 1
    const word = text.slice(start, end).toLowerCase()
    const power = lexicon.exact.get(word)?.power ?? stemPower(lexicon.stems, word)
    if (power === undefined || (power < 2 && !isSigns(base))) break
    scale = { power: power + (scale?.power ?? 0), end }
    at = end
  }
  return scale
}

const isLetter = /[\p{L}\p{M}]/u

function stemPower(
  stems: ReadonlyMap<string, { readonly power?: number }>,
  word: string,
): number | undefined {
  for (let length = word.length; length > 1; length -= 1) {
    const found = stems.get(word.slice(0, length))
    if (found) return found.power
  }
  return undefined
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at - from < 2 && /[\s-]/.test(text.charAt(at))) at += 1
  return at
}

/** The value times ten to the power, exactly. */
export function shifted(value: string, power: number): string {
  const [whole = '', decimals = ''] = value.split('.', 2)
  const digits = decimals.slice(0, power).padEnd(power, '0')
  const rest = decimals.slice(power)
  const integer = `${whole}${digits}`.replace(/^0+(?=\d)/, '')
  return rest === '' ? integer : `${integer}.${rest}`
}

/** `1万2千` and `7 लाख 83 हजार` are one number. */
export function sumOf<Found extends Scaled>(
  found: readonly Found[],
  text: string,
  { base }: Language,
): Found[] {
  if (!sums.has(base)) return [...found]
  const all: Found[] = []
  for (const one of found) {
    const before = all.at(-1)
    const sum = before && joined(before, one, text)
    if (sum) all[all.length - 1] = sum
    else all.push(one)
  }
  return all
}

const sums = new Set('zh ja ko yue wuu hi ne bn ur mr gu pa si'.split(' '))

function joined<Found extends Scaled>(before: Found, one: Found, text: string): Found | undefined {
  if (before.digits === undefined || before.at === undefined || one.at === undefined)
    return undefined
  const end = before.at + before.raw.length
  if (one.at - end > 2 || text.slice(end, one.at).trim() !== '') return undefined
  const [more, less] = [Number(before.value), Number(one.value)]
  const scale = 10 ** zerosAtEnd(before.value)
  if (less >= scale || !Number.isSafeInteger(more + less)) return undefined
  return {
    ...before,
    raw: text.slice(before.at, one.at + one.raw.length),
    value: String(more + less),
  }
}

function zerosAtEnd(value: string): number {
  let zeros = 0
  while (value.charAt(value.length - 1 - zeros) === '0') zeros += 1
  return zeros
}
