/**
 * Connections that hold a socket and give nothing for it: with our own TLS as without, each ends by
 * itself, and there is a limit to how many there may be in all and from one address.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Agent, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { trustedProxies } from '../packages/server/src/config/trusted-proxies.ts'
import { type Certificate, hasOpenssl, makeCertificate, noOpenssl } from './certificates.ts'
import { holdTimers } from './held-timers.ts'
import { startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'

const patience = { handshake: 400, head: 500, body: 2_000, span: 600, minBytes: 64, keepAlive: 700 }
let folder: string
let server: Certificate | undefined
const sockets: Socket[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-connections-'))
  if (hasOpenssl) server = makeCertificate(folder, 'localhost')
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => rmSync(folder, { recursive: true }))

const tlsEnv = () => ({ DRAGOMAN_TLS_CERT: server?.certPath, DRAGOMAN_TLS_KEY: server?.keyPath })

/** Keeps its own half open, whatever the hub does: only the hub can end the connection. */
function openSocket(hub: TestHub): Socket {
  const socket = connect({
    port: Number(new URL(hub.url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  sockets.push(socket.on('error', () => {}).resume())
  return socket
}

async function openSecure(hub: TestHub): Promise<Socket> {
  const socket = tlsConnect({ socket: openSocket(hub), ca: server?.cert, servername: 'localhost' })
  sockets.push(socket.on('error', () => {}).resume())
  // On a busy machine the hub's patience may end before the handshake does.
  await new Promise((resolve) => {
    for (const event of ['secureConnect', 'error', 'close']) socket.once(event, resolve)
  })
  return socket
}

/** A call on a connection of its own, which ends with it. */
function ask(
  hub: TestHub,
  path: string,
  agent: false | Agent = false,
): Promise<{ status: number; text: string }> {
  const send = hub.url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    send(`${hub.url}${path}`, { agent, ca: server?.cert }, async (answer) =>
      resolve({
        status: answer.statusCode ?? 0,
        text: Buffer.concat(await answer.toArray()).toString(),
      }),
    )
      .on('error', reject)
      .end()
  })
}

/** What the metrics say, the connection that asks not counted. */
async function openConnections(hub: TestHub): Promise<number> {
  const { text } = await ask(hub, '/metrics')
  return Number(/^dragoman_connections (\d+)$/m.exec(text)?.[1]) - 1
}

const drip = (socket: Socket, text: string): void => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 100)
  socket.once('close', () => clearInterval(timer))
}

