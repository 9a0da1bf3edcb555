/**
 * Deliveries at the connector: verified with the listener's secret, handled once, asked for again
 * when that failed.
 */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  connect,
  type Delivery,
  HubError,
  type ReceiverOptions,
  verifyDelivery,
} from '@dragoman/sdk'
import { expressReceiver, fastifyReceiver, httpReceiver } from '@dragoman/sdk/node'
import express from 'express'
import { fastify } from 'fastify'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startHub, type TestHub } from './hub.ts'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const body = JSON.stringify({ eventType: 'REQUEST_UPDATE', jobId: 'abcdefghij', sequence: 3 })
const headersFor = (
  text = body,
  { id = 'd1', at = new Date(), under = secret } = {},
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(under).sign(id, at, text),
})

describe('verification', () => {
  it('accepts what another library of the standard signed', async () => {
    await expect(verifyDelivery(headersFor(), body, { secret })).resolves.toMatchObject({
      id: 'd1',
      delivery: { jobId: 'abcdefghij', sequence: 3 },
    })
  })

  it('accepts either secret while one is changed, and one of several signatures', async () => {
    const other = `whsec_${Buffer.from('another secret of 24 bytes').toString('base64')}`
    await expect(
      verifyDelivery(headersFor(), body, { secret: [other, secret] }),
    ).resolves.toBeTruthy()
    const headers = headersFor()
    const both = {
      ...headers,
      'webhook-signature': `v1,AAAA v1a,zzz ${headers['webhook-signature']}`,
    }
    await expect(
      verifyDelivery(new Headers(both), Buffer.from(body), { secret }),
    ).resolves.toBeTruthy()
  })

  const now = Date.now()
  const bad: [string, Record<string, string>, string][] = [
    ['another body', headersFor(), `${body} `],
    [
      'another secret',
      headersFor(body, { under: `whsec_${Buffer.alloc(32).toString('base64')}` }),
      body,
    ],
    ['another id', { ...headersFor(), 'webhook-id': 'd2' }, body],
    ['no signature', { ...headersFor(), 'webhook-signature': '' }, body],
    ['a malformed signature', { ...headersFor(), 'webhook-signature': 'v1,%%%' }, body],
    ['an old delivery', headersFor(body, { at: new Date(now - 600_000) }), body],
    ['one from the future', headersFor(body, { at: new Date(now + 600_000) }), body],
    ['a malformed time', { ...headersFor(), 'webhook-timestamp': 'soon' }, body],
  ]
  it.each(bad)('refuses %s', async (_, headers, text) => {
    await expect(verifyDelivery(headers, text, { secret })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  it('hashes the body once, however many signatures the header has', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(2 ** 20) })
    const headers = {
      ...headersFor(text),
      'webhook-signature': `v1,${'A'.repeat(43)}= `.repeat(300).trim(),
    }
    const sign = vi.spyOn(crypto.subtle, 'sign')
    onTestFinished(() => sign.mockRestore())
    await expect(verifyDelivery(headers, text, { secret })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(sign).toHaveBeenCalledTimes(1)
  })

  it('refuses a value that is not a secret instead of using it as text', async () => {
    await expect(
      verifyDelivery(headersFor(), body, { secret: 'whsec_%%%' }),
    ).rejects.toBeInstanceOf(TypeError)
  })
})

type TestReceiver = { readonly url: string; close(): Promise<void> }

async function listening(listener: RequestListener): Promise<TestReceiver> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliveries`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const receivers: [string, (options: ReceiverOptions) => Promise<TestReceiver>][] = [
  ['Node http', (options) => listening(httpReceiver(options))],
  ['Express', (options) => listening(express().post('/deliveries', expressReceiver(options)))],
  [
    'Express behind express.raw',
    (options) =>
      listening(
        express()
          .use(express.raw({ type: '*/*' }))
          .post('/deliveries', expressReceiver(options)),
      ),
  ],
  [
    'Fastify',
    async (options) => {
      const app = fastify()
      await app.register(fastifyReceiver({ path: '/deliveries', ...options }))
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      return { url: `${url}/deliveries`, close: () => app.close() }
    },
  ],
]

describe.each(receivers)('%s', (_, start) => {
  let hub: TestHub
  let receiver: TestReceiver
  const got: [string, Delivery][] = []
  const wrong: unknown[] = []
  const secrets: string[] = [secret]
  let failing = false
  beforeAll(async () => {
    hub = await startHub()
    receiver = await start({
      secret: secrets,
      onDelivery: (delivery, id) => {
        if (failing) throw new Error('not now')
        got.push([id, delivery])
      },
      onError: (error) => wrong.push(error),
    })
  })
  afterAll(async () => {
    await receiver.close()
    await hub.close()
  })
  const post = (headers: Record<string, string>, text = body) =>
    fetch(receiver.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    })

  it('hears of a real job, signed by the hub', async () => {
    const connection = connect({
      url: hub.url,
      clientId: 'demo-connector',
      clientSecret: 'demo-connector-secret',
    })
    const made = await connection.createListener({
      body: { uri: receiver.url, type: 'REQUEST_STATUS_UPDATED' },
    })
    secrets.push(made.secret ?? '')
    const job = await connection.push({
      jobName: 'heard',
      source: 'en-us',
      targets: ['de-de'],
      provider: 'Pseudo',
      items: [{ name: 'a', fields: { a: 'Text' } }],
    })
    await hub.advance('1s')
    expect(got.map(([, delivery]) => delivery.statusCode)).toContain('REVIEW_TRANSLATION')
    expect(got.every(([, delivery]) => delivery.jobId === job.jobId)).toBe(true)
    expect(wrong).toEqual([])
  })

  it('handles a delivery once, however often it comes', async () => {
    got.length = 0
    const headers = headersFor(body, { id: 'twice' })
    const answers = await Promise.all([post(headers), post(headers), post(headers)])
    answers.push(await post(headers))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(got.map(([id]) => id)).toEqual(['twice'])
  })

  it('refuses a bad signature and handles nothing', async () => {
    got.length = 0
    const answer = await post({ ...headersFor(), 'webhook-id': 'forged' })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(got).toEqual([])
    expect(wrong.at(-1)).toBeInstanceOf(HubError)
  })

  it('asks for it again when its handler failed, and then handles it', async () => {
    got.length = 0
    failing = true
    const headers = headersFor(body, { id: 'again' })
    expect((await post(headers)).status).toBe(500)
    failing = false
    expect((await post(headers)).status).toBe(204)
    expect(got.map(([id]) => id)).toEqual(['again'])
  })
})

it('Express says so where a parser was before it', async () => {
  const app = express()
    .use(express.json())
    .post('/deliveries', expressReceiver({ secret, onDelivery: () => {} }))
  const receiver = await listening(app)
  const headers = { 'content-type': 'application/json', ...headersFor() }
  const answer = await fetch(receiver.url, { method: 'POST', headers, body })
  expect(answer.status).toBe(500)
  expect(await answer.text()).toContain('mount the receiver first')
  await receiver.close()
})
