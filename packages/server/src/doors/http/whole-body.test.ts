import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveBody } from './whole-body.ts'

const app = Fastify({ bodyLimit: 300_000 })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', receiveBody)
app.post('/', (call) => (call.body as Buffer).toString('latin1'))
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => app.close())

async function send(pieces: readonly string[], headers: Record<string, string | number>) {
  const { port } = app.server.address() as AddressInfo
  const call = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-type': 'a/b', ...headers },
  })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  for (const piece of pieces) {
    call.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  call.end()
  const [answer] = await answered
  let text = ''
  for await (const part of answer) text += part
  return { status: answer.statusCode, text }
}

const pieces = ['a'.repeat(100_000), 'b', 'c'.repeat(150_000), 'd'.repeat(3)]
const whole = pieces.join('')

test('a body is read whole, whether it declares its length or not', async () => {
  expect(await send(pieces, { 'content-length': whole.length })).toEqual({
    status: 200,
    text: whole,
  })
  expect(await send(pieces, { 'transfer-encoding': 'chunked' })).toEqual({
    status: 200,
    text: whole,
  })
  expect(await send([], { 'transfer-encoding': 'chunked' })).toEqual({ status: 200, text: '' })
})

test('a body above the limit is refused, whether it declares its length or not', async () => {
  const large = [...pieces, 'e'.repeat(100_000)]
  const length = large.join('').length
  expect(await send(large, { 'content-length': length })).toMatchObject({ status: 413 })
  expect(await send(large, { 'transfer-encoding': 'chunked' })).toMatchObject({ status: 413 })
})
