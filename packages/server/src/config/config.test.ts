import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ConfigError,
  configKeys,
  configPage,
  type Env,
  inUrl,
  isLoopback,
  readConfig,
} from './config.ts'

const key = randomBytes(32)
const strong = randomBytes(24).toString('base64url')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const refusal = (env: Env): string => {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  return 'it was accepted'
}

const passwordHash = `scrypt$32768$${'s'.repeat(22)}$${'h'.repeat(43)}`

test('without any key it is production on loopback, with SQLite and disk in ./data', () => {
  expect(readConfig({})).toEqual({
    profile: 'production',
    host: '127.0.0.1',
    port: 8080,
    hosts: [],
    data: resolve('data'),
    databaseUrl: `sqlite:${resolve('data/dragoman.db')}`,
    blobsUrl: `file:${resolve('data/blobs')}`,
    sealContent: false,
    trustProxy: false,
    listenerAllow: [],
    strictDeliveries: [],
    siteBytes: 1024 ** 4,
    freeSpace: undefined,
    rateLimit: 20,
    clientRateLimit: 'off',
    connections: { all: 5_000, byAddress: 250 },
    tokenSeconds: 3600,
    archiveAfter: { count: 6, unit: 'mo' },
    transferLife: { count: 24, unit: 'h' },
    downloadLife: { count: 15, unit: 'm' },
    soapNamespace: 'urn:dragoman:project-settings',
    corsOrigins: [],
    scopeAliases: [],
    drainDelayMs: 5_000,
    logLevel: 'info',
    callLogBytes: 1024 ** 3,
    auditRows: 1_000_000,
    passwordSignIn: true,
    plainHttpSignIn: false,
  })
})

test('each profile has its own rate limit, allowed listeners and drain delay', () => {
  const of = (profile: string) => readConfig({ DRAGOMAN_PROFILE: profile })
  expect([of('sandbox').rateLimit, of('staging').rateLimit, of('production').rateLimit]).toEqual([
    'off',
    10,
    20,
  ])
  expect(of('sandbox').listenerAllow).toEqual(['127.0.0.0/8', '::1/128'])
  expect(of('staging').listenerAllow).toEqual([])
  expect([of('sandbox').connections.byAddress, of('staging').connections.byAddress]).toEqual([
    'off',
    250,
  ])
  expect([of('sandbox').drainDelayMs, of('staging').drainDelayMs]).toEqual([0, 5_000])
})

