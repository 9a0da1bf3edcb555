/**
 * The headers of a form part: its name, and whether it is a file. Nothing else in them is trusted.
 * Pure.
 */
import { HubError } from '@dragoman/contract'

export type PartHead = {
  readonly name: string
  /** True for the part named `file`, and for every other part with a file name. */
  readonly isFile: boolean
}

/**
 * Encodings that leave the bytes as they are (RFC 2045); others do not belong in forms (RFC 7578,
 * section 4.7).
 */
const plainEncodings = ['', '7bit', '8bit', 'binary']

export function headOf(text: string): PartHead {
  // A line that starts with a blank continues the previous one.
  const lines = text.replace(/\r\n[\t ]/g, ' ').split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw broken('the headers of a part contain an invalid line.')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const disposition = headers.get('content-disposition') ?? ''
  const name = /^form-data[\t ]*;/i.test(disposition) ? parameterOf(disposition, 'name') : undefined
  if (name === undefined)
    throw broken('it has a part without a name; send the file in a part named "file".')
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  if (!plainEncodings.includes(encoding))
    throw broken(`a part is encoded as ${encoding.slice(0, 50)}; send its bytes unencoded.`)
  const hasFileName = ['filename', 'filename*'].some(
    (one) => parameterOf(disposition, one) !== undefined,
  )
  return { name, isFile: name === 'file' || hasFileName }
}

/**
 * A parameter of `value; name=text; name="quoted text"`: the first of that name, ignoring case. One
 * pass over the text.
 */
export function parameterOf(header: string, wanted: string): string | undefined {
  let at = header.indexOf(';')
  while (at >= 0 && at < header.length) {
    const equals = header.indexOf('=', at)
    if (equals < 0) return undefined
    const between = header.slice(at, equals)
    const name = between.slice(between.lastIndexOf(';') + 1).trim()
    const value = valueAt(header, equals + 1)
    if (name.toLowerCase() === wanted) return value.text
    at = value.end
  }
  return undefined
}

function valueAt(header: string, from: number): { text: string; end: number } {
  let at = from
  while (header[at] === ' ' || header[at] === '\t') at += 1
  if (header[at] !== '"') {
    const semicolon = header.indexOf(';', at)
    const end = semicolon < 0 ? header.length : semicolon
    return { text: header.slice(at, end).trim(), end }
  }
  // In runs: adding letter to letter would leave an object for each to collect.
  const runs: string[] = []
  let start = at + 1
  for (at = start; at < header.length && header[at] !== '"'; at += 1) {
    if (header[at] !== '\\' || at + 1 >= header.length) continue
    runs.push(header.slice(start, at))
    at += 1
    start = at
  }
  return { text: [...runs, header.slice(start, at)].join(''), end: at + 1 }
}

export const broken = (because: string): HubError =>
  new HubError('INVALID_REQUEST', { because: `the form cannot be read: ${because}` })
