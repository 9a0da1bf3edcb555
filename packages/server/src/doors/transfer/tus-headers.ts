/** Reads the headers of a TUS 1.0.0 call, and checks each before anything is done. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { HubError } from '@dragoman/contract'
import { type Checksum, checksumBytes } from '../../domain/files/checksum.ts'
import type { Final } from '../../domain/files/concatenate.ts'
import type { Declared } from '../../domain/files/create-upload.ts'

export const tusVersion = '1.0.0'
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'concatenation',
  'termination',
  'expiration',
  'checksum',
]
export const tusMethods = ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type TusMethod = (typeof tusMethods)[number]

const chunkType = 'application/offset+octet-stream'

/**
 * The method, or the override: Java's client cannot send PATCH. Undefined if it is not a method of
 * the protocol.
 */
export function methodOf(method: string, headers: IncomingHttpHeaders): TusMethod | undefined {
  const meant = (textOf(headers, 'x-http-method-override') ?? method).toUpperCase()
  return tusMethods.find((one) => one === meant)
}

/** What a POST creates: an upload, a part of one, or the file that is made of parts. */
export function creationIn(headers: IncomingHttpHeaders): Declared | Final {
  // Some clients always send the header, even without metadata.
  const metadata = textOf(headers, 'upload-metadata') || undefined
  const values = metadata === undefined ? new Map<string, string>() : metadataIn(metadata)
  const described = { metadata, contentType: values.get('contentType') ?? values.get('filetype') }
  const concat = textOf(headers, 'upload-concat')
  if (concat !== undefined && concat !== 'partial')
    return { ...described, concat, partIds: partsIn(headers, concat) }
  return { ...described, length: lengthIn(headers), isPart: concat !== undefined }
}

function partsIn(headers: IncomingHttpHeaders, concat: string): string[] {
  const [, urls] = /^final;\s*(\S.*)$/.exec(concat) ?? []
  if (urls === undefined)
    throw wrong('Upload-Concat', 'must be partial, or final; and the URLs of the partial uploads')
  if (headers['upload-length'] !== undefined || headers['upload-defer-length'] !== undefined)
    throw wrong(
      'Upload-Length',
      'must not be sent for a final upload: its length is that of its parts',
    )
  return urls.split(/ +/).map((url) => url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')
}

/** Undefined if the client will declare the length later. */
function lengthIn(headers: IncomingHttpHeaders): number | undefined {
  const deferred = textOf(headers, 'upload-defer-length')
  if (deferred === undefined) return countIn(headers, 'upload-length')
  if (deferred !== '1') throw wrong('Upload-Defer-Length', 'must be 1')
  if (headers['upload-length'] !== undefined)
    throw wrong(
      'Upload-Defer-Length',
      'says that the length comes later, but Upload-Length is there, too; send one of them',
    )
  return undefined
}

/**
 * Whether a creation carries bytes. Some clients always send a content type, even without a body.
 */
export const bringsBytes = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() === chunkType

/** The offset of a PATCH, and the length of the upload if it was deferred until now. */
export function placeIn(headers: IncomingHttpHeaders): { offset: number; length?: number } {
  if (!bringsBytes(headers))
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given: headers['content-type']?.slice(0, 100) ?? 'missing',
      wanted: chunkType,
    })
  const offset = countIn(headers, 'upload-offset')
  return headers['upload-length'] === undefined
    ? { offset }
    : { offset, length: countIn(headers, 'upload-length') }
}

/** The length and checksum of the chunk, as far as the headers give them. */
export function chunkIn(headers: IncomingHttpHeaders): { length?: number; checksum?: Checksum } {
  if (/\bupload-checksum\b/i.test(textOf(headers, 'trailer') ?? ''))
    throw notOffered('checksum-trailer')
  const length = headers['content-length']
  const given = textOf(headers, 'upload-checksum')
  const checksum = given === undefined ? undefined : checksumIn(given)
  return { ...(length !== undefined && { length: Number(length) }), ...(checksum && { checksum }) }
}

/**
 * What is no digest of the length of its algorithm says nothing of the chunk: some clients send the
 * digest of the whole file, as hex in base64.
 */
function checksumIn(text: string): Checksum | undefined {
  const [algorithm = '', digest = '', ...more] = text.split(' ')
  if (!(algorithm === 'sha1' || algorithm === 'sha256') || more.length > 0)
    throw wrong(
      'Upload-Checksum',
      `must be an algorithm (${Object.keys(checksumBytes).join(', ')}), a space and base64`,
    )
  const bytes = Buffer.from(digest, 'base64')
  if (!isBase64(digest) || bytes.length === 0)
    throw wrong(
      'Upload-Checksum',
      `must have ${checksumBytes[algorithm]} bytes in base64 after ${algorithm}`,
    )
  return bytes.length === checksumBytes[algorithm] ? { algorithm, digest: bytes } : undefined
}

/**
 * Comma-separated pairs of a key and a base64 value, separated by a blank; a value may be missing.
 */
function metadataIn(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const pair of text.split(',')) {
    const [key = '', value = '', ...more] = pair.split(' ')
    if (!/^[!-~]+$/.test(key) || values.has(key) || !isBase64(value) || more.length > 0)
      throw wrong(
        'Upload-Metadata',
        'must be a list of distinct keys, each followed by a space and base64',
      )
    values.set(key, Buffer.from(value, 'base64').toString())
  }
  return values
}

const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

function countIn(headers: IncomingHttpHeaders, name: string): number {
  const text = textOf(headers, name) ?? ''
  if (!/^\d{1,15}$/.test(text)) throw wrong(named[name] ?? name, 'is required: a number of bytes')
  return Number(text)
}

const named: Record<string, string> = {
  'upload-length': 'Upload-Length',
  'upload-offset': 'Upload-Offset',
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const wrong = (header: string, what: string): HubError =>
  new HubError('INVALID_REQUEST', { because: `the header ${header} ${what}.` })

const notOffered = (extension: string): HubError =>
  new HubError('NOT_IMPLEMENTED', { call: `The TUS extension ${extension}` })
