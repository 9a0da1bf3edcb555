/**
 * What the call log may keep of a body: at most 16 KiB of text without a secret, token, password,
 * signed URL or JWT. Secrets are recognised by their field name and by their shape. If the text
 * cannot be parsed (cut, malformed), everything after the first suspicious name is dropped: a parse
 * error never leaks a secret.
 */

import { decodeUri } from '../../process/parse.ts'
import { isSecretName, removed, secretWord } from '../../process/secret-names.ts'

export const storedBytes = 16 * 1024
/** Only this many characters are examined; more could not be kept anyway. */
const lookedAt = 64 * 1024
const deepest = 32
const secretNames = new RegExp(secretWord, 'i')
/** A header or a member that may hold a signed URL. */
const isSecret = (name: string): boolean => isSecretName(name) || /^location$/i.test(name)

const pem = /-----BEGIN[^-]{0,60}-----[\s\S]*?(?:-----END[^-]{0,60}-----|$)/g
const url = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]*/gi
const transferPath = /\/fms\/[^\s"'<>]*/gi
const parameter = new RegExp(
  `([?&;][\\w.-]{0,40}(?:${secretWord}|sig|x-amz)[\\w.-]{0,40}=)[^&\\s"'<>]*`,
  'gi',
)
/** `eyJ` is the base64 of `{"`: a JWT, whole or cut. */
const jwt = /(?<![A-Za-z0-9])eyJ[\w+/=-]*(?:\.[\w+/=-]*)*/g
const scheme = /\b(bearer|negotiate)\s+[^\s"',;<>]+|\b(basic|digest)\s+[\w+/=-]{6,}/gi
const assignment = new RegExp(`((?:${secretWord})[\\w-]{0,30})["'\\\\\\s]{0,6}[:=>][\\s\\S]*$`, 'i')
const element = new RegExp(`<[^<>]{0,80}(?:${secretWord})[^<>]{0,200}>[\\s\\S]*$`, 'i')
/** Our own secrets have 43 of these characters; no id on the wire has more than 36. */
const longRun = /[A-Za-z0-9_-]{40,}/g

/** Removes everything that looks like a secret. */
function removeShapes(text: string): string {
  return text
    .replace(pem, removed)
    .replace(url, plainUrl)
    .replace(transferPath, `/fms/${removed}`)
    .replace(parameter, `$1${removed}`)
    .replace(jwt, removed)
    .replace(scheme, (_, first?: string, second?: string) => `${first ?? second} ${removed}`)
    .replace(element, removed)
    .replace(assignment, `$1 ${removed}`)
    .replace(longRun, removed)
}

/** Keeps the host and path of a URL; a query, fragment or credentials may grant access. */
function plainUrl(found: string): string {
  const bare = found.replace(/[?#][\s\S]*$/, `?${removed}`).replace(/\/\/[^/@]*@/, `//${removed}@`)
  return bare.includes('/fms/') ? '[signed URL removed]' : bare
}

/** The part of the body that the log may keep; undefined if there is no body. */
export function redactBody(
  body: string | undefined,
  contentType: string | undefined,
): string | undefined {
  if (body === undefined || body === '') return undefined
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && !/json|xml|^text\/|x-www-form-urlencoded/.test(type))
    return cut(`[${type.slice(0, 80)}, not kept]`)
  if (body.length > lookedAt) return cut(redactBroken(body.slice(0, lookedAt)))
  const read = type.includes('form') ? redactForm(body) : redactJson(body)
  return cut(read ?? redactBroken(body))
}

function redactJson(body: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  return JSON.stringify(redactValue(value, 0))
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return removeShapes(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return removed
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1))
  // No prototype, so that the key `__proto__` is an ordinary key.
  const kept: Record<string, unknown> = Object.create(null)
  const says = Object.entries(value)
  const namesSecret = says.some(
    ([key, is]) => /^(?:name|key|header)$/i.test(key) && isSecretText(is),
  )
  for (const [key, is] of says) {
    const secret = isSecret(key) || (namesSecret && /^values?$/i.test(key))
    kept[removeShapes(key)] =
      secret && is !== null && typeof is !== 'boolean' ? removed : redactValue(is, depth + 1)
  }
  return kept
}

/** `{ "name": "client_secret", "value": … }`: the field name is itself a value. */
const isSecretText = (value: unknown): boolean =>
  typeof value === 'string' && /^[\w.-]{1,60}$/.test(value) && isSecret(value)

function redactForm(body: string): string | undefined {
  const pairs: string[] = []
  for (const pair of body.split('&')) {
    const at = pair.indexOf('=')
    const name = decoded(at < 0 ? pair : pair.slice(0, at))
    const value = decoded(at < 0 ? '' : pair.slice(at + 1))
    // Not a form after all: the body has the wrong content type.
    if (name === undefined || value === undefined || !/^[\w.[\]-]{0,64}$/.test(name))
      return undefined
    pairs.push(`${removeShapes(name)}=${isSecret(name) ? removed : removeShapes(value)}`)
  }
  return pairs.join('&')
}

const decoded = (text: string): string | undefined => decodeUri(text.replaceAll('+', ' '))

/**
 * For text that no parser reads: decodes every escape first, then drops everything after a secret's
 * name.
 */
function redactBroken(body: string): string {
  const plain = body
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/&#x([0-9a-f]{1,5});?/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replace(/&#([0-9]{1,6});?/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('\\/', '/')
  const at = plain.search(secretNames)
  // The last run may be the start of a secret, too short to be recognised by its shape.
  return removeShapes(at < 0 ? withoutLastRun(plain) : `${plain.slice(0, at)}${removed}`)
}

function withoutLastRun(text: string): string {
  let end = text.length
  while (end > 0 && !/[\s"]/.test(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}

/**
 * Returns at most `storedBytes` of UTF-8, with no partial character at the end and nothing that a
 * database rejects.
 */
function cut(text: string): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\uFFFD')
  const bytes = Buffer.from(clean, 'utf8')
  if (bytes.length <= storedBytes) return clean
  let end = storedBytes - 3
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return `${bytes.subarray(0, end).toString('utf8')}…`
}