test('every key is read', () => {
  const config = readConfig({
    DRAGOMAN_PROFILE: 'staging',
    DRAGOMAN_HOST: '[::]',
    DRAGOMAN_PORT: '0',
    DRAGOMAN_PUBLIC_URL: 'https://hub.example.org/base/',
    DRAGOMAN_HOSTS: 'hub.internal, 10.1.2.3,[fd00::7]',
    DRAGOMAN_DATA: folder,
    DRAGOMAN_DATABASE_URL: 'postgres://u:p@db/hub',
    DRAGOMAN_BLOBS_URL: 's3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=x',
    DRAGOMAN_MASTER_KEY: key.toString('base64'),
    DRAGOMAN_SEAL_CONTENT: 'on',
    DRAGOMAN_BOOTSTRAP_CLIENT_ID: 'first',
    DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: strong,
    DRAGOMAN_TRUST_PROXY: 'loopback, 10.0.0.0/8',
    DRAGOMAN_LISTENER_ALLOW: '10.1.2.3,fd00::/8',
    DRAGOMAN_STRICT_DELIVERIES: 'north, south',
    DRAGOMAN_SITE_BYTES: '5GiB',
    DRAGOMAN_FREE_SPACE: '0',
    DRAGOMAN_RATE_LIMIT: 'off',
    DRAGOMAN_CLIENT_RATE_LIMIT: '50',
    DRAGOMAN_CONNECTIONS: '10',
    DRAGOMAN_CONNECTIONS_PER_ADDRESS: '1',
    DRAGOMAN_TOKEN_SECONDS: '60',
    DRAGOMAN_ARCHIVE_AFTER: '1y',
    DRAGOMAN_TRANSFER_LIFE: '2h',
    DRAGOMAN_DOWNLOAD_LIFE: '90s',
    DRAGOMAN_SOAP_NAMESPACE: 'http://soap.example.org/settings',
    DRAGOMAN_CORS_ORIGINS: 'https://a.example.org,http://localhost:5173',
    DRAGOMAN_SCOPE_ALIASES: 'their.scope.*=content, vendor=provider',
    DRAGOMAN_ISSUER: 'https://id.example.org/realm',
    DRAGOMAN_ISSUER_JWKS: 'https://id.example.org/keys',
    DRAGOMAN_ISSUER_AUDIENCE: 'hub',
    DRAGOMAN_ISSUER_CLAIMS: 'site=org,client=azp,scope=scp',
    DRAGOMAN_ADMIN_EMAIL: 'ada@example.org',
    DRAGOMAN_ADMIN_PASSWORD_HASH: passwordHash,
    DRAGOMAN_PASSWORD_SIGN_IN: 'on',
    DRAGOMAN_PLAIN_HTTP_SIGN_IN: 'on',
    DRAGOMAN_SMTP_URL: 'smtps://hub:secret@mail.example.org:465',
    DRAGOMAN_MAIL_FROM: 'hub@example.org',
    DRAGOMAN_OIDC_ISSUER: 'https://id.example.org/realm',
    DRAGOMAN_OIDC_CLIENT_ID: 'hub',
    DRAGOMAN_OIDC_CLIENT_SECRET: 'a secret',
    DRAGOMAN_OIDC_NAME: 'Our directory',
    DRAGOMAN_OIDC_SCOPES: 'openid groups',
    DRAGOMAN_OIDC_CLAIM: 'roles',
    DRAGOMAN_OIDC_ROLES: 'a=b=admin@main, *=viewer@main, ops=operator',
    DRAGOMAN_DRAIN_DELAY: '15s',
    DRAGOMAN_LOG_LEVEL: 'debug',
    DRAGOMAN_CALL_LOG_BYTES: '512MiB',
    DRAGOMAN_AUDIT_ROWS: '5000',
    DRAGOMAN_BACKUP_EXPECTED: '7d',
    DRAGOMAN_METRICS: '[::1]:9464',
    DRAGOMAN_BOOTSTRAP_SCOPE: 'operator',
    DRAGOMAN_RETENTION_MONTHS: '24',
  })
  expect(config).toEqual({
    retentionMonths: 24,
    profile: 'staging',
    host: '::',
    port: 0,
    publicUrl: 'https://hub.example.org/base',
    hosts: ['hub.internal', '10.1.2.3', 'fd00::7'],
    data: folder,
    databaseUrl: 'postgres://u:p@db/hub',
    blobsUrl: 's3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=x',
    masterKey: key,
    sealContent: true,
    bootstrap: { clientId: 'first', secret: strong, scope: 'operator' },
    trustProxy: 'loopback,10.0.0.0/8',
    listenerAllow: ['10.1.2.3/32', 'fd00::/8'],
    strictDeliveries: ['north', 'south'],
    siteBytes: 5 * 1024 ** 3,
    freeSpace: 0,
    rateLimit: 'off',
    clientRateLimit: 50,
    connections: { all: 10, byAddress: 1 },
    tokenSeconds: 60,
    archiveAfter: { count: 1, unit: 'y' },
    transferLife: { count: 2, unit: 'h' },
    downloadLife: { count: 90, unit: 's' },
    soapNamespace: 'http://soap.example.org/settings',
    corsOrigins: ['https://a.example.org', 'http://localhost:5173'],
    scopeAliases: [
      { begins: 'their.scope.', ends: '', scope: 'content' },
      { begins: 'vendor', scope: 'provider' },
    ],
    outsideIssuer: {
      issuer: 'https://id.example.org/realm',
      jwksUrl: 'https://id.example.org/keys',
      audience: 'hub',
      claims: { site: 'org', client: 'azp', scope: 'scp' },
    },
    drainDelayMs: 15_000,
    logLevel: 'debug',
    callLogBytes: 512 * 1024 ** 2,
    auditRows: 5_000,
    backupExpected: { count: 7, unit: 'd' },
    metrics: { host: '::1', port: 9464 },
    passwordSignIn: true,
    plainHttpSignIn: true,
    admin: { email: 'ada@example.org', passwordHash },
    mail: { url: 'smtps://hub:secret@mail.example.org:465', from: 'hub@example.org' },
    oidc: {
      issuer: 'https://id.example.org/realm',
      clientId: 'hub',
      clientSecret: 'a secret',
      name: 'Our directory',
      scopes: 'openid groups',
      claim: 'roles',
      roles: [
        { value: 'a=b', role: 'admin', siteId: 'main' },
        { value: '*', role: 'viewer', siteId: 'main' },
        { value: 'ops', role: 'operator', siteId: '' },
      ],
    },
  })
})

