/**
 * A body as a cassette keeps it: without secrets, and with names in place of the signed addresses
 * of files. A JSON body that was cut is not kept, because its secrets cannot be found. Pure.
 */
import { type CassetteBody, parseBounded } from '@dragoman/contract'
import { isSecretName, removed } from '../../process/secret-names.ts'
import type { RecordedBody } from '../engines/drivers/watched-fetch.ts'
import { nameOfTransfer } from './addresses.ts'

/** The address that URLs in a body begin with, and the word that replaces it. */
export type ReplacedUrl = { readonly url: string; readonly word: '{hub}' | '{upstream}' }

export function bodyOf(
  body: RecordedBody | undefined,
  type: string | null,
  place: ReplacedUrl,
): CassetteBody | undefined {
  if (!body) return undefined
  const { bytes, isCut } = body
  if (/\bjson\b/i.test(type ?? ''))
    return isCut ? { bytes: bytes.length, cut: true } : readJson(bytes, place)
  return { ...fileOf(bytes), ...(isCut && { cut: true as const }) }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function fileOf(bytes: Uint8Array): CassetteBody {
  try {
    return { text: strict.decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}

type Json = NonNullable<CassetteBody['json']>

function readJson(bytes: Uint8Array, place: ReplacedUrl): CassetteBody {
  try {
    const value = parseBounded(strict.decode(bytes))
    return typeof value === 'object' && value !== null
      ? { json: plain(value, place) as Json }
      : fileOf(bytes)
  } catch {
    return { bytes: bytes.length }
  }
}

const deepest = 64

function plain(value: unknown, place: ReplacedUrl, depth = 0): unknown {
  if (typeof value === 'string') return plainText(value, place)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return removed
  if (Array.isArray(value)) return value.map((item) => plain(item, place, depth + 1))
  // No prototype, so that the key `__proto__` is an ordinary key.
  const kept: Record<string, unknown> = Object.create(null)
  for (const [key, is] of Object.entries(value)) {
    const isTransfer = transferFields.has(key) && typeof is === 'string' && URL.canParse(is)
    if (isTransfer) kept[key] = transferAt(new URL(is), place)
    else kept[key] = isSecretName(key) && is !== null ? removed : plain(is, place, depth + 1)
  }
  return kept
}

const transferFields = new Set(['fmsUploadUrl', 'fmsPostMultipartUrl'])
const transferAt = (address: URL, { word }: ReplacedUrl): string =>
  `${word}/fms/${nameOfTransfer(address)}`

function plainText(text: string, place: ReplacedUrl): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? plainUrl(text, place) : text
}

/** A URL in a header or a body. A query with a secret is removed. */
export function plainUrl(text: string, place: ReplacedUrl): string {
  const address = new URL(text, place.url)
  if (/\/fms\//.test(address.pathname)) return transferAt(address, place)
  const isSigned = [...address.searchParams.keys()].some(
    (name) => isSecretName(name) || /^x-amz/i.test(name),
  )
  const whole = isSigned ? `${address.origin}${address.pathname}?${removed}` : text
  return whole.startsWith(place.url) ? place.word + whole.slice(place.url.length) : whole
}
