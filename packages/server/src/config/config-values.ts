/**
 * Parses the text of one key; undefined means that the key does not accept it. Pure, and strict: a
 * value that is almost right is refused, not guessed.
 */
import { isIP, isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { type Scope, scopes } from '@dragoman/contract'

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }

/** Bytes: `1048576`, `512MiB`, `4GiB`. */
export const size =
  (least: number) =>
  (text: string): number | undefined => {
    const [, digits, unit] = /^(\d{1,12})(KiB|MiB|GiB|TiB)?$/.exec(text) ?? []
    const bytes = Number(digits) * 1024 ** ['', 'KiB', 'MiB', 'GiB', 'TiB'].indexOf(unit ?? '')
    return bytes >= least && Number.isSafeInteger(bytes) ? bytes : undefined
  }

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text)

export const matching =
  (pattern: RegExp) =>
  (text: string): string | undefined =>
    pattern.test(text) ? text : undefined

/** Every part of a comma-separated list; undefined if one of them is bad. */
export const listOf =
  <T>(part: (text: string) => T | undefined) =>
  (text: string): T[] | undefined => {
    const values = text.split(',').map((piece) => part(piece.trim()))
    return values.every((value) => value !== undefined) ? values : undefined
  }

/** Same rule as in client-names.ts. */
export const siteName = matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/)

/**
 * A host without brackets; digits and dots that are not an IPv4 address are a mistake, not a name.
 */
export function host(text: string): string | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1]
  if (bare !== undefined) return isIPv6(bare) ? bare : undefined
  if (isIP(text)) return text
  const labels = text.split('.')
  const isName =
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    text.length <= 253
  return isName && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '') ? text : undefined
}

export function hostAndPort(text: string): { host: string; port: number } | undefined {
  const at = text.lastIndexOf(':')
  const name = text.slice(0, at)
  // A bare IPv6 address contains colons, so it needs brackets before a port.
  const found = at > 0 && !isIPv6(name) ? host(name) : undefined
  const port = wholeNumber(0, 65_535)(text.slice(at + 1))
  return found !== undefined && port !== undefined ? { host: found, port } : undefined
}

export function isLoopback(name: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(name)?.[1] ?? name
  if (isIPv4(mapped)) return mapped.startsWith('127.')
  return name.toLowerCase() === 'localhost' || (isIPv6(name) && /^(0{0,4}:)*:?0{0,3}1$/.test(name))
}

/** The host part of a URL. */
export const inUrl = (name: string): string =>
  isIPv6(name) ? `[${name.replace('%', '%25')}]` : name

export function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || /\s/.test(text)) return undefined
  return url.username || url.password || url.hash ? undefined : url
}

/** `http://host/prefix` without a trailing slash. */
export function publicUrl(text: string): string | undefined {
  const url = httpUrl(text)
  return url && !text.includes('?') ? url.href.replace(/(?<!\/)\/+$/, '') : undefined
}

export function origin(text: string): string | undefined {
  const url = httpUrl(text)
  return url && `${url.origin}/` === url.href && !text.endsWith('/') ? url.origin : undefined
}

/** `10.0.0.0/8`; a single address becomes a network of one. */
export function network(text: string): string | undefined {
  const [address = '', length, ...more] = text.split('/')
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : undefined
  if (bits === undefined || more.length > 0) return undefined
  const prefix = length === undefined ? bits : wholeNumber(0, bits)(length)
  return prefix === undefined ? undefined : `${address}/${prefix}`
}

export function trustProxy(text: string): boolean | string | undefined {
  if (text === 'true' || text === 'false') return text === 'true'
  const named = oneOf('loopback', 'linklocal', 'uniquelocal')
  return listOf((part) => named(part) ?? (network(part) && part))(text)?.join(',')
}

/** `scheme:` and an absolute path; `scheme:///path` works too. */
function pathUrl(scheme: string, text: string): string | undefined {
  const path = text.slice(scheme.length).replace(/^\/\/(?=\/)/, '')
  const isPath =
    text.startsWith(scheme) && path !== '' && !path.startsWith('//') && !path.startsWith(':')
  return isPath && !/[\0?]/.test(path) ? `${scheme}${resolve(path)}` : undefined
}

