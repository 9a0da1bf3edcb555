import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig } from '../packages/server/src/config/config.ts'
import { hasOpenssl, noOpenssl } from './certificates.ts'
import { holdTimers } from './held-timers.ts'
import { type Env, spawnProgram, startHub, startProcess, type TestProcess } from './hub.ts'

// Many processes are started here, and the machine may have other things to do.
let folder = ''
const begun: TestProcess[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-process-test-'))
})
afterAll(async () => {
  for (const one of begun) await one.close()
  rmSync(folder, { recursive: true })
})

async function start(env: Env = {}): Promise<TestProcess> {
  const started = await startProcess(env)
  begun.push(started)
  return started
}
const freshData = () => join(folder, randomBytes(4).toString('hex'))
const strongSecret = () => randomBytes(24).toString('base64url')
const real = (): Env => ({
  DRAGOMAN_PROFILE: 'production',
  DRAGOMAN_DATA: freshData(),
  DRAGOMAN_DRAIN_DELAY: '0s',
})

/**
 * What the program said when it refused to start: one sentence, no stack, nothing on standard
 * output.
 */
async function refusal(env: Env): Promise<string> {
  const spawned = spawnProgram(['serve'], {
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: freshData(),
    ...env,
  })
  const exit = await spawned.exited
  expect(exit).toEqual({ code: 1, signal: null })
  expect(spawned.stdout()).toBe('')
  const said = spawned
    .stderr()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
  expect(said, 'one sentence beside the log').toHaveLength(1)
  return said.join()
}

async function tokenOf(
  url: string,
  clientId: string,
  secret = `${clientId}-secret`,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  })
  const answer = await fetch(`${url}/connect/token`, { method: 'POST', body })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A POST /v2/jobs whose head the hub has taken and whose body it still waits for. */