describe('a body far over its limit', () => {
  it('gets its 413 before the connection closes, with a length and without', async () => {
    const hub = await startHub()
    const token = await hub.token('demo-connector')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = Buffer.alloc(96 * 1024 ** 2, ' ')
    for (const sent of [{ body }, { body: new Blob([body]).stream(), duplex: 'half' as const }]) {
      const answer = await fetch(`${hub.url}/v2/jobs`, { method: 'POST', headers, ...sent })
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        413,
        'CONTENT_TOO_LARGE',
      ])
    }
    await hub.close()
  })

  it('is not read for ever', async () => {
    const hub = await startHub()
    const token = await hub.token('demo-connector')
    const timers = holdTimers(10_000)
    const socket = openSocket(hub)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write(
      `POST /v2/jobs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-length: 99999999999\r\n\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1\.1 413 /)
    socket.write(' '.repeat(1000))
    timers.fire()
    await closed
    await hub.close()
  })
})

if (!hasOpenssl) process.stderr.write(`SKIPPED: connections over TLS, because ${noOpenssl}\n`)
const schemes = hasOpenssl ? (['http', 'https'] as const) : (['http'] as const)

describe.each(schemes)('a hub on %s', (scheme) => {
  it('ends every connection on which no call comes', async () => {
    const hub = await startHub({ env: scheme === 'https' ? tlsEnv() : {}, patience })
    const open = () => (scheme === 'https' ? openSecure(hub) : openSocket(hub))
    const kinds: (() => unknown)[] = [
      () => openSocket(hub),
      () => openSocket(hub).write(Buffer.from('16030102000100', 'hex')),
      () => drip(openSocket(hub), '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
      open,
      async () => (await open()).write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-half'),
      async () => drip(await open(), 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n'),
      async () => (await open()).write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'),
      async () => (await open()).write('NONSENSE\r\n\r\n'),
      async () => (await open()).write(`GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}`),
    ]
    await Promise.all(kinds.flatMap((begin) => Array.from({ length: 5 }, begin)))
    await until('they are open', () => sockets.every(({ connecting }) => !connecting))
    await until('they are gone', async () => (await openConnections(hub)) === 0)
    // On a busy machine its patience may end before this call has said what it wants.
    await until('it answers', () =>
      ask(hub, '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    await hub.close()
  })

  it('takes the next call on a connection that has rested', async () => {
    const hub = await startHub({ env: scheme === 'https' ? tlsEnv() : {} })
    const agent = new (scheme === 'https' ? HttpsAgent : HttpAgent)({
      keepAlive: true,
      maxSockets: 1,
    })
    const ports = new Set<unknown>()
    agent.on('free', (socket: Socket) => ports.add(socket.localPort))
    for (let times = 0; times < 3; times += 1)
      expect((await ask(hub, '/healthz', agent)).status).toBe(200)
    agent.destroy()
    expect(ports.size).toBe(1)
    await hub.close()
  })

  it('does not wait, when it stops, for connections that are idle or have not said anything', async () => {
    const hub = await startHub({ env: scheme === 'https' ? tlsEnv() : {} })
    openSocket(hub)
    if (scheme === 'https') await openSecure(hub)
    const agent = new (scheme === 'https' ? HttpsAgent : HttpAgent)({ keepAlive: true })
    expect((await ask(hub, '/healthz', agent)).status).toBe(200)
    await until(
      'they are open',
      async () => (await openConnections(hub)) === (scheme === 'https' ? 3 : 2),
    )
    // The limit after which it ends those that are left never comes.
    holdTimers(10_000)
    await hub.close()
    agent.destroy()
  })

  it('limits all connections, closes those over the limit at once, and counts them', async () => {
    const hub = await startHub({
      env: { DRAGOMAN_CONNECTIONS: '10', ...(scheme === 'https' && tlsEnv()) },
    })
    expect(await openMany(hub, 25, 15)).toBe(10)
    await expect(ask(hub, '/healthz')).rejects.toThrow(/ECONNRESET|socket hang up|disconnected/)
    for (const socket of sockets.splice(0)) socket.destroy()
    const whether = () =>
      ask(hub, '/healthz')
        .then(({ status }) => status === 200)
        .catch(() => false)
    await until('there is room again', whether)
    const { text } = await ask(hub, '/metrics')
    expect(
      Number(/^dragoman_refused_connections_total{because="all"} (\d+)$/m.exec(text)?.[1]),
    ).toBeGreaterThan(15)
    expect(text).toContain('dragoman_refused_connections_total{because="address"} 0')
    await hub.close()
  })
})

/** Opens many and gives back how many the hub leaves open, once it has ended `over` of them. */
async function openMany(hub: TestHub, many: number, over: number): Promise<number> {
  let [begun, ended] = [0, 0]
  for (let times = 0; times < many; times += 1)
    openSocket(hub)
      .once('connect', () => {
        begun += 1
      })
      .once('close', () => {
        ended += 1
      })
  await until('all have come, and those over were ended', () => begun === many && ended >= over)
  await ask(hub, '/healthz').catch(() => {})
  return begun - ended
}

it('a hub limits the connections from one address without shutting out others', async () => {
  const hub = await startHub({ env: { DRAGOMAN_CONNECTIONS_PER_ADDRESS: '10' } })
  expect(await openMany(hub, 25, 15)).toBe(10)
  const other = httpRequest(`${hub.url}/metrics`, { localAddress: '127.0.0.2', agent: false }).end()
  const text = await new Promise<string>((resolve, reject) => {
    other.on('error', reject)
    other.on('response', async (answer) =>
      resolve(Buffer.concat(await answer.toArray()).toString()),
    )
  })
  expect(text).toContain('dragoman_refused_connections_total{because="address"} 16')
  await hub.close()
})

it('the connections of a trusted proxy are not those of one caller', async () => {
  const env = { DRAGOMAN_CONNECTIONS_PER_ADDRESS: '10', DRAGOMAN_TRUST_PROXY: 'loopback' }
  const hub = await startHub({ env })
  expect(await openMany(hub, 25, 0)).toBe(25)
  await hub.close()
})

it('addresses of proxies are those that the key names', () => {
  const trusts = trustedProxies('uniquelocal,192.0.2.7,2001:db8::/32')
  const trusted = [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '192.168.0.1',
    'fd00::1',
    '192.0.2.7',
    '2001:db8::9',
    '2001:db8::9%eth0',
  ]
  const others = ['192.0.2.8', '11.0.0.1', '127.0.0.1', '::1', '2001:db9::1', '', 'proxy']
  expect(trusted.map(trusts)).toEqual(trusted.map(() => true))
  expect(others.map(trusts)).toEqual(others.map(() => false))
  expect([trustedProxies(true)('192.0.2.8'), trustedProxies(false)('127.0.0.1')]).toEqual([
    true,
    false,
  ])
})

it.each([
  ['a proxy that asks to close, as nginx does', '1.0', '/v2/jobs', 413],
  ['a client that asks to close', '1.1', '/v2/jobs', 413],
  ['a client without a token that asks to close', '1.1', '/v2/jobs', 401],
] as const)(
  '%s gets its refusal while the body is still on its way',
  async (_, version, path, status) => {
    const hub = await startHub()
    const port = Number(new URL(hub.url).port)
    // A proxy sends its body to the end, whatever it has heard meanwhile.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const failed: string[] = []
    sockets.push(socket.on('error', (error) => failed.push(error.message)))
    let heard = ''
    socket.on('data', (bytes) => {
      heard += bytes
    })
    const ended = new Promise((resolve) => socket.once('end', resolve))
    try {
      const token =
        status === 401 ? '' : `authorization: Bearer ${await hub.token('demo-connector')}\r\n`
      const body = Buffer.alloc(20 * 1024 ** 2, 32)
      socket.write(
        `POST ${path} HTTP/${version}\r\nhost: 127.0.0.1\r\nconnection: close\r\n${token}content-length: ${body.length}\r\n\r\n`,
      )
      await until('the refusal', async () => heard.includes(`HTTP/1.1 ${status} `))
      const fault = await new Promise<unknown>((resolve) => socket.write(body, resolve))
      await Promise.race([ended, once(socket, 'close')])
      expect([fault ?? undefined, failed]).toEqual([undefined, []])
      expect(heard.split('HTTP/1.1 ')).toHaveLength(2)
    } finally {
      socket.destroy()
      await hub.close()
    }
  },
)

it('a refused body that is too large is read to its end: the connection is not cut while it is still on its way', async () => {
  const hub = await startHub()
  const socket = connect(Number(new URL(hub.url).port), '127.0.0.1')
  sockets.push(socket.on('error', () => {}))
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes
  })
  try {
    const head = `HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${await hub.token('demo-connector')}\r\n`
    const body = Buffer.alloc(20 * 1024 ** 2, 32)
    socket.write(`POST /v2/jobs ${head}content-length: ${body.length}\r\n\r\n`)
    await until('the refusal', async () => heard.includes('HTTP/1.1 413 '))
    await new Promise<unknown>((resolve) => socket.write(body, resolve))
    socket.write(`GET /v2/jobs ${head}\r\n`)
    await until(
      'the next answer or the end',
      async () => heard.includes('HTTP/1.1 200 ') || socket.closed,
    )
    expect(heard).toContain('HTTP/1.1 200 ')
  } finally {
    socket.destroy()
    await hub.close()
  }
})
