/**
 * Environment and file to one typed Config, or a ConfigError whose sentence names the key. What it gives back is safe
 * for its profile: nothing later has to ask again (contract, sections 10 and 11).
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { type Duration, limits, parseDuration } from '@dragoman/contract'
import { type ConfigKey, configKeys } from './config-keys.ts'
import * as value from './config-values.ts'

export { type ConfigKey, configKeys, configPage } from './config-keys.ts'
export { inUrl, isLoopback } from './config-values.ts'

export type Profile = 'sandbox' | 'staging' | 'production'

export type Config = {
  readonly profile: Profile
  /** Without brackets, also for IPv6. */
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly data: string
  /** `sqlite:/absolute/path` or `postgres://…`. */
  readonly databaseUrl: string
  /** `file:/absolute/path` or `s3://…`. */
  readonly blobsUrl: string
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Absent only with SQLite: the key then lies in the data folder. */
  readonly masterKey?: Buffer
  readonly bootstrap?: { readonly clientId: string; readonly secret: string }
  readonly trustProxy: boolean | string
  readonly listenerAllow: readonly string[]
  readonly rateLimit: number | 'off'
  readonly connections: { readonly all: number; readonly byAddress: number | 'off' }
  readonly tokenSeconds: number
  readonly archiveAfter: Duration
  readonly transferLife: Duration
  readonly downloadLife: Duration
  readonly soapNamespace: string
  readonly corsOrigins: readonly string[]
  readonly scopeAliases: readonly value.ScopeAlias[]
  readonly outsideIssuer?: {
    readonly issuer: string
    readonly jwksUrl: string
    readonly audience: string
    readonly claims: { readonly site: string; readonly client: string; readonly scope: string }
  }
  readonly drainDelayMs: number
  readonly logLevel: string
  readonly metrics?: { readonly host: string; readonly port: number }
}

