/** `dragoman login` and `logout`: what is kept, who can read it, and when it is used. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildProgram } from './build-program.ts'
import { startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { newProject, type Project } from './project.ts'

const root = join(import.meta.dirname, '..')
const cli = join(root, 'packages/cli/bin/dragoman.js')
let hub: TestHub
let project: Project
const homes: string[] = []
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
  const made = await hub.call<{ clientSecret: string }>('POST', '/v2/clients', {
    as: 'demo-admin',
    body: { clientId: 'my-cms', scopes: ['content'] },
  })
  secret = made.body.clientSecret
  project = newProject(hub.url, { 'secret.txt': `${secret}\n` })
})
afterAll(async () => {
  project.remove()
  for (const home of homes) rmSync(home, { recursive: true, force: true })
  await hub.close()
})
let secret = ''

const newHome = () => {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-home-'))
  homes.push(home)
  return { XDG_CONFIG_HOME: home }
}
const fileIn = (home: { XDG_CONFIG_HOME: string }) =>
  join(home.XDG_CONFIG_HOME, 'dragoman/credentials.json')

it('keeps credentials that the hub accepts, for this user only, and uses them until logout', async () => {
  const home = newHome()
  const args = ['login', hub.url, '--client-id', 'my-cms', '--secret-file', 'secret.txt']
  const done = await project.run(args, home)
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toBe(
    `Logged in to ${hub.url} as my-cms. The credentials are in ${fileIn(home)}.\n`,
  )
  expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600)
  expect(statSync(join(home.XDG_CONFIG_HOME, 'dragoman')).mode & 0o777).toBe(0o700)
  const unnamed = { ...home, HUB_URL: '' }
  const listed = await project.run(['login', '--list', '--json'], unnamed)
  expect(JSON.parse(listed.out)).toEqual([{ hub: hub.url, clientId: 'my-cms', isDefault: true }])
  expect(listed.out).not.toContain(secret)
  await project.run(['jobs'], unnamed)
  expect(await project.run(['jobs'], unnamed)).toMatchObject({ code: 0 })
  // The log is written after the response.
  const query = { client: 'my-cms' }
  await until('a call is in the log', async () => {
    const { body } = await hub.call<{ calls: object[] }>('GET', '/v2/calls', {
      as: 'demo-admin',
      query,
    })
    return body.calls.length > 0
  })
  chmodSync(fileIn(home), 0o640)
  const shared = await project.run(['jobs'], unnamed)
  expect(shared).toMatchObject({
    code: 1,
    err: expect.stringMatching(/can be read by others \(mode 640\).*chmod 600/),
  })
  chmodSync(fileIn(home), 0o600)
  expect(await project.run(['logout'], unnamed)).toMatchObject({
    code: 0,
    out: `Logged out of ${hub.url}.\n`,
  })
  expect(await project.run(['logout'], unnamed)).toMatchObject({
    code: 1,
    out: 'You are not logged in.\n',
  })
})

it('keeps nothing that the hub refuses, and says what is missing', async () => {
  const home = newHome()
  const args = ['login', hub.url, '--client-id', 'my-cms']
  const wrong = await project.run([...args, '--secret-file', 'dragoman.yml'], home)
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot be read from dragoman.yml: ENOENT'),
  })
  const refused = await project.run(args, { ...home, HUB_CLIENT_SECRET: 'guessed' })
  expect(refused).toMatchObject({ code: 4, out: '' })
  const gone = await project.run(args, { ...home, HUB_CLIENT_SECRET: 'x', HUB_URL: '' })
  expect(gone.code).toBe(4)
  const nobody = await project.run(['login', 'http://127.0.0.1:6399', '--client-id', 'a'], {
    ...home,
    HUB_CLIENT_SECRET: 'x',
  })
  expect(nobody.code).toBe(3)
  const silent = await project.run(args, home)
  expect(silent).toMatchObject({
    code: 2,
    err: expect.stringContaining('no terminal to ask on; give --secret-file'),
  })
  expect(existsSync(fileIn(home))).toBe(false)
})

it('sends nothing without encryption to a hub elsewhere, unless told to', async () => {
  const home = newHome()
  let calls = 0
  const elsewhere = createServer((_, answer) => {
    calls += 1
    answer.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  try {
    // An address that is not one of this machine by its name, and reaches it all the same.
    const url = `http://0.0.0.0:${(elsewhere.address() as AddressInfo).port}`
    const args = ['login', url, '--client-id', 'my-cms', '--secret-file', 'secret.txt']
    const refused = await project.run(args, home)
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/not encrypted.*--allow-http/),
    })
    expect(calls).toBe(0)
    expect(await project.run([...args, '--allow-http'], home)).toMatchObject({ code: 4 })
    expect(calls).toBeGreaterThan(0)
    expect(existsSync(fileIn(home))).toBe(false)
  } finally {
    elsewhere.close()
  }
})

it('reads the secret from standard input', async () => {
  const home = newHome()
  const child = spawn(
    process.execPath,
    [cli, 'login', '--client-id', 'my-cms', '--secret-file', '-'],
    {
      cwd: project.folder,
      env: { PATH: process.env.PATH, HUB_URL: hub.url, ...home },
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  child.stdin.end(secret)
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(existsSync(fileIn(home))).toBe(true)
})

/** `dragoman login` on a terminal, which util-linux's script gives it. */
function onTerminal(home: { XDG_CONFIG_HOME: string }) {
  const child = spawn('script', ['-qec', `${process.execPath} ${cli} login`, '/dev/null'], {
    cwd: project.folder,
    env: { PATH: process.env.PATH, TERM: 'xterm', ...home },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  let seen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text
  })
  const sees = (text: string) => expect.poll(() => seen).toContain(text)
  const answer = async (question: string, text: string) => {
    await sees(question)
    child.stdin.write(`${text}\r`)
  }
  const end = async () => {
    child.stdin.end()
    await closed
    return seen
  }
  return { sees, answer, end }
}

it.runIf(process.platform === 'linux')(
  'asks on a terminal, and does not show the secret',
  async () => {
    const { sees, answer, end } = onTerminal(newHome())
    await answer('Hub [http://127.0.0.1:8080]: ', hub.url)
    await answer('Client id: ', 'my-cms')
    await answer('Secret (not shown): ', secret)
    await sees(`Logged in to ${hub.url} as my-cms.`)
    expect(await end()).not.toContain(secret)
  },
)

it.runIf(process.platform === 'linux')(
  'does not ask for a secret that it would send without encryption',
  async () => {
    const { sees, answer, end } = onTerminal(newHome())
    await answer('Hub [http://127.0.0.1:8080]: ', 'http://hub.example.org')
    await sees('http://hub.example.org is not encrypted')
    expect(await end()).not.toContain('Client id')
  },
)
