/**
 * Values that JSON can express and the hub cannot store: numbers beyond a double (`1e999`), integers
 * that a double changes, NUL, lone surrogates. Reading a body shows whether there are any; only then does this file look for
 * their positions.
 */
import { HubError } from '@dragoman/contract'
import {
  type Findings,
  isFull,
  openFindings,
  placeInside,
  tell,
} from '../../validation/findings.ts'

const most = 50

/** A number out of range is parsed as Infinity. */
export const isStorable = (value: unknown, escapes: boolean): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : !escapes || typeof value !== 'string' || isStorableText(value)

export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Lists the positions, up to a limit; the body has at least one. */
export function refuseUnstorable(body: unknown): never {
  const findings = openFindings(most)
  look(body, findings)
  const details = findings.list.map(({ path, message }) => ({ path, message }))
  const { path = '', message = '' } = details[0] ?? {}
  throw new HubError('INVALID_REQUEST', { because: `${path || 'it'} ${message}.` }, { details })
}

function look(value: unknown, findings: Findings): void {
  if (isFull(findings)) return
  if (!isStorable(value, true))
    tell(findings, typeof value === 'string' ? saysOf(value) : outOfRange)
  else if (Array.isArray(value))
    for (const [at, item] of value.entries())
      inside(findings, `[${at}]`, () => look(item, findings))
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value))
      inside(findings, name, () => {
        if (!isStorableText(name)) tell(findings, `is a name that ${saysOf(name)}`)
        // An entry of key-value content: its key says more than its index.
        else if (
          name === 'value' &&
          'key' in value &&
          typeof item === 'string' &&
          !isStorableText(item)
        )
          tell(findings, `${saysOf(item)} (key ${JSON.stringify(value.key)?.slice(0, 100)})`)
        else look(item, findings)
      })
}

function inside(findings: Findings, step: string, act: () => void): void {
  const before = findings.list.length
  act()
  if (findings.list.length > before) placeInside(findings, before, step)
}

const outOfRange = 'is a number that is out of range: the maximum is 1.7976931348623157e308'

function saysOf(text: string): string {
  if (text.includes('\0')) return 'contains the character NUL (U+0000), which is not allowed'
  const half = [...text].find((letter) => !letter.isWellFormed()) ?? ''
  return `contains half of a surrogate pair (U+${half.charCodeAt(0).toString(16).toUpperCase()}), which is not a character`
}

/** Refuses JSON with an integer that would be stored as another one, such as 9007199254740993. */
export function mustKeepIntegers(json: string): void {
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfText(json, at)
    else if (code === minus || isDigit(code)) {
      const from = at
      while (isOfNumber(json.charCodeAt(at + 1))) at += 1
      mustKeep(json.slice(from, at + 1))
    }
  }
}

function mustKeep(written: string): void {
  const value = Number(written)
  if (!/^-?\d{16,}$/.test(written) || !Number.isFinite(value)) return
  if (BigInt(written) === BigInt(value)) return
  throw new HubError('INVALID_REQUEST', {
    because: `the number ${written.slice(0, 50)} is too large to be kept exactly; send it as a text, "${written.slice(0, 50)}".`,
  })
}

const [quote, minus, backslash] = [0x22, 0x2d, 0x5c]
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
/** Digits, point, signs and exponent. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === 0x2e || code === 0x2b || code === minus || (code | 0x20) === 0x65

/** The place of the quote that ends the text. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote) return at
  }
  return json.length
}