test.each([
  ['DRAGOMAN_PROFILE', ['prod', 'Sandbox', 'toString']],
  [
    'DRAGOMAN_HOST',
    [
      '1.2.3.4:80',
      'a b',
      '999.1.1.1',
      '127.1',
      '[::1',
      'http://x',
      '-a',
      '[127.0.0.1]',
      '0x7f.0x1',
    ],
  ],
  ['DRAGOMAN_PORT', ['-1', '65536', '80.5', 'http', '0x50', '1e3', ' 80']],
  [
    'DRAGOMAN_PUBLIC_URL',
    ['hub.example.org', 'ftp://x', 'https://u:p@x', 'https://x?y', 'https://x#y', 'https://'],
  ],
  [
    'DRAGOMAN_HOSTS',
    ['hub.example.org:80', 'https://hub.example.org', '*', 'a,,b', '*.example.org'],
  ],
  [
    'DRAGOMAN_DATABASE_URL',
    ['mysql://x', 'sqlite:', 'sqlite::memory:', 'sqlite://host/x', 'postgres:x', 'data.db'],
  ],
  [
    'DRAGOMAN_DATABASE_URL',
    ['postgres://a,,b/x', 'postgres://u@a:1,b:port/x', 'postgres://a:1,b:2,/x'],
  ],
  [
    'DRAGOMAN_DATABASE_URL',
    ['postgres://a,b/x?target_session_attrs=standby', 'postgres://a/x?target_session_attrs='],
  ],
  ['DRAGOMAN_BLOBS_URL', ['http://x', 'file:', 's3:', 's3:///x', '/data']],
  [
    'DRAGOMAN_MASTER_KEY',
    ['short', key.toString('hex').slice(2), `${key.toString('base64')}A`, '!'.repeat(44)],
  ],
  ['DRAGOMAN_SEAL_CONTENT', ['yes', 'true', 'ON']],
  ['DRAGOMAN_BOOTSTRAP_SCOPE', ['content', 'Admin', 'admin operator']],
  ['DRAGOMAN_RETENTION_MONTHS', ['0', '1.5', '6mo', '1201']],
  ['DRAGOMAN_TRUST_PROXY', ['yes', '1', '10.0.0.0/33', 'true,10.0.0.1']],
  [
    'DRAGOMAN_LISTENER_ALLOW',
    ['localhost', '10.0.0.0/33', '::/129', '10.0.0.0/8,', '1.2.3.4/8/8', '1.2.3.4/-1'],
  ],
  ['DRAGOMAN_STRICT_DELIVERIES', ['a b', 'a,,b', '-x']],
  ['DRAGOMAN_SITE_BYTES', ['0', 'many', '1TB', '-1']],
  ['DRAGOMAN_FREE_SPACE', ['-1', 'none', '5%']],
  ['DRAGOMAN_CLIENT_RATE_LIMIT', ['0', 'on', '1.5']],
  ['DRAGOMAN_RATE_LIMIT', ['0', '-1', 'on', '1.5']],
  ['DRAGOMAN_CONNECTIONS', ['0', '9', 'off', '1000001']],
  ['DRAGOMAN_CONNECTIONS_PER_ADDRESS', ['0', 'none', '-5']],
  ['DRAGOMAN_TOKEN_SECONDS', ['0', '1h', '86401']],
  ['DRAGOMAN_BACKUP_EXPECTED', ['7', '0d', 'weekly']],
  ['DRAGOMAN_ARCHIVE_AFTER', ['6', '6 mo', '-6mo', '0s', 'never', '1000y']],
  ['DRAGOMAN_TRANSFER_LIFE', ['0h', '24']],
  ['DRAGOMAN_DOWNLOAD_LIFE', ['15min']],
  ['DRAGOMAN_SOAP_NAMESPACE', ['settings', 'http://x y', 'urn:"x"']],
  [
    'DRAGOMAN_SCOPE_ALIASES',
    ['x', 'x=everything', '=content', 'a b=content', '*.*=content', 'x=content,'],
  ],
  ['DRAGOMAN_CORS_ORIGINS', ['*', 'https://x/', 'https://x/path', 'x.example.org']],
  ['DRAGOMAN_DRAIN_DELAY', ['16s', '5', '1m', '-1s', 'off']],
  ['DRAGOMAN_LOG_LEVEL', ['verbose', 'INFO']],
  ['DRAGOMAN_AUDIT_ROWS', ['0', '999', '-1', 'many', '1000000000']],
  ['DRAGOMAN_CALL_LOG_BYTES', ['0', '1023KiB', '1.5GiB', '1GB', 'GiB', '-1GiB', '999999999999TiB']],
  ['DRAGOMAN_METRICS', ['9464', ':9464', '127.0.0.1', '::1:9464', 'x:99999']],
] as const)('a bad %s is refused by name', (name, texts) => {
  for (const text of texts) {
    const message = refusal({ DRAGOMAN_PROFILE: 'sandbox', [name]: text })
    expect(message, text).toContain(`it must be ${configKeys[name].wants}.`)
    expect(message.startsWith(name), message).toBe(true)
  }
})

