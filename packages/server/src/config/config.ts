/**
 * Turns environment and file into one typed Config, or throws a ConfigError whose sentence names
 * the key. The result is safe for its profile: nothing later has to check again (contract, sections
 * 10 and 11).
 */
import { resolve } from 'node:path'
import { type Duration, limits, parseDuration, quotas } from '@dragoman/contract'
import { type ConfigKey, configKeys } from './config-keys.ts'
import { mustBeSafePeople, type PeopleConfig, readPeople } from './config-people.ts'
import { ConfigError, type Env, gather } from './config-sources.ts'
import { readTls, type Tls, together } from './config-tls.ts'
import * as value from './config-values.ts'

export { type ConfigKey, configKeys, configPage } from './config-keys.ts'
export { ConfigError, type Env } from './config-sources.ts'
export { inUrl, isLoopback } from './config-values.ts'

export type Profile = 'sandbox' | 'staging' | 'production'

export type Config = PeopleConfig & {
  readonly profile: Profile
  /** An IPv6 address has no brackets here. */
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  /** Names besides that of the public URL. */
  readonly hosts: readonly string[]
  readonly data: string
  /** `sqlite:/absolute/path` or `postgres://…`. */
  readonly databaseUrl: string
  /** `file:/absolute/path` or `s3://…`. */
  readonly blobsUrl: string
  readonly tls?: Tls
  /** Absent only with SQLite: the key is then in the data folder. */
  readonly masterKey?: Buffer
  /** Whether new content is sealed. */
  readonly sealContent: boolean
  readonly bootstrap?: {
    readonly clientId: string
    readonly secret: string
    readonly scope: 'admin' | 'operator'
  }
  readonly trustProxy: boolean | string
  readonly listenerAllow: readonly string[]
  readonly siteBytes: number
  /** Sites whose deliveries must not differ from their sources; `all` for every site. */
  readonly strictDeliveries: readonly string[]
  readonly freeSpace: number | undefined
  readonly rateLimit: number | 'off'
  readonly clientRateLimit: number | 'off'
  readonly connections: { readonly all: number; readonly byAddress: number | 'off' }
  readonly tokenSeconds: number
  readonly archiveAfter: Duration
  /** After so many months in the archive a job is removed; absent: it stays. */
  readonly retentionMonths?: number
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
  readonly callLogBytes: number
  readonly auditRows: number
  readonly backupExpected?: Duration
  readonly metrics?: { readonly host: string; readonly port: number }
}

/** The scopes that deployed clients ask for, so that they can try the sandbox as they are. */
const deployedScopes: readonly value.ScopeAlias[] = [
  { begins: 'contentapi.contentv2.', ends: '', scope: 'content' },
  { begins: 'contentapi.providerv2.', ends: '', scope: 'provider' },
]

/**
 * `usualProfile` applies if neither the environment nor the file names one: `npm start` passes
 * sandbox.
 */
