/**
 * What looks like a secret in a file of texts: a private key, a token that a service is known by,
 * or a value of a key named password, secret or token. A label such as `login.password = Password`
 * is none: a value counts if it looks like no word, or if the whole file is configuration.
 */
import type { FormatId } from '@dragoman/contract/wire'
import { headBytes, isConfiguration } from './configuration.ts'

/** Where it stands, for people; never the secret itself. */
export type FoundSecret = { readonly where: string; readonly what: string }

/** Secrets with a form of their own, wherever they stand. */
const forms: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/],
  ['an access key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,90})/],
  ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{20}/],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{10,80}/],
  ['a key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{16,99}/],
  ['a key of OpenAI or Anthropic', /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,120}/],
  ['a key of Google', /\bAIza[0-9A-Za-z_-]{35}/],
]

const secretWords =
  'password passwd pwd passphrase secret token apikey api.key access.key private.key client.secret credential credentials'.split(
    ' ',
  )

/**
 * Whether the last words of a key, or of a part of it, say that its value is secret: `db.password`,
 * `dbPassword`, `#/mail/password`.
 */
function isSecretKey(id: string): boolean {
  const parts = id
    .slice(0, 500)
    .replace(/([a-z0-9])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .replace(/[-_\s]/g, '.')
    .split('/')
  return parts.some((key) => secretWords.some((word) => key === word || key.endsWith(`.${word}`)))
}

/**
 * Whether this is no word that people read: one run of plain characters, with digits or signs among
 * the letters or very long. `${DB_PASSWORD}` says where the secret is and is none itself.
 */
function looksSecret(value: string): boolean {
  if (/[^\x21-\x7e]|[{}<>]/.test(value) || value.length < 8) return false
  return value.length >= 32 || (/[A-Za-z]/.test(value) && /[\d$#@%^&]/.test(value))
}

export async function findSecret(
  path: string,
  bytes: Uint8Array,
  format: FormatId | undefined,
): Promise<FoundSecret | undefined> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  for (const [what, form] of forms) {
    const at = text.search(form)
    if (at >= 0) return { what, where: `line ${text.slice(0, at).split('\n').length}` }
  }
  if (format === undefined || format === 'csv') return inCells(text)
  const isConfig = isConfiguration(path, text.slice(0, headBytes))
  const { splitFile } = await import('@dragoman/text')
  for (const { id, text: value } of segmentsOf(() => splitFile(path, bytes, { format }))) {
    const isSecret = isConfig ? value.trim() !== '' && !isBlank(value) : looksSecret(value.trim())
    if (isSecret && isSecretKey(id))
      return { what: 'a value that looks like a secret', where: id.replaceAll(value, '…') }
  }
  return undefined
}

const isBlank = (value: string): boolean => /^\$\{[^}]*\}$/.test(value.trim())

/** Tables and files of no known format: a key, and the value in the next cell of its line. */
function inCells(text: string): FoundSecret | undefined {
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const cells = line
      .slice(0, longestLine)
      .split(/[=:,;|\t"']/)
      .filter((cell) => cell.trim() !== '')
    const isFound = cells.some(
      (cell, of) => isSecretKey(cell.trim()) && looksSecret((cells[of + 1] ?? '').trim()),
    )
    if (isFound) return { what: 'a value that looks like a secret', where: `line ${at + 1}` }
  }
  return undefined
}

/** A key stands near the beginning of its line. */
const longestLine = 2_000

/** A broken file has no texts here: the hub says what is wrong with it. */
function segmentsOf(split: () => { segments: readonly { id: string; text: string }[] }) {
  try {
    return split().segments
  } catch {
    return []
  }
}