test.each([
  'postgres://hub:a%2Cb@one:5432,two:5433/hub?target_session_attrs=read-write&sslmode=verify-full',
  'postgresql://one,[::1]:5433,10.0.0.1/hub?target_session_attrs=primary',
  'postgres://one:5432,two',
  'postgres:///hub?host=/run/postgresql',
])('%s names hosts as libpq does', (url) => {
  expect(
    readConfig({
      DRAGOMAN_PROFILE: 'sandbox',
      DRAGOMAN_DATABASE_URL: url,
      DRAGOMAN_MASTER_KEY: 'ab'.repeat(32),
    }),
  ).toMatchObject({ databaseUrl: url })
})

test('a refused secret is not shown', () => {
  expect(refusal({ DRAGOMAN_MASTER_KEY: 'open-sesame' })).not.toContain('sesame')
  expect(refusal({ DRAGOMAN_DATABASE_URL: 'mysql://root:sesame@db/x' })).not.toContain('sesame')
})

test('an unknown key is refused by name, but the keys of tests and of others are not ours', () => {
  expect(refusal({ DRAGOMAN_PROT: '80' })).toContain('DRAGOMAN_PROT')
  expect(refusal({ DRAGOMAN_toString: '80' })).toContain('DRAGOMAN_toString')
  expect(readConfig({ DRAGOMAN_TEST_FAULT: 'x', PORT: '9', dragoman_port: '9' }).port).toBe(8080)
})

