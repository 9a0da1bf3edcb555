/**
 * `dragoman clients`, `sites` and `keys` as an operator types them: by calls to a running hub, and
 * on its database.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type Server, startServer } from '@dragoman/server'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { tarEnd, tarEntry } from '../packages/server/src/domain/sites/tar.ts'
import { openLog } from '../packages/server/src/process/log.ts'
import { isThere } from './formats/judge.ts'
import { databases, type Env, spawnProgram } from './hub.ts'
import { cloneMigrated } from './migrated.ts'
import { usePostgres } from './postgres.ts'
import { startReceiver } from './receiver.ts'
import { runCommandLine } from './run-command.ts'

const operatorSecret = randomBytes(24).toString('base64url')

describe.each(databases)('operating commands on %s', (database) => {
  let folder: string
  let env: Env
  let server: Server | undefined
  let drop = async () => {}
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-operating-'))
    const postgres = database === 'postgres' ? usePostgres(inject('postgresUrl')) : undefined
    const databaseUrl = postgres && (await cloneMigrated())
    if (databaseUrl) drop = async () => void (await postgres?.dropDatabase(databaseUrl))
    env = {
      DRAGOMAN_PROFILE: 'staging',
      DRAGOMAN_PORT: '0',
      DRAGOMAN_DATA: join(folder, 'data'),
      DRAGOMAN_DRAIN_DELAY: '0s',
      DRAGOMAN_SEAL_CONTENT: 'on',
      DRAGOMAN_RATE_LIMIT: 'off',
      DRAGOMAN_LISTENER_ALLOW: '127.0.0.0/8',
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('base64'),
      DRAGOMAN_BOOTSTRAP_CLIENT_ID: 'op',
      DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: operatorSecret,
      DRAGOMAN_BOOTSTRAP_SCOPE: 'operator',
      ...(databaseUrl && { DRAGOMAN_DATABASE_URL: databaseUrl }),
    }
    await start()
  })
  afterAll(async () => {
    await server?.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async () => {
    server = await startServer(readConfig(env), { log: openLog('silent') })
  }
  const running = (): Server => {
    if (!server) throw new Error('The hub does not run.')
    return server
  }
  const run = (args: readonly string[]) =>
    runCommandLine(
      args,
      { ...env, HUB_CLIENT_ID: 'op', HUB_CLIENT_SECRET: operatorSecret, COLUMNS: '200' },
      folder,
    )
  const done = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const { code, out, err } = await run([...args, '--json'])
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' })
    return JSON.parse(out) as T
  }
  const atHub = () => ['--hub', running().url]
  const tokenOf = async (client_id: string, client_secret: string) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
    const answer = await fetch(`${running().url}/connect/token`, { method: 'POST', body: form })
    return {
      status: answer.status,
      token: ((await answer.json()) as { access_token: string }).access_token,
    }
  }
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${running().url}/v2${path}`, { method, headers, ...sent })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  let admin = { clientId: 'acme-admin', secret: '' }
  let oldToken = ''

  it('clients are managed at a running hub with --hub', async () => {
    const made = await done<{ secret: string }>(
      ...['clients', 'add', '--site', 'acme', '--id', 'acme-admin', '--scope', 'admin', ...atHub()],
    )
    admin = { clientId: 'acme-admin', secret: made.secret }
    expect((await tokenOf('acme-admin', made.secret)).status).toBe(200)
    const listed = await done<{ clientId: string }[]>('clients', 'list', ...atHub())
    expect(listed.map(({ clientId }) => clientId)).toEqual(['acme-admin', 'op'])
    expect(
      await done('clients', 'set', '--id', 'acme-admin', '--quota', 'MaxReqsPerJob=9', ...atHub()),
    ).toMatchObject({
      quotas: { MaxReqsPerJob: 9 },
    })
    for (const way of [atHub(), []])
      expect(await done('clients', 'show', 'acme-admin', ...way)).toMatchObject({
        siteId: 'acme',
        quotas: { MaxReqsPerJob: 9 },
      })
    const { secret } = await done<{ secret: string }>(
      'clients',
      'rotate',
      'acme-admin',
      '--overlap',
      '0s',
      ...atHub(),
    )
    expect((await tokenOf('acme-admin', made.secret)).status).toBe(401)
    admin.secret = secret
    const last = await run(['clients', 'remove', 'acme-admin', ...atHub()])
    expect([last.code, last.err]).toEqual([
      1,
      expect.stringContaining('is the last enabled admin of its site'),
    ])
    const chosen = await run(['clients', 'rotate', 'acme-admin', '--secret', 'mine', ...atHub()])
    expect([chosen.code, chosen.err]).toEqual([2, expect.stringContaining('omit --secret')])
    const shown = await run(['clients', 'show', 'acme-admin', ...atHub()])
    expect(shown.out).toMatch(/^client +acme-admin\nsite +acme\nscopes +admin\n/)
  })

  it('clients are managed on the database with --local, by every verb', async () => {
    const local = ['--id', 'acme-local', '--local']
    await done('clients', 'add', '--site', 'acme', '--scope', 'content', ...local)
    const listed = await done<{ clientId: string }[]>('clients', 'list', '--local')
    expect(listed.map(({ clientId }) => clientId)).toContain('acme-local')
    expect(await done('clients', 'set', '--quota', 'MaxReqsPerJob=8', ...local)).toBeTruthy()
    expect(await done('clients', 'show', ...local)).toMatchObject({ quotas: { MaxReqsPerJob: 8 } })
    expect(await done('clients', 'rotate', ...local)).toMatchObject({ clientId: 'acme-local' })
    for (const verb of ['disable', 'enable', 'remove']) await done('clients', verb, ...local)
    const both = await run(['clients', 'list', '--local', ...atHub()])
    expect([both.code, both.err]).toEqual([
      2,
      expect.stringContaining('Use --local or --hub, not both.'),
    ])
  })

  it('sites are listed and signing keys rotated, at the hub and with --local', async () => {
    for (const way of [atHub(), ['--local']]) {
      const sites = await done<{ siteId: string; clients: number }[]>('sites', 'list', ...way)
      expect(sites).toMatchObject([{ siteId: 'acme', clients: 1 }])
      expect(await done('keys', 'signing', ...way)).toMatchObject({
        keyId: expect.any(String),
        revokedKeys: 0,
      })
    }
    const { code, out } = await run(['keys', 'signing', '--revoke', ...atHub()])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Tokens are signed with the new key \S+; \d+ old keys? revoked\.\n$/),
    ])
    const { code: refused, err } = await run(['sites', 'delete', 'nowhere', '--yes', '--local'])
    expect([refused, err]).toEqual([1, 'There is no site nowhere.\n'])
  })

  it('a site is exported as a tar that tar reads: rows, files in clear, no secrets', async ({
    skip,
  }) => {
    skip(!isThere('tar'), 'tar is not installed')
    const { token } = await tokenOf(admin.clientId, admin.secret)
    oldToken = token
    const provider = { name: 'Engine', typeId: 'machine-translation' }
    const config = { url: 'http://127.0.0.1:9/', apiKey: 'canary-api-key' }
    expect((await call(token, 'POST', '/providers', { ...provider, config })).status).toBe(201)
    const job = (await call(token, 'POST', '/jobs', { jobName: 'Leaving' })).body
    const name = `${'ä long näme '.repeat(12)}.txt`
    const transfer = (
      await call(
        token,
        'POST',
        `/jobs/${job.jobId}/sourcefiles?fileName=${encodeURIComponent(name)}`,
      )
    ).body
    const form = new FormData()
    form.append('file', new Blob(['the bytes of the file']), 'x')
    expect(
      (await fetch(String(transfer.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    const fields = [{ key: 'title', value: 'canary-content' }]
    expect((await call(token, 'POST', `/jobs/${job.jobId}/sourcecontent`, { fields })).status).toBe(
      201,
    )
    const { body: listener } = await call(token, 'POST', '/statusupdates/listeners', {
      type: 'JOB_STATUS_UPDATED',
      uri: 'http://127.0.0.1:9/',
    })
    const target = join(folder, 'acme.tar')
    const { code, out, err } = await run(['sites', 'export', 'acme', '--to', target])
    expect({ code, err, out }).toEqual({
      code: 0,
      err: '',
      out: expect.stringContaining('Site acme was written to'),
    })
    const unpacked = join(folder, 'unpacked')
    mkdirSync(unpacked)
    execFileSync('tar', ['-xf', target, '-C', unpacked])
    const about = JSON.parse(readFileSync(join(unpacked, 'export.json'), 'utf8'))
    expect(about).toMatchObject({
      siteId: 'acme',
      leftOut: { client_secrets: 'It contains secrets or keys.' },
    })
    const lines = (table: string) =>
      readFileSync(join(unpacked, `rows/${table}-000001.jsonl`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    expect(lines('jobs')).toMatchObject([{ job_id: job.jobId, job_name: 'Leaving' }])
    expect(lines('source_contents')).toMatchObject([{ fields }])
    expect(lines('clients').map(({ client_id }) => client_id)).toEqual(['acme-admin'])
    const stored = join(unpacked, 'files', String(job.jobId), String(transfer.fmsFileId))
    expect(readdirSync(stored)).toEqual([name.normalize()])
    expect(readFileSync(join(stored, name), 'utf8')).toBe('the bytes of the file')
    const all = readFileSync(target, 'utf8')
    for (const secret of [
      'canary-api-key',
      admin.secret,
      String(listener.secret),
      'keyed$',
      'sealed_secret',
    ])
      expect([secret, all.includes(secret)]).toEqual([secret, false])
    const again = await run(['sites', 'export', 'acme', '--to', target])
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('EEXIST')])
    const program = spawnProgram(['sites', 'export', 'acme', '--to', '-'], env)
    expect((await program.exited).code).toBe(0)
    expect(program.stdout().startsWith('export.json')).toBe(true)
    expect((await run(['sites', 'export', 'nowhere'])).err).toContain('There is no site nowhere.')
    expect(existsSync(join(folder, 'nowhere.tar'))).toBe(false)
  })

  it('the master key is replaced while no node runs, and everything opens with the new one', async () => {
    const receiver = await startReceiver()
    try {
      const { token } = await tokenOf(admin.clientId, admin.secret)
      const keyed = {
        'idempotency-key': 'before',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      }
      const post = () =>
        fetch(`${running().url}/v2/jobs`, {
          method: 'POST',
          headers: keyed,
          body: JSON.stringify({ jobName: 'Kept' }),
        })
      const first = await (await post()).json()
      const from = env.DRAGOMAN_MASTER_KEY ?? ''
      const to = join(folder, 'new.key')
      const early = await run(['keys', 'master', '--from', 'env', '--to', to])
      expect([early.code, early.err]).toEqual([
        2,
        expect.stringContaining('were seen within the last minute'),
      ])
      const newKey = readFileSync(to, 'utf8').trim()
      await running().close()
      server = undefined
      writeFileSync(join(folder, 'wrong.key'), randomBytes(32).toString('hex'))
      const wrong = await run(['keys', 'master', '--from', join(folder, 'wrong.key'), '--to', to])
      expect([wrong.code, wrong.err.split('\n').length]).toEqual([1, 2])
      expect(wrong.err).toContain('--from is not the key')
      const { code, out, err } = await run(['keys', 'master', '--from', 'env', '--to', to])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(
        /^The master key was replaced: \d+ values sealed again, \d+ rows of the logs linked again\./,
      )
      await expect(start()).rejects.toThrow(
        'is not the one that the secrets in this database were sealed with',
      )
      env.DRAGOMAN_MASTER_KEY = newKey
      await start()
      expect((await checkHub(running().hub)).findings).toEqual([])
      // Secrets, tokens, stored answers, sealed content and listeners go on working.
      expect((await tokenOf(admin.clientId, admin.secret)).status).toBe(200)
      expect((await call(oldToken, 'GET', '/jobs')).status).toBe(200)
      expect(await (await post()).json()).toEqual(first)
      expect(from).not.toBe(newKey)
      const back = join(folder, 'back.tar')
      expect((await run(['sites', 'export', 'acme', '--to', back])).code).toBe(0)
      expect(readFileSync(back, 'utf8')).toContain('canary-content')
    } finally {
      await receiver.close()
    }
  })

  it('a site is removed on the database, by the hub that runs', async () => {
    const site = await done<{ siteId: string; removalDate: string }>(
      'sites',
      'delete',
      'acme',
      '--yes',
      '--local',
    )
    expect(site).toMatchObject({ siteId: 'acme', removalDate: expect.any(String) })
    const { read } = running().hub.db
    await expect
      .poll(async () => (await read.selectFrom('jobs').select('job_id').execute()).length)
      .toBe(0)
    const acts = await read
      .selectFrom('audit')
      .selectAll()
      .where('thing', '=', 'site')
      .orderBy('audit_id')
      .execute()
    expect(acts.at(-1)).toMatchObject({ actor: 'command line', verb: 'removed', thing_id: 'acme' })
  })
})

describe('a tar stream', () => {
  it('is read by tar, whatever the names and sizes', async ({ skip }) => {
    skip(!isThere('tar'), 'tar is not installed')
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-tar-'))
    try {
      const names = [
        'a',
        `${'d/'.repeat(30)}x`,
        `${'n'.repeat(100)}`,
        `${'m'.repeat(101)}`,
        `deep/${'o'.repeat(240)}`,
        'ü 漢字.txt',
        'a b',
      ]
      const chunks: Uint8Array[] = []
      for (const [at, name] of names.entries()) {
        const bytes = Buffer.alloc(at * 511, name)
        for await (const chunk of tarEntry({
          name,
          size: bytes.length,
          modifiedAt: 1_700_000_000_000,
          bytes: [bytes],
        }))
          chunks.push(chunk)
      }
      const file = join(folder, 'all.tar')
      writeFileSync(file, Buffer.concat([...chunks, tarEnd()]))
      execFileSync('tar', ['-xf', file, '-C', folder])
      for (const [at, name] of names.entries())
        expect([
          name,
          readFileSync(join(folder, name)).equals(Buffer.alloc(at * 511, name)),
        ]).toEqual([name, true])
      const short = tarEntry({
        name: 'short',
        size: 5,
        modifiedAt: 0,
        bytes: [Buffer.from('four')],
      })
      await expect(
        (async () => {
          for await (const _ of short);
        })(),
      ).rejects.toThrow('fewer bytes than the 5')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
