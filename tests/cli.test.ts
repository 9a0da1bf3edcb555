/**
 * The command line as an operator calls it: its answers, its exit codes, and that it works beside a
 * running hub.
 */
import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../packages/server/src/config/config.ts'
import { closeHub, openHub } from '../packages/server/src/hub.ts'
import { buildProgram } from './build-program.ts'
import { hasOpenssl, makeCertificate, noOpenssl } from './certificates.ts'
import { databases, type Env, spawnProgram, startProcess, type TestProcess } from './hub.ts'
import { packageVersion } from './package-version.ts'
import { usePostgres } from './postgres.ts'
import { runCommandLine } from './run-command.ts'

const root = join(import.meta.dirname, '..')

beforeAll(buildProgram)

const program = join(root, 'packages/cli/bin/dragoman.js')

/** The built program: exit code and output as a shell gets them. */
const runProgram = async (args: readonly string[], env: Env = {}) => {
  const spawned = spawnProgram(args, env)
  const { code } = await spawned.exited
  return { code, out: spawned.stdout(), err: spawned.stderr() }
}

describe('without a hub', () => {
  test('clients add says where it creates a new one; other commands on the database create none', async () => {
    const data = join(mkdtempSync(join(tmpdir(), 'dragoman-no-hub-')), 'data')
    const clients = (...args: string[]) =>
      runCommandLine(['clients', ...args], { DRAGOMAN_DATA: data })
    const missing = `There is no database at ${join(data, 'dragoman.db')}`
    const refused = { code: 1, out: '', err: expect.stringContaining(`${missing}. Set`) }
    expect(await clients('list')).toEqual(refused)
    expect(await clients('show', '--id', 'first')).toEqual(refused)
    expect(await runCommandLine(['nodes', '--local'], { DRAGOMAN_DATA: data })).toEqual(refused)
    expect(existsSync(data)).toBe(false)
    const add = (id: string) => clients('add', '--site', 'acme', '--id', id, '--scope', 'content')
    expect(await add('first')).toMatchObject({
      code: 0,
      out: expect.stringContaining('to the new site acme'),
      err: expect.stringContaining(`${missing}: a new hub is created there.`),
    })
    expect(await add('second')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('database'),
    })
    rmSync(join(data, '..'), { recursive: true })
  })

  test('--version is the version of the package, --help names every command', async () => {
    expect(await runProgram(['--version'])).toEqual({
      code: 0,
      out: `${packageVersion}\n`,
      err: '',
    })
    const { code, out } = await runProgram(['--help'])
    expect(code).toBe(0)
    for (const name of [
      'serve',
      'push',
      'status',
      'pull',
      'clients',
      'prices',
      'check',
      'backup',
      'restore',
      'move',
      'completion',
    ])
      expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
  })

  test('a reader that ends first, as head does, ends the command without a stack', async () => {
    const child = spawn(process.execPath, [program, 'formats'])
    child.stdout.destroy()
    let err = ''
    child.stderr.on('data', (text) => {
      err += text
    })
    const code = await new Promise((exited) => child.once('close', exited))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  const commands = [
    'serve',
    'check',
    ...['backup', 'backup list', 'restore', 'move'],
    ...['deliveries', 'tasks', 'deliveries replay'],
    'clients',
    'prices',
    'prices import',
    'prices export',
    ...['memory', 'memory search', 'memory import', 'memory export'],
    ...['terms', 'terms list', 'terms add', 'terms remove', 'terms import', 'terms export'],
    ...[
      'push',
      'status',
      'pull',
      'jobs',
      'requests',
      'approve',
      'reject',
      'listen',
      'providers',
      'quota',
      'mcp',
    ],
    ...['clock', 'clock advance', 'completion', 'findings', 'findings remedy', 'nodes'],
    ...['add', 'list', 'show', 'set', 'rotate', 'disable', 'enable', 'remove'].map(
      (verb) => `clients ${verb}`,
    ),
    ...[
      'sites',
      'sites list',
      'sites delete',
      'sites export',
      'keys',
      'keys rotate',
      'keys signing',
      'keys master',
    ],
  ]
  test.each(commands)('%s --help says how it is used', async (command) => {
    const { code, out } = await runCommandLine([...command.split(' '), '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^Usage: dragoman ${command}`))
  })

  test.each([
    [[], 'Usage: dragoman'],
    [['fly'], 'Unknown command "fly"; the commands are serve, init, login, '],
    [['toString'], 'Unknown command "toString"'],
    [['serve', '--fast'], "Unknown option '--fast'"],
    [['prices'], 'Specify a verb for prices: import, export.'],
    [['prices', 'import', 'a.csv'], 'prices import needs --site and one FILE.'],
    [['prices', 'import', '--site', 'a', 'a.xls'], '--format must be csv or json.'],
    [['prices', 'export'], 'prices export needs --site, and at most one FILE.'],
    [
      ['prices', 'export', '--site', 'a', '--id', 'x', '--at', 'y'],
      'Use either --id or --at, not both.',
    ],
    [['memory', 'search'], 'Specify one text; quote it if it has spaces.'],
    [['memory', 'search', 'x', '--in', 'both'], '--in must be source or target.'],
    [
      ['memory', 'import', 'a.tmx', '--source', 'en-US'],
      'Give both --source and --target, or neither.',
    ],
    [['terms', 'add'], 'Specify at least one text, such as en=invoice.'],
    [['terms', 'add', 'invoice'], '"invoice" is not a language and a text, such as de=Rechnung.'],
    [['terms', 'remove'], 'Specify one term, by its id.'],
    [['terms', 'import'], 'terms import needs one FILE.'],
    [['terms', 'import', 'a.xls'], '--format must be tbx or csv.'],
    [['terms', 'import', 'nothing.csv'], 'nothing.csv cannot be read.'],
    [['terms', 'export', 'a.csv', 'b.csv'], 'terms export needs at most one FILE.'],
    [['terms', 'export', 'a.tbx', '--tbx', '4'], '--tbx must be 2 or 3.'],
    [
      ['clients'],
      'Specify a verb for clients: add, list, show, set, rotate, disable, enable, remove.',
    ],
    [
      ['clients', 'set', '--id', 'x'],
      'Specify what to change, for example --quota MaxReqsPerJob=5000.',
    ],
    [
      ['clients', 'set', '--id', 'x', '--quota', 'MaxReqsPerJob=many'],
      '--quota takes a whole number or "default"',
    ],
    [
      ['clients', 'set', '--id', 'x', '--certificate', 'none.pem'],
      '--certificate takes a SHA-256 thumbprint',
    ],
    [['clients', 'sing'], 'Specify a verb for clients'],
    [['clients', 'add'], 'A client needs --id and --scope.'],
    [
      ['clients', 'add', '--site', 'a', '--id', 'b', '--scope', 'content', '--page-format', 'x'],
      '--page-format must be full or plain.',
    ],
    [['clients', 'rotate'], 'Specify one client with --id.'],
    [['clients', 'show'], 'Specify one client with --id.'],
    [['sites'], 'Specify a verb for sites: list, delete, export.'],
    [
      ['sites', 'delete', 'acme'],
      'This removes everything of site acme for good; add --yes to do it.',
    ],
    [['sites', 'export'], 'Specify one site.'],
    [['keys', 'master', '--from', 'env'], 'Specify both --from and --to.'],
    [
      ['keys', 'master', '--from', 'env:NO_SUCH', '--to', 'env'],
      '--from: the variable NO_SUCH does not contain a master key',
    ],
    [
      ['keys', 'master', '--from', '/no/such/file', '--to', 'env'],
      '--from: /no/such/file cannot be read (ENOENT).',
    ],
    [
      ['clients', 'rotate', '--id', 'x', '--overlap', 'soon'],
      '--overlap must be a duration like 90s, 5m, 2h or 3d, not "soon".',
    ],
    [
      ['clients', 'add', '--site', '--id', 'b', '--scope', 'content'],
      "Option '--site' argument is ambiguous",
    ],
    [['check', 'extra'], 'To check a translation, name two files: SOURCE and TRANSLATION.'],
  ])('%j is refused with a sentence', async (args, sentence) => {
    const { code, out, err } = await runCommandLine(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
    expect(err).not.toMatch(/\n {4}at /)
  })

  test('a mistake ends the program with its code, and prints nothing to standard output', async () => {
    const { code, out, err } = await runProgram(['serve', '--fast'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain("Unknown option '--fast'")
  })

  test('a bad configuration is a sentence that names its key', async () => {
    const { code, err } = await runCommandLine(['clients', 'list'], { DRAGOMAN_PROFILE: 'fast' })
    expect(code).toBe(2)
    expect(err).toMatch(
      /^DRAGOMAN_PROFILE is "fast"; it must be sandbox, staging or production\.\n$/,
    )
  })

  test('a database that does not answer is a sentence', async () => {
    const env = {
      DRAGOMAN_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      DRAGOMAN_MASTER_KEY: 'ab'.repeat(16) + 'cd'.repeat(16),
    }
    const { code, err } = await runCommandLine(['check'], { ...env, DRAGOMAN_PROFILE: 'sandbox' })
    expect(code).toBe(2)
    expect(err).toMatch(/\w/)
    expect(err).not.toMatch(/\n {4}at /)
  })
})

describe.each(databases)('beside a hub on %s', (database) => {
  let hub: TestProcess
  let folder: string
  let env: Env
  let drop: () => Promise<void>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-cli-'))
    const postgres = database === 'postgres' ? usePostgres(inject('postgresUrl')) : undefined
    const databaseUrl = await postgres?.createDatabase()
    drop = async () => {
      if (databaseUrl) await postgres?.dropDatabase(databaseUrl)
    }
    env = {
      DRAGOMAN_DATA: join(folder, 'data'),
      ...(databaseUrl && {
        DRAGOMAN_DATABASE_URL: databaseUrl,
        DRAGOMAN_MASTER_KEY: Buffer.alloc(32, 'key').toString('hex'),
      }),
    }
    hub = await startProcess(env)
    // The command line is not told of the sandbox: it finds out.
    if (databaseUrl) env.DRAGOMAN_MASTER_KEY = Buffer.alloc(32, 'key').toString('base64')
    env.DRAGOMAN_PROFILE = 'sandbox'
  })
  afterAll(async () => {
    await hub?.close()
    await drop?.()
    rmSync(folder, { recursive: true, force: true })
  })

  const clients = (...args: string[]) => runCommandLine(['clients', ...args], env)
  const asJson = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const { code, out, err } = await clients(...args, '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }
  const token = async (client_id: string, client_secret: string) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
    const answer = await fetch(`${hub.url}/connect/token`, { method: 'POST', body })
    return {
      status: answer.status,
      ...((await answer.json()) as { access_token?: string; scope?: string }),
    }
  }
  const get = (path: string, bearer = '') =>
    fetch(hub.url + path, { headers: { authorization: `Bearer ${bearer}` } })
  const advance = (by: string) =>
    fetch(`${hub.url}/sandbox/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by }),
    })

  test('a client is added with its site, gets a token at once, and sees the providers of a new sandbox site', async () => {
    const added = await asJson(
      'add',
      '--site',
      'acme',
      '--id',
      'acme-web',
      '--scope',
      'content,settings',
    )
    expect(added).toEqual({
      clientId: 'acme-web',
      siteId: 'acme',
      scopes: ['content', 'settings'],
      providerIds: [],
      newSite: true,
      secret: expect.stringMatching(/^drg_[\w-]{43}$/),
    })
    const { access_token, scope } = await token('acme-web', String(added.secret))
    expect(scope).toBe('content settings')
    const { providers } = (await (await get('/v2/providers', access_token)).json()) as {
      providers: { id: string; name: string }[]
    }
    expect(providers.map(({ name }) => name).toSorted()).toEqual(['Manual', 'Pseudo'])
    const [provider] = providers
    const owner = [
      '--site',
      'acme',
      '--id',
      'acme-lsp',
      '--scope',
      'provider',
      '--provider',
      provider?.id ?? '',
    ]
    expect(await asJson('add', ...owner)).toMatchObject({
      newSite: false,
      providerIds: [provider?.id],
    })
  })

  test('a given secret is used, also from standard input, and a short one is remarked on', async () => {
    const { code, out, err } = await clients(
      'add',
      '--site',
      'acme',
      '--id',
      'given',
      '--scope',
      'content',
      '--secret',
      'abc',
    )
    expect(code).toBe(0)
    expect(out).toContain('client_secret  abc')
    expect(err).toContain('This secret is short')
    expect((await token('given', 'abc')).status).toBe(200)
    const child = spawn(
      process.execPath,
      [
        program,
        'clients',
        'add',
        '--site',
        'acme',
        '--id',
        'piped',
        '--scope',
        'content',
        '--secret',
        '-',
      ],
      {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    )
    child.stdin.end('through a pipe\n')
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect((await token('piped', 'through a pipe')).status).toBe(200)
  })

  test('a client with plain pages gets the two members of the specification only', async () => {
    const { secret } = await asJson(
      'add',
      '--site',
      'acme',
      '--id',
      'plain',
      '--scope',
      'content',
      '--page-format',
      'plain',
    )
    const { access_token } = await token('plain', String(secret))
    const page = (await (await get('/v2/jobs', access_token)).json()) as object
    expect(Object.keys(page).toSorted()).toEqual(['jobs', 'pagination'])
  })

  test.each([
    [
      ['--id', 'demo-admin', '--scope', 'content'],
      'The client id "demo-admin" is already in use; ids are unique across all sites.',
    ],
    [
      ['--id', 'x', '--scope', 'everything'],
      'Unknown scope "everything"; the scopes are content, provider, settings, admin, operator.',
    ],
    [
      ['--id', 'x', '--scope', ','],
      'A client needs a scope: content, provider, settings, admin, operator.',
    ],
    [['--id', 'a b', '--scope', 'content'], 'The client id "a b" must be'],
    [['--id', 'x', '--scope', 'content', '--secret', ''], 'A secret must have 1 to 1000 bytes'],
    [
      ['--id', 'x', '--scope', 'provider', '--provider=-dash'],
      'There is no provider -dash on this site.',
    ],
    [
      ['--id', 'x', '--scope', 'provider', '--provider', 'nobody'],
      'There is no provider nobody on this site.',
    ],
    [
      ['--id', 'x', '--scope', 'content', '--provider', 'y'],
      'Only a client with the scope provider can own providers.',
    ],
  ])('add %j is refused and adds nothing', async (args, sentence) => {
    const { code, out, err } = await clients('add', '--site', 'elsewhere', ...args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(sentence)
  })

  test('what was refused left nothing behind', async () => {
    expect(await asJson('list', '--site', 'elsewhere')).toEqual([])
  })

  test('list shows every client and no secret', async () => {
    const { out } = await clients('list', '--site', 'demo')
    expect(out.split('\n')[0]).toMatch(/^SITE +CLIENT +SCOPES +STATE +CREATED +PROVIDERS$/)
    for (const id of ['demo-admin', 'demo-connector', 'demo-provider', 'demo-settings'])
      expect(out).toContain(id)
    expect(out).not.toMatch(/secret|scrypt|keyed/)
    const all = await asJson<{ siteId: string }[]>('list')
    expect(new Set(all.map(({ siteId }) => siteId))).toContain('demo')
    expect(JSON.stringify(all)).not.toMatch(/scrypt|keyed/)
  })

  test('rotate keeps the old secret for the overlap', async () => {
    const { secret: old } = await asJson(
      'add',
      '--site',
      'acme',
      '--id',
      'turning',
      '--scope',
      'content',
    )
    const { secret: young, oldSecretsUntil } = await asJson(
      'rotate',
      '--id',
      'turning',
      '--overlap',
      '2h',
    )
    expect(Date.parse(String(oldSecretsUntil))).toBeGreaterThan(Date.now() + 7_100_000)
    expect((await token('turning', String(old))).status).toBe(200)
    expect((await token('turning', String(young))).status).toBe(200)
    await advance('2h')
    expect((await token('turning', String(old))).status).toBe(401)
    expect((await token('turning', String(young))).status).toBe(200)
  })

  test('set raises quotas and binds a client to networks, also of a running hub', async () => {
    const { secret } = await asJson('add', '--site', 'acme', '--id', 'big', '--scope', 'content')
    const { access_token } = await token('big', String(secret))
    const set = (...args: string[]) => asJson('set', '--id', 'big', ...args)
    expect(
      await set('--quota', 'MaxReqsPerJob=5000', '--page-format', 'plain', '--rate-limit', '5'),
    ).toMatchObject({
      quotas: { MaxReqsPerJob: 5_000 },
      pageFormat: 'plain',
      rateLimit: 5,
    })
    await advance('60s')
    expect(await (await get('/v2/quota', access_token)).text()).toContain(
      '{"name":"MaxReqsPerJob","value":5000',
    )
    await set('--allow-from', '192.0.2.0/24,2001:db8::1')
    await advance('60s')
    expect((await get('/v2/jobs', access_token)).status).toBe(403)
    expect(
      await set(
        '--allow-from',
        'any',
        '--quota',
        'MaxReqsPerJob=default',
        '--rate-limit',
        'default',
      ),
    ).toMatchObject({
      clientId: 'big',
      siteId: 'acme',
      scopes: ['content'],
      providers: [],
      pageFormat: 'plain',
      quotas: {},
      allowFrom: [],
      certificates: [],
      disabled: false,
      createdDate: expect.any(String),
    })
    const { code, err } = await clients('set', '--id', 'big', '--quota', 'MaxFun=1')
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Unknown quota "MaxFun"; the quotas are'),
    ])
  })

  test('certificates are given by file or by thumbprint, shown, and taken back', async ({
    skip,
  }) => {
    skip(!hasOpenssl, noOpenssl)
    const { certPath, cert } = makeCertificate(folder, 'client')
    const hex = new X509Certificate(cert).fingerprint256
    const thumbprint = Buffer.from(hex.replaceAll(':', ''), 'hex').toString('base64url')
    const [other, third] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const given = [certPath, other.toString('hex'), third.toString('base64url'), hex].flatMap(
      (one) => ['--certificate', one],
    )
    const added = await asJson(
      'add',
      '--site',
      'acme',
      '--id',
      'certified',
      '--scope',
      'content',
      ...given,
    )
    expect(added).toMatchObject({ clientId: 'certified' })
    expect(added, 'the certificate stands in its place').not.toHaveProperty('secret')
    const listed = await asJson<{ clientId: string }[]>('list', '--site', 'acme')
    expect(listed.find(({ clientId }) => clientId === 'certified')).toMatchObject({
      certificates: [thumbprint, other.toString('base64url'), third.toString('base64url')],
    })
    expect(await asJson('set', '--id', 'certified', '--certificate', 'none')).toMatchObject({
      certificates: [],
    })
  })

  test('disable, enable and remove reach the running hub within a minute', async () => {
    const { secret } = await asJson('add', '--site', 'acme', '--id', 'coming', '--scope', 'content')
    const { access_token } = await token('coming', String(secret))
    expect((await get('/v2/jobs', access_token)).status).toBe(200)
    expect((await clients('disable', '--id', 'coming')).code).toBe(0)
    await advance('60s')
    expect((await get('/v2/jobs', access_token)).status).toBe(401)
    expect((await token('coming', String(secret))).status).toBe(401)
    expect((await clients('enable', 'coming')).code).toBe(0)
    await advance('60s')
    expect((await get('/v2/jobs', access_token)).status).toBe(200)
    expect((await clients('remove', '--id', 'coming')).code).toBe(0)
    await advance('60s')
    expect((await get('/v2/jobs', access_token)).status).toBe(401)
    for (const verb of ['rotate', 'disable', 'enable', 'remove'])
      expect(await clients(verb, '--id', 'coming')).toEqual({
        code: 1,
        out: '',
        err: 'There is no client coming here.\n',
      })
  })

  test('check finds nothing in a sound hub', async () => {
    const clean = { code: 0, err: '' }
    expect(await runCommandLine(['check'], env)).toEqual({
      ...clean,
      out: expect.stringMatching(/^Nothing is damaged: .*\.\n$/),
    })
    const { out, ...rest } = await runCommandLine(['check', '--json'], env)
    expect(rest).toEqual(clean)
    const checked = { files: 0, bytes: 0, uploads: 0, blobs: 0 }
    const head = { last: expect.any(Number), hash: expect.any(String) }
    const heads = { 'call log': head, 'audit log': head }
    expect(JSON.parse(out)).toEqual({ clean: true, findings: [], checked, heads })
  })

  test('check tells what does not fit together', async () => {
    const tool = await openHub(readConfig(env), { as: 'tool' })
    const lost = { client_id: 'demo-provider', provider_id: 'lost' }
    await tool.db.transact((tx) => tx.insertInto('client_providers').values(lost).execute())
    await closeHub(tool)
    const { code, out, err } = await runCommandLine(['check'], env)
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toMatch(
      /^wrong: references: client demo-provider of site demo: .*lost.*\n1 finding: .*\.\n$/,
    )
    expect(JSON.parse((await runCommandLine(['check', '--json'], env)).out)).toMatchObject({
      clean: false,
      findings: [{ weight: 'wrong' }],
    })
  })

  test('the hub went on all the while', async () => {
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200)
    expect(readdirSync(folder)).not.toHaveLength(0)
  })
})
