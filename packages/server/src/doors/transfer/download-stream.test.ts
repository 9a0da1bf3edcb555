/**
 * Memory that is taken away too early would be seen on the other side of the socket: as bytes of
 * something else.
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { downloadStream } from './download-stream.ts'

const source = Array.from({ length: 40 }, () => randomBytes(256 * 1024))
const expected = createHash('sha256').update(Buffer.concat(source)).digest('hex')

/** Serves the pieces once; gives back what was sent and what is left of the pieces. */
async function serve(send: (pieces: AsyncIterable<Uint8Array>, answer: ServerResponse) => void) {
  const pieces = source.map((piece) => Buffer.from(Uint8Array.from(piece).buffer))
  async function* all() {
    yield* pieces
  }
  const server = createServer((_call, answer) => send(all(), answer)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { pieces, url: `http://127.0.0.1:${port}/` }
}

async function readAll(url: string, slowly: boolean): Promise<string> {
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage]
  const hash = createHash('sha256')
  for await (const piece of answer) {
    hash.update(piece)
    if (slowly) await new Promise((resolve) => setImmediate(resolve))
  }
  return hash.digest('hex')
}

test.each([false, true])(
  'sends every byte and frees the memory on the way (slow reader: %s)',
  async (slowly) => {
    const { pieces, url } = await serve(
      (all, answer) => void downloadStream(all, answer).pipe(answer),
    )
    expect(await readAll(url, slowly)).toBe(expected)
    expect(pieces.filter((piece) => piece.byteLength === 0).length).toBeGreaterThan(
      pieces.length / 2,
    )
  },
)

test('does not free the memory if another stream is between it and the response', async () => {
  const { pieces, url } = await serve((all, answer) => {
    downloadStream(all, answer)
      .pipe(new PassThrough({ highWaterMark: 2 ** 26 }))
      .pipe(answer)
  })
  expect(await readAll(url, true)).toBe(expected)
  expect(pieces.every((piece) => piece.byteLength > 0)).toBe(true)
})
