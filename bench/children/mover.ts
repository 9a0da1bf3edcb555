/**
 * Moves files, in its own process: sends one in a single call or in pieces, reads one, or computes
 * its sha256.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { answer } from '../child.ts'

export type Send = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly file: string
  /** The body before and after the file. */
  readonly around?: readonly [string, string]
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const readBytes = 1024 ** 2

/** Seconds from the first byte to the complete response. */
async function send({ url, method, headers, file, around = ['', ''] }: Send): Promise<number> {
  const [before, after] = around.map((text) => Buffer.from(text)) as [Buffer, Buffer]
  const length = before.length + (await stat(file)).size + after.length
  async function* body() {
    if (before.length > 0) yield before
    yield* createReadStream(file, { highWaterMark: readBytes })
    if (after.length > 0) yield after
  }
  const begun = performance.now()
  await call(url, method, { ...headers, 'content-length': String(length) }, body())
  return (performance.now() - begun) / 1_000
}

/** The same by TUS, in pieces of this many bytes, one after another. */
async function sendPieces({
  url,
  headers,
  file,
  pieceBytes,
}: Send & { pieceBytes: number }): Promise<number> {
  const handle = await open(file, 'r')
  const begun = performance.now()
  try {
    const piece = Buffer.allocUnsafe(pieceBytes)
    for (let offset = 0; ; ) {
      const { bytesRead } = await handle.read(piece, 0, pieceBytes, offset)
      if (bytesRead === 0) break
      const sent = {
        ...headers,
        'upload-offset': String(offset),
        'content-length': String(bytesRead),
      }
      await call(url, 'PATCH', sent, [piece.subarray(0, bytesRead)])
      offset += bytesRead
    }
  } finally {
    await handle.close()
  }
  return (performance.now() - begun) / 1_000
}

async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: AsyncIterable<Buffer> | Buffer[],
) {
  const outgoing = request(url, { method, headers, agent })
  const answered = new Promise<void>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const isGood = (response.statusCode ?? 500) < 300
      response.on('end', () =>
        isGood ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      )
      response.on('error', reject).resume()
    })
  })
  answered.catch(() => {})
  for await (const bytes of body)
    if (!outgoing.write(bytes))
      await Promise.race([new Promise((next) => outgoing.once('drain', next)), answered])
  outgoing.end()
  await answered
}

/**
 * Seconds to read it all. On a bare socket into one buffer: a slow reader would hide how fast the
 * sender is.
 */
function read(address: string): Promise<number> {
  const url = new URL(address)
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    let head = ''
    let left = -1
    const buffer = Buffer.allocUnsafe(256 * 1024)
    const take = (size: number): boolean => {
      if (left < 0) {
        head += buffer.toString('latin1', 0, size)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return true
        const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1]
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          socket.destroy(new Error(`${address} answered ${head.slice(0, end)}`))
          return false
        }
        left = Number(length) - (head.length - end - 4)
      } else left -= size
      if (left > 0) return true
      resolve((performance.now() - begun) / 1_000)
      socket.destroy()
      return false
    }
    const socket = connect({
      port: Number(url.port),
      host: url.hostname,
      onread: { buffer, callback: take },
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${address} broke off with ${left} bytes to come`)))
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`,
    )
  })
}

async function digest(source: { url: string } | { file: string }): Promise<string> {
  const hash = createHash('sha256')
  const bytes = 'file' in source ? createReadStream(source.file) : (await fetch(source.url)).body
  for await (const piece of bytes ?? []) hash.update(piece as Uint8Array)
  return hash.digest('hex')
}

const verbs = { send, sendPieces, read, digest }
export type MoverVerbs = typeof verbs
answer(verbs)