export function databaseUrl(text: string): string | undefined {
  if (text.startsWith('sqlite:')) return pathUrl('sqlite:', text)
  return text.startsWith('postgres://') || text.startsWith('postgresql://')
    ? postgresUrl(text)
    : undefined
}

/** As libpq reads it: several hosts may stand in it, separated by commas. */
function postgresUrl(text: string): string | undefined {
  const start = text.indexOf('://') + 3
  const length = text.slice(start).search(/[/?#]/)
  const end = length < 0 ? text.length : start + length
  const hosts = Math.max(start, text.slice(0, end).lastIndexOf('@') + 1)
  const names = text.slice(hosts, end).split(',')
  const isUrl = names.every((name) =>
    URL.canParse(`${text.slice(0, hosts)}${name}${text.slice(end)}`),
  )
  if (!isUrl || (names.length > 1 && names.includes(''))) return undefined
  const wanted =
    new URLSearchParams(text.slice(end).split('?')[1]).get('target_session_attrs') ?? 'any'
  return oneOf('any', 'read-write', 'primary')(wanted) && text
}

export function blobsUrl(text: string): string | undefined {
  // A real file URL is percent-encoded; `file:` with a path is literal.
  if (/^file:\/\/\/(?!\/)[^?#%]*(?:%[\da-f]{2}[^?#%]*)*$/i.test(text))
    return `file:${decodeURIComponent(text.slice(7))}`
  if (text.startsWith('file:')) return pathUrl('file:', text)
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 's3:' && url.hostname !== '' ? text : undefined
}

/** 32 bytes from hex or base64 (either alphabet, padding optional). */
export function masterKey(text: string): Buffer | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  return bytes.length === 32 ? bytes : undefined
}

/**
 * 32 random bytes have about 30 different values; fewer than 20, or equal steps between them, are
 * not random.
 */
export function isWeakKey(key: Buffer): boolean {
  const steps = new Set(
    [...key.subarray(1)].map((byte, index) => (byte - (key[index] ?? 0) + 256) % 256),
  )
  return new Set(key).size < 20 || steps.size < 5
}

/** Why the secret is too weak; undefined if it is not. */
export function weakSecret(clientId: string, secret: string): string | undefined {
  const plain = secret.toLowerCase()
  if (plain === clientId.toLowerCase() || plain === `${clientId.toLowerCase()}-secret`)
    return 'is derived from the client id'
  if (/^demo-.*-secret$/.test(plain) || /change-?_?me|password|example/.test(plain))
    return 'is well known'
  if (secret.length < 16) return 'is shorter than 16 characters'
  return new Set(secret).size < 6 ? 'has too few different characters' : undefined
}

export function claims(text: string): { site: string; client: string; scope: string } | undefined {
  const found = new Map<string, string>()
  for (const part of text.split(',')) {
    const [name, claim] = /^\s*(site|client|scope)=([^\s,=]{1,200})\s*$/.exec(part)?.slice(1) ?? []
    if (!name || !claim || found.has(name)) return undefined
    found.set(name, claim)
  }
  return {
    site: found.get('site') ?? 'site',
    client: found.get('client') ?? 'client_id',
    scope: found.get('scope') ?? 'scope',
  }
}

/**
 * A scope name that a client may send, with at most one `*` as a wildcard, and the scope it maps
 * to.
 */
export type ScopeAlias = { readonly begins: string; readonly ends?: string; readonly scope: Scope }

/** Reads a text such as `their.scope.*=content, other=provider`. */
export function scopeAliases(text: string): ScopeAlias[] | undefined {
  return listOf((part): ScopeAlias | undefined => {
    const [, begins, star, ends, name] =
      /^([^\s*=]{0,200})(?:(\*)([^\s*=]{0,200}))?=([a-z]{1,20})$/.exec(part) ?? []
    const scope = scopes.find((one) => one === name)
    if (begins === undefined || !scope || (begins === '' && !star)) return undefined
    return star ? { begins, ends: ends ?? '', scope } : { begins, scope }
  })(text)
}