async function beginCall(
  hub: TestProcess,
): Promise<{ finish(): void; answer: Promise<{ status: number; text: string }> }> {
  const token = await tokenOf(hub.url, 'demo-connector')
  const body = JSON.stringify({ jobName: 'written while the hub stops' })
  const call = httpRequest(`${hub.url}/v2/jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  })
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })
  answer.catch(() => {})
  call.flushHeaders()
  await new Promise((resolve) => call.once('continue', resolve))
  call.write(body.slice(0, 5))
  return { finish: () => call.end(body.slice(5)), answer }
}

test('a ready hub says so on one line, lives, is ready, and ends with 0 when told', async () => {
  const hub = await start()
  expect(hub.stdout()).toMatch(/^Dragoman is ready at http:\/\/127\.0\.0\.1:\d+ \(sandbox\)\n$/)
  expect((await fetch(`${hub.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${hub.url}/readyz`)).status).toBe(200)
  const metrics = await fetch(`${hub.url}/metrics`)
  expect(metrics.status).toBe(200)
  expect(await metrics.text()).toContain('# TYPE process_cpu_user_seconds_total counter')
  hub.signal('SIGTERM')
  expect(await hub.exited).toEqual({ code: 0, signal: null })
  expect(hub.stdout().trim().split('\n')).toHaveLength(1)
  for (const line of hub.stderr().trim().split('\n'))
    expect(() => JSON.parse(line), line).not.toThrow()
})

test('the master key of the data folder is for its owner alone and stays the same', async () => {
  const data = freshData()
  const hub = await start({ DRAGOMAN_DATA: data })
  const file = join(data, 'master.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(file, 'utf8')
  const token = await tokenOf(hub.url, 'demo-admin')
  const port = new URL(hub.url).port
  await hub.close()
  const again = await start({ DRAGOMAN_DATA: data, DRAGOMAN_PORT: port })
  expect(readFileSync(file, 'utf8')).toBe(key)
  const answer = await fetch(`${again.url}/v2/jobs`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status, 'a token from before the restart').toBe(200)
  await again.close()
  // Another key, or none at all, cannot open what was sealed.
  const other = randomBytes(32).toString('hex')
  const sandbox = { DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_DATA: data }
  expect(await refusal({ ...sandbox, DRAGOMAN_MASTER_KEY: other })).toContain(
    'DRAGOMAN_MASTER_KEY is not the one',
  )
  rmSync(file)
  expect(await refusal(sandbox)).toContain('master.key is missing')
  expect(existsSync(file), 'no new key over the old secrets').toBe(false)
  writeFileSync(file, 'not a key')
  expect(await refusal(sandbox)).toContain('does not contain a master key')
  writeFileSync(file, key)
  chmodSync(file, 0o600)
  expect((await start(sandbox)).url).toContain('http')
})

describe('a hub that is signalled to stop', () => {
  test('finishes the call that runs, takes no new one, and ends with 0', async () => {
    const data = freshData()
    const hub = await start({ DRAGOMAN_DATA: data })
    const call = await beginCall(hub)
    hub.signal('SIGTERM')
    await expect.poll(() => fetch(`${hub.url}/healthz`).catch(() => 'refused')).toBe('refused')
    call.finish()
    const { status, text } = await call.answer
    expect(status).toBe(201)
    expect(await hub.exited).toEqual({ code: 0, signal: null })
    const again = await start({ DRAGOMAN_DATA: data })
    const { jobId } = JSON.parse(text) as { jobId: string }
    const token = await tokenOf(again.url, 'demo-connector')
    const found = await fetch(`${again.url}/v2/jobs/${jobId}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(found.status).toBe(200)
  })

  test('answers /readyz with 503 for DRAGOMAN_DRAIN_DELAY, so that a balancer loses no call', async () => {
    const hub = await startHub({ env: { DRAGOMAN_DRAIN_DELAY: '6s' } })
    const headers = {
      authorization: `Bearer ${await hub.token('demo-connector')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ jobName: 'sent on by a balancer' })
    const send = () => fetch(`${hub.url}/v2/jobs`, { method: 'POST', headers, body })
    let ready = true
    const outcomes: unknown[] = []
    const sending = Array.from({ length: 4 }, async () => {
      while (ready) outcomes.push(await send().then(({ status }) => status, String))
    })
    await expect.poll(() => outcomes.length).toBeGreaterThan(8)
    // The delay ends when the test says so.
    const timers = holdTimers(6_000)
    let isClosed = false
    const closed = hub.close().then(() => {
      isClosed = true
    })
    await expect.poll(async () => (await fetch(`${hub.url}/readyz`)).status).toBe(503)
    expect(await (await fetch(`${hub.url}/readyz`)).text()).toContain('the hub is stopping')
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200)
    const late = await send()
    expect(late.status).toBe(201)
    expect(late.headers.get('connection'), 'the next call comes on another connection').toBe(
      'close',
    )
    ready = false
    await Promise.all(sending)
    expect(outcomes.filter((outcome) => outcome !== 201)).toEqual([])
    expect(isClosed).toBe(false)
    timers.fire()
    await closed
  })

  test('ends at once when it is told a second time', async () => {
    const hub = await start()
    const call = await beginCall(hub)
    hub.signal('SIGTERM')
    await expect.poll(() => hub.stderr()).toContain('"stopping"')
    // A signal that follows within a blink is taken for the same one: it comes again until the hub
    // is gone.
    const insist = setInterval(() => hub.signal('SIGTERM'), 100)
    const exit = await hub.exited
    clearInterval(insist)
    // Had it waited for the call, it would have ended with 0.
    expect(exit).toEqual({ code: 143, signal: null })
    await expect(call.answer).rejects.toThrow()
  })
})

describe('what prevents the start', () => {
  const secret = {
    DRAGOMAN_BOOTSTRAP_CLIENT_ID: 'demo-admin',
    DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: 'demo-admin-secret',
  }
  // The program prints the sentence of whichever mistake it is: the first row below runs it.
  test.each([
    ['a bad port', { DRAGOMAN_PORT: 'http' }, 'DRAGOMAN_PORT is "http"'],
    ['a bad profile', { DRAGOMAN_PROFILE: 'prod' }, 'DRAGOMAN_PROFILE is "prod"'],
    [
      'a sandbox for everyone',
      { DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_HOST: '0.0.0.0' },
      'DRAGOMAN_HOST',
    ],
    [
      'PostgreSQL without a master key',
      { DRAGOMAN_DATABASE_URL: 'postgres://127.0.0.1/x' },
      'DRAGOMAN_MASTER_KEY',
    ],
    [
      'a master key of zeros',
      { DRAGOMAN_MASTER_KEY: '0'.repeat(64) },
      'DRAGOMAN_MASTER_KEY is not random',
    ],
    ['a well-known secret', secret, 'DRAGOMAN_BOOTSTRAP_CLIENT_SECRET'],
  ] as const)('%s is named', (_, env, says) => {
    const read = () => readConfig({ DRAGOMAN_PORT: '0', DRAGOMAN_DATA: freshData(), ...env })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(says)
  })

  test.each([
    ['an unknown key', { DRAGOMAN_PROT: '80' }, 'DRAGOMAN_PROT'],
    [
      'a PostgreSQL that does not answer',
      {
        DRAGOMAN_DATABASE_URL: 'postgres://hub:sesame@127.0.0.1:1/x',
        DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
      },
      'could not start',
    ],
    ['a data folder that cannot be created', { DRAGOMAN_DATA: '/dev/null/data' }, '/dev/null'],
  ] as const)('%s is named by the program, in one sentence', async (_, env, says) => {
    const message = await refusal(env)
    expect(message).toContain(says)
    expect(message).not.toContain('sesame')
  })

  test('a second node on one SQLite database', async () => {
    const data = freshData()
    const hub = await start({ DRAGOMAN_DATA: data })
    expect(await refusal({ DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_DATA: data })).toContain(
      'Another hub is running',
    )
    expect((await fetch(`${hub.url}/readyz`)).status, 'the first goes on').toBe(200)
    await hub.close()
    expect(
      (await start({ DRAGOMAN_DATA: data })).url,
      'a killed one leaves no lock behind',
    ).toContain('http')
  })

  test('an address that is in use', async () => {
    const hub = await start()
    const port = new URL(hub.url).port
    expect(await refusal({ DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_PORT: port })).toContain(port)
  })

  test('a database that the sandbox made, and the other way round', async () => {
    const sandbox = { DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_DATA: freshData() }
    await (await start(sandbox)).close()
    expect(await refusal({ ...sandbox, DRAGOMAN_PROFILE: 'production' })).toContain(
      'created by the sandbox',
    )
    const production = real()
    await (await start(production)).close()
    expect(await refusal({ ...production, DRAGOMAN_PROFILE: 'sandbox' })).toContain('is a real one')
    await (await start({ ...production, DRAGOMAN_PROFILE: 'staging' })).close()
  })
})

test('production has its bootstrap client, and nothing of the sandbox', async () => {
  const secret = strongSecret()
  const bootstrap = {
    DRAGOMAN_BOOTSTRAP_CLIENT_ID: 'first',
    DRAGOMAN_BOOTSTRAP_CLIENT_SECRET: secret,
  }
  const hub = await start({ ...real(), ...bootstrap, DRAGOMAN_METRICS: '127.0.0.1:0' })
  expect(hub.stdout()).toContain('(production)')
  const token = await tokenOf(hub.url, 'first', secret)
  const answer = await fetch(`${hub.url}/v2/jobs`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('ratelimit-policy')).toContain('20')
  for (const path of ['/metrics', '/sandbox/clock'])
    expect((await fetch(`${hub.url}${path}`)).status, path).toBe(404)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-admin',
    client_secret: 'demo-admin-secret',
  })
  expect((await fetch(`${hub.url}/connect/token`, { method: 'POST', body })).status).toBe(401)
  hub.signal('SIGTERM')
  expect((await hub.exited).code).toBe(0)
  expect(hub.stdout() + hub.stderr()).not.toContain(secret)
  expect(hub.stdout() + hub.stderr()).not.toContain(token)
})

test('with a certificate it speaks HTTPS, TLS 1.2 and up', async ({ skip }) => {
  skip(!hasOpenssl, noOpenssl)
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const make =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1'
  execFileSync('openssl', [...make.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const hub = await start({ DRAGOMAN_TLS_CERT: cert, DRAGOMAN_TLS_KEY: key })
  expect(hub.url).toMatch(/^https:/)
  const ca = readFileSync(cert)
  const status = await new Promise((resolve, reject) => {
    httpsRequest(`${hub.url}/healthz`, { ca }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(200)
  const port = Number(new URL(hub.url).port)
  const protocol = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise((resolve) => {
      // Seclevel 0, so that it is the hub that refuses the old one and not our own side.
      const only = {
        ca,
        port,
        host: '127.0.0.1',
        minVersion: version,
        maxVersion: version,
        ciphers: 'ALL:@SECLEVEL=0',
      } as const
      const socket = tlsConnect(only, () => {
        resolve(socket.getProtocol())
        socket.destroy()
      }).on('error', () => resolve('refused'))
    })
  expect(
    await Promise.all([protocol('TLSv1.1'), protocol('TLSv1.2'), protocol('TLSv1.3')]),
  ).toEqual(['refused', 'TLSv1.2', 'TLSv1.3'])
  hub.signal('SIGINT')
  expect((await hub.exited).code).toBe(0)
})

test('it listens on IPv6', async () => {
  const hub = await start({ DRAGOMAN_HOST: '[::1]' })
  expect(hub.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await fetch(`${hub.url}/healthz`)).status).toBe(200)
})

test('npm start is the sandbox, and ends with npm', async () => {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    DRAGOMAN_PORT: '0',
    DRAGOMAN_DATA: freshData(),
  }
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const group = -(npm.pid ?? 0)
  onTestFinished(() => {
    try {
      process.kill(group, 'SIGKILL')
    } catch {
      // As it should be: nothing is left of it.
    }
  })
  // The pipes are closed when the last of them has ended: npm, its shell and the hub.
  const ended = new Promise((resolve) => npm.once('close', resolve))
  const said = { out: '', err: '' }
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  await new Promise<void>((resolve, reject) => {
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.out += text
      if (said.out.includes('ready at')) resolve()
    })
    npm.once('close', () => reject(new Error(`it ended: ${said.out} ${said.err}`)))
  })
  const url = /^Dragoman is ready at (\S+) \(sandbox\)$/m.exec(said.out)?.[1] ?? ''
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  npm.kill('SIGTERM')
  await ended
  expect(said.err).toContain('"stopped"')
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})
