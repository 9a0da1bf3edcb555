/**
 * docs/operator-recipes.md: its commands run as they stand, in one shell after the other, on one
 * hub. Folders of the machine are in a temporary one; `sudo` only runs its command, and `systemctl`
 * asks this test to stop and start the hub.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { buildProgram } from './build-program.ts'
import { blocksOf, root } from './doc-commands.ts'
import { freePort } from './free-port.ts'
import { hasPostgres } from './hub-place.ts'
import { usePostgres } from './postgres.ts'
import { quickFolder } from './quick-folder.ts'

const program = join(root, 'packages/cli/bin/dragoman.js')
const postgres = usePostgres(inject('postgresUrl'))
const machine = quickFolder('dragoman-machine-')
const [etc, data, safe] = [join(machine, 'etc'), join(machine, 'data'), join(machine, 'safe')]
const database = `recipe_${process.pid}`
let port = 0
let url = ''
let hub: ChildProcess | undefined

async function start(): Promise<void> {
  const env = { PATH: process.env.PATH, DRAGOMAN_CONFIG: join(etc, 'hub.yml') }
  const child = spawn(process.execPath, [program, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  hub = child
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(said)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (more: Buffer) => {
        said += more.toString()
        if (said.includes('is ready at')) resolve()
      })
  })
}
async function stop(): Promise<void> {
  if (!hub || hub.exitCode !== null) return
  const gone = once(hub, 'exit')
  hub.kill('SIGTERM')
  await gone
}

/** Does what systemctl is asked for. */
const control = createServer((call, reply) => {
  text(call)
    .then((asked) => (asked.startsWith('stop ') ? stop() : start()))
    .then(
      () => reply.end(),
      (error: unknown) => reply.writeHead(500).end(String(error)),
    )
})

beforeAll(async () => {
  if (!hasPostgres) return
  await buildProgram()
  port = await freePort()
  url = `http://127.0.0.1:${port}`
  for (const folder of ['bin', 'etc', 'data', 'safe']) mkdirSync(join(machine, folder))
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  const at = `http://127.0.0.1:${(control.address() as AddressInfo).port}`
  const scripts = {
    dragoman: `exec "${process.execPath}" "${program}" "$@"`,
    sudo: 'if [ "$1" = -u ]; then shift 2; fi; exec env "$@"',
    systemctl: `exec curl --silent --show-error --fail-with-body --data "$*" ${at}`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(machine, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(machine, 'bin', name), 0o755)
  }
  const settings = {
    PROFILE: 'production',
    DATA: data,
    PORT: port,
    DRAIN_DELAY: '0s',
    METRICS: '127.0.0.1:0',
  }
  const lines = Object.entries(settings).map(([name, value]) => `DRAGOMAN_${name}: ${value}\n`)
  writeFileSync(join(etc, 'hub.yml'), lines.join(''))
  await start()
})
afterAll(async () => {
  await stop()
  control.close()
  if (hasPostgres) await postgres.dropDatabase(postgres.url(database))
  rmSync(machine, { recursive: true, force: true })
})

const [prelude = '', ...blocks] = blocksOf('docs/operator-recipes.md', 'sh machine')
/** The words of the page that stand for something of its reader's. */
const asHere = (script: string): string =>
  Object.entries({
    '/etc/dragoman/': `${etc}/`,
    '/var/lib/dragoman': data,
    '/srv/backup/dragoman': join(machine, 'backups'),
    '/media/safe': safe,
    '-o dragoman -g dragoman ': '',
    '192.0.2.0/24': '127.0.0.0/8',
    'postgres://postgres@db.example.org/postgres': inject('postgresUrl'),
    'postgres://dragoman@db.example.org/dragoman': postgres.url(database),
    '--owner dragoman dragoman': `--owner dragoman ${database}`,
  }).reduce((now, [word, by]) => now.replaceAll(word, by), script)

/** Runs one block, in a shell that has run the first one. */
function run(block: string | undefined): Promise<string> {
  const [first = '', rest = ''] = prelude.split(/\n(?=hub check)/)
  const script = asHere(`${first}\n${block ?? rest}`)
  const env = {
    PATH: `${join(machine, 'bin')}:${process.env.PATH}`,
    HOME: machine,
    HUB_URL: 'http://127.0.0.1:9',
  }
  return new Promise((resolve, reject) =>
    execFile('sh', ['-eu', '-c', script], { cwd: machine, env }, (error, out, err) =>
      error ? reject(new Error(`${error.message}\n${out}\n${err}`)) : resolve(out),
    ),
  )
}

async function tokenOf(id: string, secret: string): Promise<{ authorization: string }> {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const answer = await fetch(`${url}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  expect([id, answer.status]).toEqual([id, 200])
  return {
    authorization: `Bearer ${((await answer.json()) as { access_token: string }).access_token}`,
  }
}

if (hasPostgres)
  it('the recipes of operators, from two sites to PostgreSQL', async () => {
    const [sites, newKey, leaked, disaster, move, ...more] = blocks
    expect(more).toEqual([])
    await run(undefined)

    const secrets = [...(await run(sites)).matchAll(/client_secret\s+(\S+)/g)].map(
      ([, secret = '']) => secret,
    )
    const [acme = '', , globex = ''] = secrets
    expect(secrets).toHaveLength(4)
    const headers = await tokenOf('acme-cms', acme)
    const job = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"jobName":"Kept"}',
    }
    const { jobId } = (await (await fetch(`${url}/v2/jobs`, job)).json()) as { jobId: string }
    /** The statuses that the two sites get for the job of the first. */
    const seen = async () => {
      const tokens = [await tokenOf('acme-cms', acme), await tokenOf('globex-cms', globex)]
      const asked = tokens.map(
        async (own) => (await fetch(`${url}/v2/jobs/${jobId}`, { headers: own })).status,
      )
      return Promise.all(asked)
    }
    expect(await seen()).toEqual([200, 404])

    const key = () => readFileSync(join(data, 'master.key'), 'utf8')
    const before = key()
    expect(await run(newKey)).toContain('Backup ')
    expect([key() === before, readFileSync(join(safe, 'master.key.old'), 'utf8')]).toEqual([
      false,
      before,
    ])
    expect(readFileSync(join(safe, 'master.key'), 'utf8')).toBe(key())
    // The token from before the new key is good until the next block.
    const old = () => fetch(`${url}/v2/jobs/${jobId}`, { headers }).then(({ status }) => status)
    expect(await old()).toBe(200)
    await run(leaked)
    await expect.poll(old).toBe(401)
    expect(await seen()).toEqual([200, 404])

    // The last backup is from before that.
    await stop()
    rmSync(data, { recursive: true })
    expect(await run(disaster)).toContain('Restored backup ')
    expect(await seen()).toEqual([200, 404])

    expect(await run(move)).toContain('Backup ')
    expect(readFileSync(join(etc, 'hub.yml'), 'utf8')).toContain(
      `DRAGOMAN_DATABASE_URL: ${postgres.url(database)}`,
    )
    rmSync(join(data, 'dragoman.db'))
    expect(await seen()).toEqual([200, 404])
  })
