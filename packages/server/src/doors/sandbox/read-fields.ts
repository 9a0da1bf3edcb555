/**
 * Reads the body of a sandbox call strictly: an object with known members, or a refusal that names
 * the wrong one.
 */
import { HubError } from '@dragoman/contract'
import { readJson } from '../http/json-body.ts'

type Fields = Readonly<Record<string, unknown>>

/** An empty body counts as an empty object. */
export function fieldsOf(body: unknown, members: readonly string[]): Fields {
  const given = Buffer.isBuffer(body) && body.length > 0 ? readJson(body) : {}
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refusal('', 'send a JSON object.')
  const unknown = Object.keys(given).find((name) => !members.includes(name))
  if (unknown !== undefined)
    throw refusal(unknown.slice(0, 100), `is unknown; the fields are ${members.join(', ')}.`)
  return given as Fields
}

/** A whole number within these bounds. */
export function wholeNumber(path: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most)
    return value
  throw refusal(path, `must be a whole number from ${least} to ${most}.`)
}

export const refusal = (path: string, message: string): HubError =>
  new HubError(
    'INVALID_REQUEST',
    { because: [path, message].filter(Boolean).join(': ') },
    { details: [{ path, message }] },
  )
