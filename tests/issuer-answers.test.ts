/** A token issuer that the operator trusts may still be broken: its answers are bounded. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'

const MiB = 1024 ** 2
let hub: TestHub
let answer: (reply: ServerResponse) => void = (reply) => reply.end()
let sent = 0
const server = createServer(({ socket }, reply) => {
  reply.on('close', () => {
    sent += socket.bytesWritten
  })
  reply.setHeader('content-type', 'application/json')
  answer(reply)
})
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  hub = await startHub({
    database: 'sqlite',
    env: {
      DRAGOMAN_ISSUER: url,
      DRAGOMAN_ISSUER_JWKS: `${url}/jwks`,
      DRAGOMAN_ISSUER_AUDIENCE: 'hub',
    },
  })
})
afterAll(async () => {
  await hub?.close()
  server.closeAllConnections()
  await new Promise<void>((closed) => server.close(() => closed()))
})

/** Anybody may send one: it is checked with the keys of the issuer. */
const forged = (): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { port } = server.address() as AddressInfo
  const claims = { iss: `http://127.0.0.1:${port}`, aud: 'hub', exp: 4_000_000_000 }
  return `${part({ alg: 'ES256', kid: 'k1' })}.${part(claims)}.${'A'.repeat(86)}`
}
const piece = Buffer.from(' '.repeat(MiB))
const answers: [string, (reply: ServerResponse) => void][] = [
  [
    'without an end',
    (reply) => {
      const pour = () => {
        while (!reply.destroyed && reply.write(piece));
      }
      reply.on('drain', pour).write('{"keys":[')
      pour()
    },
  ],
  ['of many levels', (reply) => reply.end(`{"keys":${'['.repeat(500_000)}`)],
  ['of many values', (reply) => reply.end(`{"keys":[${'[],'.repeat(300_000)}1]}`)],
  ['that are a list', (reply) => reply.end('[]')],
]
it.each(answers)('keys %s are not read on', async (_, given) => {
  answer = given
  sent = 0
  const { status, body } = await hub.call('GET', '/v2/jobs', {
    headers: { authorization: `Bearer ${forged()}` },
  })
  expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(sent).toBeLessThan(16 * MiB)
  expect((await hub.call('GET', '/v2/jobs', { as: 'demo-connector' })).status).toBe(200)
})