export function readConfig(env: Env, usualProfile: Profile = 'production'): Config {
  const given = gather(env)
  /** The parsed value of a key: undefined if not set, an error if not acceptable. */
  const read = <T>(key: ConfigKey, reads: (text: string) => T | undefined): T | undefined => {
    const text = given.get(key)
    if (text === undefined) return undefined
    const found = reads(text)
    if (found === undefined)
      throw new ConfigError(`${key} ${shown(key, text)}; it must be ${configKeys[key].wants}.`)
    return found
  }
  const profile =
    read('DRAGOMAN_PROFILE', value.oneOf('sandbox', 'staging', 'production')) ?? usualProfile
  const data = resolve(read('DRAGOMAN_DATA', value.matching(/^[^\0]+$/)) ?? 'data')
  const publicUrl = read('DRAGOMAN_PUBLIC_URL', value.publicUrl)
  const tls = readTls(given)
  const masterKey = read('DRAGOMAN_MASTER_KEY', value.masterKey)
  const [clientId, secret] = together(
    [
      'DRAGOMAN_BOOTSTRAP_CLIENT_ID',
      read('DRAGOMAN_BOOTSTRAP_CLIENT_ID', value.matching(/^[\w.-]{1,100}$/)),
    ],
    [
      'DRAGOMAN_BOOTSTRAP_CLIENT_SECRET',
      read('DRAGOMAN_BOOTSTRAP_CLIENT_SECRET', value.matching(/^[^\0]{1,1000}$/)),
    ],
  )
  const scope = read('DRAGOMAN_BOOTSTRAP_SCOPE', value.oneOf('admin', 'operator')) ?? 'admin'
  const retentionMonths = read('DRAGOMAN_RETENTION_MONTHS', value.wholeNumber(1, 1_200))
  const metrics = read('DRAGOMAN_METRICS', value.hostAndPort)
  const backupExpected = read('DRAGOMAN_BACKUP_EXPECTED', duration)
  const outsideIssuer = readIssuer(read)
  const config: Config = {
    profile,
    host: read('DRAGOMAN_HOST', value.host) ?? '127.0.0.1',
    port: read('DRAGOMAN_PORT', value.wholeNumber(0, 65_535)) ?? 8080,
    ...(publicUrl !== undefined && { publicUrl }),
    hosts: read('DRAGOMAN_HOSTS', value.listOf(value.host)) ?? [],
    data,
    databaseUrl:
      read('DRAGOMAN_DATABASE_URL', value.databaseUrl) ?? `sqlite:${resolve(data, 'dragoman.db')}`,
    blobsUrl: read('DRAGOMAN_BLOBS_URL', value.blobsUrl) ?? `file:${resolve(data, 'blobs')}`,
    ...(tls && { tls }),
    ...(masterKey && { masterKey }),
    sealContent: read('DRAGOMAN_SEAL_CONTENT', value.oneOf('on', 'off')) === 'on',
    ...(clientId !== undefined &&
      secret !== undefined && { bootstrap: { clientId, secret, scope } }),
    trustProxy: read('DRAGOMAN_TRUST_PROXY', value.trustProxy) ?? false,
    listenerAllow:
      read('DRAGOMAN_LISTENER_ALLOW', value.listOf(value.network)) ??
      (profile === 'sandbox' ? ['127.0.0.0/8', '::1/128'] : []),
    strictDeliveries: read('DRAGOMAN_STRICT_DELIVERIES', value.listOf(value.siteName)) ?? [],
    siteBytes: read('DRAGOMAN_SITE_BYTES', value.size(1024 ** 2)) ?? quotas.MaxBytesPerSite,
    freeSpace: read('DRAGOMAN_FREE_SPACE', value.size(0)),
    rateLimit: read('DRAGOMAN_RATE_LIMIT', numberOrOff(100_000)) ?? usualRate[profile],
    clientRateLimit: read('DRAGOMAN_CLIENT_RATE_LIMIT', numberOrOff(100_000)) ?? 'off',
    connections: {
      all: read('DRAGOMAN_CONNECTIONS', value.wholeNumber(10, 1_000_000)) ?? 5_000,
      byAddress:
        read('DRAGOMAN_CONNECTIONS_PER_ADDRESS', numberOrOff(1_000_000)) ??
        (profile === 'sandbox' ? 'off' : 250),
    },
    tokenSeconds: read('DRAGOMAN_TOKEN_SECONDS', value.wholeNumber(1, 86_400)) ?? 3600,
    archiveAfter: read('DRAGOMAN_ARCHIVE_AFTER', duration) ?? { count: 6, unit: 'mo' },
    ...(retentionMonths !== undefined && { retentionMonths }),
    transferLife: read('DRAGOMAN_TRANSFER_LIFE', duration) ?? { count: 24, unit: 'h' },
    downloadLife: read('DRAGOMAN_DOWNLOAD_LIFE', duration) ?? { count: 15, unit: 'm' },
    soapNamespace:
      read('DRAGOMAN_SOAP_NAMESPACE', value.matching(/^[a-z][a-z0-9+.-]*:[^\s<>"']+$/i)) ??
      'urn:dragoman:project-settings',
    corsOrigins: read('DRAGOMAN_CORS_ORIGINS', value.listOf(value.origin)) ?? [],
    scopeAliases:
      read('DRAGOMAN_SCOPE_ALIASES', value.scopeAliases) ??
      (profile === 'sandbox' ? deployedScopes : []),
    ...(outsideIssuer && { outsideIssuer }),
    drainDelayMs: read('DRAGOMAN_DRAIN_DELAY', drainDelay) ?? (profile === 'sandbox' ? 0 : 5_000),
    logLevel: read('DRAGOMAN_LOG_LEVEL', value.oneOf(...logLevels)) ?? 'info',
    callLogBytes: read('DRAGOMAN_CALL_LOG_BYTES', value.size(1024 ** 2)) ?? 1024 ** 3,
    auditRows: read('DRAGOMAN_AUDIT_ROWS', value.wholeNumber(1_000, 100_000_000)) ?? 1_000_000,
    ...(backupExpected && { backupExpected }),
    ...(metrics && { metrics }),
    ...readPeople(read),
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
const numberOrOff = (most: number) => (text: string) =>
  text === 'off' ? text : value.wholeNumber(1, most)(text)
const duration = (text: string) => {
  const found = parseDuration(text)
  return found && found.count > 0 ? found : undefined
}

/** The rest of the 30 s for a stop is for running calls and for closing the stores. */
const drainDelay = (text: string) => {
  const found = /^\d{1,2}s$/.test(text) ? Number(text.slice(0, -1)) * 1_000 : Number.NaN
  return found <= 15_000 ? found : undefined
}

const shown = (key: ConfigKey, text: string): string =>
  'secret' in configKeys[key]
    ? 'has an invalid value'
    : `is ${JSON.stringify(withoutUser(text).slice(0, 200))}`

/** Without the name and the password that a URL may hold. */
function withoutUser(text: string): string {
  const [from, to] = [text.indexOf('//'), text.lastIndexOf('@')]
  return from < 0 || to < from ? text : `${text.slice(0, from + 2)}[removed]${text.slice(to)}`
}

function readIssuer(
  read: <T>(key: ConfigKey, reads: (text: string) => T | undefined) => T | undefined,
) {
  const issuer = read('DRAGOMAN_ISSUER', (text) => value.httpUrl(text) && text)
  const jwksUrl = read('DRAGOMAN_ISSUER_JWKS', (text) => value.httpUrl(text)?.href)
  const audience = read('DRAGOMAN_ISSUER_AUDIENCE', value.matching(/^\S{1,500}$/))
  const claims = read('DRAGOMAN_ISSUER_CLAIMS', value.claims)
  if ([issuer, jwksUrl, audience, claims].every((part) => part === undefined)) return undefined
  if (issuer === undefined || jwksUrl === undefined || audience === undefined) {
    const missing =
      issuer === undefined
        ? 'DRAGOMAN_ISSUER'
        : jwksUrl === undefined
          ? 'DRAGOMAN_ISSUER_JWKS'
          : undefined
    throw new ConfigError(
      `${missing ?? 'DRAGOMAN_ISSUER_AUDIENCE'} is missing: an external issuer requires it.`,
    )
  }
  return {
    issuer,
    jwksUrl,
    audience,
    claims: claims ?? { site: 'site', client: 'client_id', scope: 'scope' },
  }
}

function mustBeSafe(config: Config): void {
  const { profile, masterKey, bootstrap, outsideIssuer } = config
  if (!config.databaseUrl.startsWith('sqlite:') && !masterKey)
    throw new ConfigError(
      'DRAGOMAN_MASTER_KEY is missing: PostgreSQL requires it, with the same value on every node.',
    )
  if (profile === 'sandbox') {
    mustBeLoopback('DRAGOMAN_HOST', config.host)
    if (config.metrics) mustBeLoopback('DRAGOMAN_METRICS', config.metrics.host)
    return
  }
  if (config.publicUrl === undefined && config.hosts.length === 0 && !value.isLoopback(config.host))
    throw new ConfigError(
      `DRAGOMAN_PUBLIC_URL is missing: DRAGOMAN_HOST is "${config.host}", and links in responses would repeat any host name that a caller sends. Set it to the URL that callers use, or list the hub's names in DRAGOMAN_HOSTS.`,
    )
  if (masterKey && value.isWeakKey(masterKey))
    throw new ConfigError(
      `DRAGOMAN_MASTER_KEY is not random; it must be ${configKeys.DRAGOMAN_MASTER_KEY.wants}.`,
    )
  const why = bootstrap && value.weakSecret(bootstrap.clientId, bootstrap.secret)
  if (why)
    throw new ConfigError(
      `DRAGOMAN_BOOTSTRAP_CLIENT_SECRET ${why}: the ${profile} profile refuses it. (\`openssl rand -base64 32\` generates a good one.)`,
    )
  mustBeSafePeople(config)
  const jwks = outsideIssuer && new URL(outsideIssuer.jwksUrl)
  if (jwks?.protocol === 'http:' && !value.isLoopback(jwks.hostname.replace(/^\[|\]$/g, '')))
    throw new ConfigError(
      `DRAGOMAN_ISSUER_JWKS is "${jwks.href}"; it must be ${configKeys.DRAGOMAN_ISSUER_JWKS.wants}.`,
    )
}

function mustBeLoopback(key: ConfigKey, host: string): void {
  if (!value.isLoopback(host))
    throw new ConfigError(
      `${key} is "${host}", but the sandbox has well-known secrets and listens on loopback only.`,
    )
}
