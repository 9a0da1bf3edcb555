import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Listening, listen, type Patience, serverOptions } from './listen.ts'

const patience = {
  handshake: 300,
  head: 300,
  body: 1_500,
  span: 300,
  minBytes: 64,
  keepAlive: 60_000,
}
const opened: Listening[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const listening of opened.splice(0)) await listening.drain(0)
})

async function open(answer: RequestListener, more: Partial<Patience> = {}): Promise<Listening> {
  const own = { ...patience, ...more }
  const server = createServer(serverOptions(own), answer)
  const listening = await listen(server, { host: '127.0.0.1', port: 0 }, { patience: own })
  opened.push(listening)
  return listening
}

/** A caller on a bare socket, and when the hub cut it off. */
function call(
  port: number,
  text: string,
): { socket: Socket; cut: Promise<string>; heard(): string } {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let heard = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    heard += piece
  })
  socket.on('error', () => {})
  socket.write(text)
  return {
    socket,
    cut: new Promise((resolve) => socket.once('close', () => resolve('cut'))),
    heard: () => heard,
  }
}

const readAll: RequestListener = (incoming, answer) => {
  let bytes = 0
  incoming.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  incoming.on('end', () => answer.end(`got ${bytes}`))
}
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`

test('a head that does not arrive in time is refused', async () => {
  const { port } = await open(readAll)
  const slow = call(port, 'GET / HTTP/1.1\r\nhost:')
  const silent = call(port, '')
  expect(await Promise.all([slow.cut, silent.cut])).toEqual(['cut', 'cut'])
})

test('a body that trickles is cut off, and others are served meanwhile', async () => {
  // However late a busy machine reads the head of the other call.
  const { port } = await open(readAll, { head: 600_000 })
  const slow = call(port, head('/fms/files/1', 10_000))
  const drip = setInterval(() => slow.socket.write('x'), 50)
  const good = call(port, `${head('/v2/jobs', 3)}abc`)
  await expect.poll(good.heard).toContain('got 3')
  expect(await slow.cut).toBe('cut')
  clearInterval(drip)
})

/** The time by which callers are judged, which now moves only when the test moves it. */
function stopTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return (ms) => vi.advanceTimersByTime(ms)
}

test('a long upload may take its time while it moves; any other body may not', async () => {
  const pass = stopTime()
  const arrived = { upload: 0, other: 0 }
  const { port } = await open((incoming, answer) => {
    const which = incoming.url === '/v2/jobs' ? 'other' : 'upload'
    incoming.on('data', (piece: Buffer) => {
      arrived[which] += piece.length
    })
    readAll(incoming, answer)
  })
  const upload = call(port, head('/fms/files/1', 100 * 30))
  const other = call(port, head('/v2/jobs', 1_000_000))
  for (let times = 1; times <= 30; times++) {
    for (const { socket } of [upload, other]) socket.write('x'.repeat(100))
    const isCut = other.socket.closed
    await expect.poll(() => arrived.upload).toBe(100 * times)
    if (!isCut)
      await expect.poll(() => arrived.other === 100 * times || other.socket.closed).toBe(true)
    pass(100)
  }
  expect(await other.cut).toBe('cut')
  await expect.poll(upload.heard).toContain('got 3000')
})

test('a caller is not cut off because the hub itself is slow', async () => {
  const pass = stopTime()
  const read: (() => void)[] = []
  const { port } = await open((incoming, answer) => read.push(() => readAll(incoming, answer)))
  const big = call(port, head('/fms/files/1', 5_000_000))
  big.socket.write('x'.repeat(5_000_000))
  const small = call(port, `${head('/v2/jobs', 3)}abc`)
  await expect.poll(() => read.length).toBe(2)
  // All that fits has come, and is neither read nor answered for several spans of patience.
  for (let times = 0; times < 4; times++) {
    pass(patience.span)
    await new Promise((turn) => setImmediate(turn))
  }
  for (const one of read) one()
  await expect.poll(small.heard).toContain('got 3')
  await expect.poll(big.heard).toContain('got 5000000')
})

test('a slow reader is disconnected', async () => {
  let closed = ''
  const { port } = await open((_, answer) => {
    answer.on('close', () => {
      closed = 'closed'
    })
    answer.end(Buffer.alloc(64 * 1024 * 1024))
  })
  const lazy = call(port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  lazy.socket.pause()
  await expect.poll(() => closed).toBe('closed')
})

test('drain waits for a running call, tells it to close, and takes no other', async () => {
  let finish = () => {}
  const listening = await open((_, answer) => {
    finish = () => answer.end('whole')
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    request(
      { port: listening.port, host: '127.0.0.1', headers: { connection: 'keep-alive' } },
      resolve,
    )
      .on('error', reject)
      .end(),
  )
  const running = finish
  await expect.poll(() => finish !== running).toBe(true)
  let drained = false
  const done = listening.drain(20_000).then(() => {
    drained = true
  })
  const late = call(listening.port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(await late.cut).toBe('cut')
  expect(late.heard()).toBe('')
  expect(drained).toBe(false)
  finish()
  const answer = await answered
  expect(answer.headers.connection).toBe('close')
  expect(Buffer.concat(await answer.toArray()).toString()).toBe('whole')
  await done
})

test('drain cuts off what does not end', async () => {
  const listening = await open(() => {})
  const stuck = call(listening.port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise((resolve) => stuck.socket.once('connect', resolve))
  await listening.drain(200)
  expect(await stuck.cut).toBe('cut')
})