test('an empty value counts as unset', () => {
  expect(readConfig({ DRAGOMAN_PORT: '', DRAGOMAN_CONFIG: '' }).port).toBe(8080)
})

describe('the file', () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  test('YAML and JSON have the same keys, and the environment wins', () => {
    const yaml = file(
      'a.yaml',
      'DRAGOMAN_PORT: 9000\nDRAGOMAN_RATE_LIMIT: off\nDRAGOMAN_LISTENER_ALLOW: [10.0.0.1, "::1"]\n',
    )
    expect(readConfig({ DRAGOMAN_CONFIG: yaml })).toMatchObject({
      port: 9000,
      rateLimit: 'off',
      listenerAllow: ['10.0.0.1/32', '::1/128'],
    })
    const json = file('a.json', '{ "DRAGOMAN_PORT": 9001, "DRAGOMAN_TRUST_PROXY": true }')
    expect(readConfig({ DRAGOMAN_CONFIG: json })).toMatchObject({ port: 9001, trustProxy: true })
    expect(readConfig({ DRAGOMAN_CONFIG: json, DRAGOMAN_PORT: '9002' }).port).toBe(9002)
    expect(readConfig({ DRAGOMAN_CONFIG: file('empty.yaml', '# nothing yet\n') }).port).toBe(8080)
  })
  test('a master key of digits alone stays text', () => {
    const digits = '1234567890123456789012345678901234567890123456789012345678901234'
    const path = file('key.yaml', `DRAGOMAN_PROFILE: sandbox\nDRAGOMAN_MASTER_KEY: ${digits}\n`)
    expect(readConfig({ DRAGOMAN_CONFIG: path }).masterKey?.toString('hex')).toBe(digits)
  })
  test.each([
    ['an unknown key', 'DRAGOMAN_PROT: 1', 'DRAGOMAN_PROT'],
    ['a key that is not ours', 'port: 1', 'port'],
    ['a file inside the file', 'DRAGOMAN_CONFIG: other.yaml', 'DRAGOMAN_CONFIG'],
    ['a nested value', 'DRAGOMAN_PORT: { a: 1 }', 'DRAGOMAN_PORT'],
    ['a list at the top', '- 1', 'keys and values'],
    ['a key given twice', 'DRAGOMAN_PORT: 1\nDRAGOMAN_PORT: 2', 'cannot be read'],
    ['broken YAML', '"', 'cannot be read'],
    ['a bad value', 'DRAGOMAN_PORT: x', 'DRAGOMAN_PORT is "x"'],
  ])('%s is refused', (name, text, says) => {
    expect(refusal({ DRAGOMAN_CONFIG: file(`${name}.yaml`, text) })).toContain(says)
  })
  test('a missing file is refused', () => {
    expect(refusal({ DRAGOMAN_CONFIG: join(folder, 'none.yaml') })).toMatch(
      /DRAGOMAN_CONFIG.*none\.yaml/,
    )
  })
})

