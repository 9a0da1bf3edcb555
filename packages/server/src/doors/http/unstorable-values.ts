/**
 * Values that JSON can express and the hub cannot store: numbers beyond a double (`1e999`), NUL,
 * lone surrogates. Reading a body shows whether there are any; only then does this file look for
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