/** The start is refused; the message is all that the operator needs to read. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Env = Readonly<Record<string, string | undefined>>

/** `usualProfile` holds where neither the environment nor the file names one: `npm start` says sandbox. */
export function readConfig(env: Env, usualProfile: Profile = 'production'): Config {
  const given = gather(env)
  /** The value of a key, undefined when it was not given, refused when it is not what the key wants. */
  const read = <T>(key: ConfigKey, reads: (text: string) => T | undefined): T | undefined => {
    const text = given.get(key)
    if (text === undefined) return undefined
    const found = reads(text)
    if (found === undefined) throw new ConfigError(`${key} ${shown(key, text)}; it must be ${configKeys[key].wants}.`)
    return found
  }
  const profile = read('DRAGOMAN_PROFILE', value.oneOf('sandbox', 'staging', 'production')) ?? usualProfile
  const data = resolve(read('DRAGOMAN_DATA', value.matching(/^[^\0]+$/)) ?? 'data')
  const publicUrl = read('DRAGOMAN_PUBLIC_URL', value.publicUrl)
  const tls = readTls(given)
  const masterKey = read('DRAGOMAN_MASTER_KEY', value.masterKey)
  const [clientId, secret] = together(
    ['DRAGOMAN_BOOTSTRAP_CLIENT_ID', read('DRAGOMAN_BOOTSTRAP_CLIENT_ID', value.matching(/^[\w.-]{1,100}$/))],
    ['DRAGOMAN_BOOTSTRAP_CLIENT_SECRET', read('DRAGOMAN_BOOTSTRAP_CLIENT_SECRET', value.matching(/^[^\0]{1,1000}$/))],
  )
  const metrics = read('DRAGOMAN_METRICS', value.hostAndPort)
  const outsideIssuer = readIssuer(read)
  const config: Config = {
    profile,
    host: read('DRAGOMAN_HOST', value.host) ?? '127.0.0.1',
    port: read('DRAGOMAN_PORT', value.wholeNumber(0, 65_535)) ?? 8080,
    ...(publicUrl !== undefined && { publicUrl }),
    data,
    databaseUrl: read('DRAGOMAN_DATABASE_URL', value.databaseUrl) ?? `sqlite:${resolve(data, 'dragoman.db')}`,
    blobsUrl: read('DRAGOMAN_BLOBS_URL', value.blobsUrl) ?? `file:${resolve(data, 'blobs')}`,
    ...(tls && { tls }),
    ...(masterKey && { masterKey }),
    ...(clientId !== undefined && secret !== undefined && { bootstrap: { clientId, secret } }),
    trustProxy: read('DRAGOMAN_TRUST_PROXY', value.trustProxy) ?? false,
    listenerAllow:
      read('DRAGOMAN_LISTENER_ALLOW', value.listOf(value.network)) ??
      (profile === 'sandbox' ? ['127.0.0.0/8', '::1/128'] : []),
    rateLimit: read('DRAGOMAN_RATE_LIMIT', numberOrOff(100_000)) ?? usualRate[profile],
    connections: {
      all: read('DRAGOMAN_CONNECTIONS', value.wholeNumber(10, 1_000_000)) ?? 5_000,
      byAddress:
        read('DRAGOMAN_CONNECTIONS_PER_ADDRESS', numberOrOff(1_000_000)) ?? (profile === 'sandbox' ? 'off' : 250),
    },
    tokenSeconds: read('DRAGOMAN_TOKEN_SECONDS', value.wholeNumber(1, 86_400)) ?? 3600,
    archiveAfter: read('DRAGOMAN_ARCHIVE_AFTER', duration) ?? { count: 6, unit: 'mo' },
    transferLife: read('DRAGOMAN_TRANSFER_LIFE', duration) ?? { count: 24, unit: 'h' },
    downloadLife: read('DRAGOMAN_DOWNLOAD_LIFE', duration) ?? { count: 15, unit: 'm' },
    soapNamespace:
      read('DRAGOMAN_SOAP_NAMESPACE', value.matching(/^[a-z][a-z0-9+.-]*:[^\s<>"']+$/i)) ??
      'urn:dragoman:project-settings',
    corsOrigins: read('DRAGOMAN_CORS_ORIGINS', value.listOf(value.origin)) ?? [],
    scopeAliases: read('DRAGOMAN_SCOPE_ALIASES', value.scopeAliases) ?? [],
    ...(outsideIssuer && { outsideIssuer }),
    drainDelayMs: read('DRAGOMAN_DRAIN_DELAY', drainDelay) ?? (profile === 'sandbox' ? 0 : 5_000),
    logLevel: read('DRAGOMAN_LOG_LEVEL', value.oneOf(...logLevels)) ?? 'info',
    ...(metrics && { metrics }),
  }
  mustBeSafe(config)
  return config
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const usualRate = {
  sandbox: 'off',
  staging: limits.stagingCallsPerSecond,
  production: limits.productionCallsPerSecond,
} as const
const numberOrOff = (most: number) => (text: string) => (text === 'off' ? text : value.wholeNumber(1, most)(text))
const duration = (text: string) => {
  const found = parseDuration(text)
  return found && found.count > 0 ? found : undefined
}

/** What is left of the 30 s that a stop may take is for running calls and for closing the stores. */
const drainDelay = (text: string) => {
  const found = /^\d{1,2}s$/.test(text) ? Number(text.slice(0, -1)) * 1_000 : Number.NaN
  return found <= 15_000 ? found : undefined
}

/** The keys of the file and, over them, those of the environment. */
function gather(env: Env): Map<string, string> {
  const given = new Map<string, string>()
  const path = env.DRAGOMAN_CONFIG
  if (path) for (const [key, text] of readFileKeys(path)) given.set(key, text)
  for (const [key, text] of Object.entries(env)) {
    if (!key.startsWith('DRAGOMAN_') || key.startsWith('DRAGOMAN_TEST_')) continue
    if (!Object.hasOwn(configKeys, key))
      throw new ConfigError(`${key} in the environment is not a key of Dragoman; docs/config.md lists them.`)
    if (text) given.set(key, text)
  }
  return given
}

function readFileKeys(path: string): Map<string, string> {
  const refuse = (why: string) => new ConfigError(`DRAGOMAN_CONFIG names "${path}", ${why}.`)
  // Loaded only where there is a file: it would cost every start its time.
  const { parse }: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  let content: unknown
  try {
    // Every scalar stays the text that was written: a key of digits is not a number, and off is not false.
    content = parse(readFileSync(path, 'utf8'), { schema: 'failsafe', mapAsMap: true })
  } catch (error) {
    throw refuse(`which cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
  const given = new Map<string, string>()
  if (content === null || content === '') return given
  if (!(content instanceof Map)) throw refuse('which must hold keys and values')
  for (const [key, held] of content) {
    if (typeof key !== 'string' || !Object.hasOwn(configKeys, key) || key === 'DRAGOMAN_CONFIG')
      throw refuse(`where ${String(key)} is not a key of Dragoman that a file may hold; docs/config.md lists them`)
    const text = Array.isArray(held) ? held.join(',') : held
    if (typeof text !== 'string') throw refuse(`where the value of ${key} is neither text nor a list`)
    if (text) given.set(key, text)
  }
  return given
}

const shown = (key: ConfigKey, text: string): string =>
  'secret' in configKeys[key] ? 'has a bad value' : `is ${JSON.stringify(text.slice(0, 200))}`

/** Both or neither. */
function together<A, B>(...pair: [[ConfigKey, A | undefined], [ConfigKey, B | undefined]]): [A?, B?] {
  const [[first, a], [second, b]] = pair
  if ((a === undefined) !== (b === undefined)) {
    const [missing, there] = a === undefined ? [first, second] : [second, first]
    throw new ConfigError(`${missing} is missing: it goes with ${there}.`)
  }
  return [a, b]
}

function readTls(given: Map<string, string>): Config['tls'] {
  const [certPath, keyPath] = together(
    ['DRAGOMAN_TLS_CERT', given.get('DRAGOMAN_TLS_CERT')],
    ['DRAGOMAN_TLS_KEY', given.get('DRAGOMAN_TLS_KEY')],
  )
  if (certPath === undefined || keyPath === undefined) return undefined
  const read = <T>(key: ConfigKey, path: string, reads: (pem: string) => T): [string, T] => {
    try {
      const pem = readFileSync(path, 'utf8')
      return [pem, reads(pem)]
    } catch {
      throw new ConfigError(`${key} is ${JSON.stringify(path)}; it must be ${configKeys[key].wants}.`)
    }
  }
  const [cert, certificate] = read('DRAGOMAN_TLS_CERT', certPath, (pem) => new X509Certificate(pem))
  const [key, privateKey] = read('DRAGOMAN_TLS_KEY', keyPath, (pem) => createPrivateKey(pem))
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError('DRAGOMAN_TLS_KEY is not the private key of the certificate in DRAGOMAN_TLS_CERT.')
  return { cert, key }
}

function readIssuer(read: <T>(key: ConfigKey, reads: (text: string) => T | undefined) => T | undefined) {
  const issuer = read('DRAGOMAN_ISSUER', (text) => value.httpUrl(text) && text)
  const jwksUrl = read('DRAGOMAN_ISSUER_JWKS', (text) => value.httpUrl(text)?.href)
  const audience = read('DRAGOMAN_ISSUER_AUDIENCE', value.matching(/^\S{1,500}$/))
  const claims = read('DRAGOMAN_ISSUER_CLAIMS', value.claims)
  if ([issuer, jwksUrl, audience, claims].every((part) => part === undefined)) return undefined
  if (issuer === undefined || jwksUrl === undefined || audience === undefined) {
    const missing =
      issuer === undefined ? 'DRAGOMAN_ISSUER' : jwksUrl === undefined ? 'DRAGOMAN_ISSUER_JWKS' : undefined
    throw new ConfigError(`${missing ?? 'DRAGOMAN_ISSUER_AUDIENCE'} is missing: an outside issuer needs it.`)
  }
  return { issuer, jwksUrl, audience, claims: claims ?? { site: 'site', client: 'client_id', scope: 'scope' } }
}

function mustBeSafe(config: Config): void {
  const { profile, masterKey, bootstrap, outsideIssuer } = config
  if (!config.databaseUrl.startsWith('sqlite:') && !masterKey)
    throw new ConfigError('DRAGOMAN_MASTER_KEY is missing: PostgreSQL needs it, the same on every node.')
  if (profile === 'sandbox') {
    mustBeLoopback('DRAGOMAN_HOST', config.host)
    if (config.metrics) mustBeLoopback('DRAGOMAN_METRICS', config.metrics.host)
    return
  }
  if (masterKey && value.isWeakKey(masterKey))
    throw new ConfigError(`DRAGOMAN_MASTER_KEY is not random; it must be ${configKeys.DRAGOMAN_MASTER_KEY.wants}.`)
  const why = bootstrap && value.weakSecret(bootstrap.clientId, bootstrap.secret)
  if (why)
    throw new ConfigError(
      `DRAGOMAN_BOOTSTRAP_CLIENT_SECRET ${why}: the ${profile} profile refuses it. (\`openssl rand -base64 32\` makes a good one.)`,
    )
  const jwks = outsideIssuer && new URL(outsideIssuer.jwksUrl)
  if (jwks?.protocol === 'http:' && !value.isLoopback(jwks.hostname.replace(/^\[|\]$/g, '')))
    throw new ConfigError(
      `DRAGOMAN_ISSUER_JWKS is "${jwks.href}"; it must be ${configKeys.DRAGOMAN_ISSUER_JWKS.wants}.`,
    )
}

function mustBeLoopback(key: ConfigKey, host: string): void {
  if (!value.isLoopback(host))
    throw new ConfigError(`${key} says "${host}", but the sandbox has well-known secrets and listens on loopback only.`)
}