describe('what is unsafe', () => {
  test('the sandbox listens on loopback only', () => {
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'hub.example.org', '::ffff:10.0.0.1']) {
      expect(refusal({ DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_HOST: host })).toContain(
        'DRAGOMAN_HOST',
      )
      expect(
        refusal({
          DRAGOMAN_PROFILE: 'sandbox',
          DRAGOMAN_METRICS: `[${host}]:1`.replace(/\[([^:]*)\]/, '$1'),
        }),
      ).toContain('DRAGOMAN_METRICS')
    }
    for (const host of [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '[::1]',
      'localhost',
      '0:0:0:0:0:0:0:1',
      '::ffff:127.0.0.1',
    ])
      expect(refusal({ DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_HOST: host }), host).toBe(
        'it was accepted',
      )
  })

  test('PostgreSQL needs a master key in every profile', () => {
    for (const profile of ['sandbox', 'staging', 'production'])
      expect(
        refusal({ DRAGOMAN_PROFILE: profile, DRAGOMAN_DATABASE_URL: 'postgres://db/x' }),
      ).toContain('DRAGOMAN_MASTER_KEY')
  })

  test('staging and production refuse a master key that is not random', () => {
    const weak = [
      Buffer.alloc(32),
      Buffer.alloc(32, 7),
      Buffer.from('abcd'.repeat(8)),
      Buffer.from([...Array(32).keys()]),
    ]
    for (const bytes of weak)
      for (const profile of ['staging', 'production'])
        expect(
          refusal({ DRAGOMAN_PROFILE: profile, DRAGOMAN_MASTER_KEY: bytes.toString('hex') }),
        ).toContain('DRAGOMAN_MASTER_KEY is not random')
    for (let times = 0; times < 200; times++)
      expect(refusal({ DRAGOMAN_MASTER_KEY: randomBytes(32).toString('base64url') })).toBe(
        'it was accepted',
      )
  })

  test('staging and production refuse well-known secrets, the sandbox does not', () => {
    const weak = [
      'demo-admin-secret',
      'changeme',
      'change-me-change-me-1',
      'first',
      'first-secret',
      'fifteen-chars-x',
      'a'.repeat(40),
    ]
    const env = (secret: string) => ({
      DRAGOMAN_BOOTSTRAP_CLIENT_ID: 'first',
      DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: secret,
    })
    for (const secret of weak) {
      for (const profile of ['staging', 'production']) {
        const message = refusal({ ...env(secret), DRAGOMAN_PROFILE: profile })
        expect(message).toContain('DRAGOMAN_BOOTSTRAP_CLIENT_SECRET')
        expect(message.includes(`"${secret}"`)).toBe(false)
      }
      expect(refusal({ ...env(secret), DRAGOMAN_PROFILE: 'sandbox' })).toBe('it was accepted')
    }
    expect(refusal(env(strong))).toBe('it was accepted')
    expect(refusal({ DRAGOMAN_BOOTSTRAP_CLIENT_ID: 'first' })).toContain(
      'DRAGOMAN_BOOTSTRAP_CLIENT_SECRET is missing',
    )
    expect(refusal({ DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: strong })).toContain(
      'DRAGOMAN_BOOTSTRAP_CLIENT_ID is missing',
    )
  })

  test('a hub that others reach must know its name, outside the sandbox', () => {
    for (const profile of ['staging', 'production'])
      for (const host of ['0.0.0.0', '[::]', '10.0.0.1', 'hub.internal']) {
        const env = { DRAGOMAN_PROFILE: profile, DRAGOMAN_HOST: host }
        expect(refusal(env)).toMatch(/^DRAGOMAN_PUBLIC_URL is missing: .* DRAGOMAN_HOSTS\.$/)
        expect(refusal({ ...env, DRAGOMAN_PUBLIC_URL: 'https://hub.example.org' })).toBe(
          'it was accepted',
        )
        expect(refusal({ ...env, DRAGOMAN_HOSTS: 'hub.example.org' })).toBe('it was accepted')
      }
    for (const host of ['127.0.0.1', '[::1]', 'localhost'])
      expect(refusal({ DRAGOMAN_HOST: host })).toBe('it was accepted')
  })

  test('an outside issuer needs all its parts, and its keys over https', () => {
    const parts = {
      DRAGOMAN_ISSUER: 'https://id.x',
      DRAGOMAN_ISSUER_JWKS: 'https://id.x/k',
      DRAGOMAN_ISSUER_AUDIENCE: 'hub',
    }
    for (const missing of Object.keys(parts))
      expect(refusal({ ...parts, [missing]: undefined })).toContain(`${missing} is missing`)
    expect(refusal({ DRAGOMAN_ISSUER_CLAIMS: 'site=org' })).toContain('DRAGOMAN_ISSUER is missing')
    expect(refusal({ ...parts, DRAGOMAN_ISSUER_JWKS: 'http://id.x/k' })).toContain(
      'DRAGOMAN_ISSUER_JWKS',
    )
    expect(refusal({ ...parts, DRAGOMAN_ISSUER_JWKS: 'http://127.0.0.1:1/k' })).toBe(
      'it was accepted',
    )
    for (const text of ['site', 'site=a,site=b', 'user=x', 'site=', 'site=a b'])
      expect(refusal({ ...parts, DRAGOMAN_ISSUER_CLAIMS: text }), text).toContain(
        'DRAGOMAN_ISSUER_CLAIMS',
      )
    expect(readConfig(parts).outsideIssuer?.claims).toEqual({
      site: 'site',
      client: 'client_id',
      scope: 'scope',
    })
  })
})

test('a certificate and its key go together', ({ skip }) => {
  skip(spawnSync('openssl', ['version']).status !== 0, 'openssl is not installed')
  const make = (name: string) => {
    const args =
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost`.split(
        ' ',
      )
    execFileSync(
      'openssl',
      [...args, '-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.crt`)],
      {
        stdio: 'ignore',
      },
    )
    return {
      DRAGOMAN_TLS_CERT: join(folder, `${name}.crt`),
      DRAGOMAN_TLS_KEY: join(folder, `${name}.key`),
    }
  }
  const [one, two] = [make('one'), make('two')]
  expect(readConfig(one).tls?.cert).toContain('BEGIN CERTIFICATE')
  expect(readConfig(one).tls?.clientCerts).toBe(false)
  expect(readConfig({ ...one, DRAGOMAN_TLS_CLIENT_CERTS: 'on' }).tls?.clientCerts).toBe(true)
  expect(refusal({ ...one, DRAGOMAN_TLS_CLIENT_CERTS: 'yes' })).toContain('it must be on or off.')
  expect(refusal({ DRAGOMAN_TLS_CLIENT_CERTS: 'on' })).toContain('DRAGOMAN_TLS_CERT is missing')
  expect(refusal({ DRAGOMAN_TLS_CLIENT_CERTS: 'off' })).toBe('it was accepted')
  expect(refusal({ ...one, DRAGOMAN_TLS_KEY: two.DRAGOMAN_TLS_KEY })).toContain(
    'not the private key',
  )
  expect(refusal({ ...one, DRAGOMAN_TLS_KEY: undefined })).toContain('DRAGOMAN_TLS_KEY is missing')
  expect(refusal({ ...one, DRAGOMAN_TLS_CERT: one.DRAGOMAN_TLS_KEY })).toContain(
    'DRAGOMAN_TLS_CERT is',
  )
  expect(refusal({ ...one, DRAGOMAN_TLS_KEY: join(folder, 'none') })).toContain(
    'DRAGOMAN_TLS_KEY is',
  )
})

test('an IPv6 host is in brackets in a URL', () => {
  expect([inUrl('::1'), inUrl('127.0.0.1'), inUrl('localhost')]).toEqual([
    '[::1]',
    '127.0.0.1',
    'localhost',
  ])
  expect([isLoopback('::1'), isLoopback('::2'), isLoopback('1::1')]).toEqual([true, false, false])
})

test('the page of the documentation has a row for every key', () => {
  for (const [name, { wants }] of Object.entries(configKeys)) {
    expect(configPage()).toContain(`| ${name} |`)
    // As they are accepted, and not as a sentence begins.
    expect(configPage()).toContain(`| ${wants} |`)
  }
})

describe('people', () => {
  const oidc = { DRAGOMAN_OIDC_ISSUER: 'https://id.example.org', DRAGOMAN_OIDC_CLIENT_ID: 'hub' }

  test('an admin needs both an address and a hash of the right form, and passwords', () => {
    const admin = {
      DRAGOMAN_ADMIN_EMAIL: 'ada@example.org',
      DRAGOMAN_ADMIN_PASSWORD_HASH: passwordHash,
    }
    expect(readConfig(admin).admin).toEqual({ email: 'ada@example.org', passwordHash })
    expect(refusal({ DRAGOMAN_ADMIN_EMAIL: 'ada@example.org' })).toContain(
      'DRAGOMAN_ADMIN_PASSWORD_HASH',
    )
    expect(refusal({ ...admin, DRAGOMAN_ADMIN_EMAIL: 'ada' })).toContain(
      'must be an e-mail address',
    )
    const plain = refusal({ ...admin, DRAGOMAN_ADMIN_PASSWORD_HASH: 'correct horse' })
    expect(plain).toContain('dragoman people hash')
    expect(plain).not.toContain('correct horse')
    expect(refusal({ ...admin, DRAGOMAN_PASSWORD_SIGN_IN: 'off' })).toContain(
      'DRAGOMAN_PASSWORD_SIGN_IN=on',
    )
  })

  test('mail needs a server, a sender and the address of the hub', () => {
    const mail = {
      DRAGOMAN_SMTP_URL: 'smtp://hub:pa%20ss@127.0.0.1:2525',
      DRAGOMAN_MAIL_FROM: 'hub@example.org',
      DRAGOMAN_PUBLIC_URL: 'https://hub.example.org',
    }
    expect(readConfig(mail).mail).toEqual({ url: mail.DRAGOMAN_SMTP_URL, from: 'hub@example.org' })
    for (const key of ['DRAGOMAN_SMTP_URL', 'DRAGOMAN_MAIL_FROM', 'DRAGOMAN_PUBLIC_URL'] as const)
      expect(refusal({ ...mail, [key]: undefined })).toContain(`${key} is missing`)
    for (const url of [
      'mail.example.org',
      'https://mail.example.org',
      'smtp://',
      'smtp://a/b',
      'smtp://u:hidden@a?x=1',
    ]) {
      const said = refusal({ ...mail, DRAGOMAN_SMTP_URL: url })
      expect(said, url).toContain('it must be smtp://HOST:PORT')
      expect(said).not.toContain('hidden')
    }
    expect(refusal({ ...mail, DRAGOMAN_MAIL_FROM: 'Hub <hub@example.org>' })).toContain(
      'must be an e-mail address',
    )
  })

  test('an OpenID provider needs a client, https, and roles in sites', () => {
    expect(readConfig(oidc).oidc).toEqual({
      issuer: 'https://id.example.org',
      clientId: 'hub',
      name: 'id.example.org',
      scopes: 'openid profile email',
      claim: 'groups',
    })
    expect(refusal({ DRAGOMAN_OIDC_ISSUER: 'https://id.example.org' })).toContain(
      'DRAGOMAN_OIDC_CLIENT_ID',
    )
    expect(refusal({ DRAGOMAN_OIDC_CLAIM: 'groups' })).toContain(
      'DRAGOMAN_OIDC_CLAIM needs DRAGOMAN_OIDC_ISSUER',
    )
    expect(refusal({ ...oidc, DRAGOMAN_OIDC_SCOPES: 'profile' })).toContain('one of them openid')
    expect(refusal({ ...oidc, DRAGOMAN_OIDC_ISSUER: 'http://id.example.org' })).toContain(
      'must be an https URL',
    )
    expect(readConfig({ ...oidc, DRAGOMAN_OIDC_ISSUER: 'http://127.0.0.1:9' }).oidc?.issuer).toBe(
      'http://127.0.0.1:9',
    )
    for (const roles of [
      'admin@main',
      'a=admin',
      'a=boss@main',
      'a=operator@main',
      'a=viewer@a b',
      'a=viewer@b@c',
    ])
      expect(refusal({ ...oidc, DRAGOMAN_OIDC_ROLES: roles }), roles).toContain(
        'DRAGOMAN_OIDC_ROLES',
      )
  })
})
