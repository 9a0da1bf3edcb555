/**
 * Guessers at the token endpoint and at the SOAP service stand in a line of their own: no honest
 * client is behind them.
 */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { startHub, type TestHub } from '../hub.ts'
import { path as soapPath } from '../soap/soap-call.ts'

const many = 9
const secret = 'a secret that somebody chose'

describe('a flood of wrong secrets', () => {
  let hub: TestHub
  /** Guesses that were looked at to their end. */
  let looked = 0
  let guesses: Promise<unknown>[] = []

  beforeAll(async () => {
    hub = await startHub()
    for (const clientId of ['first', 'second', 'third'])
      await enrolClient(hub.inner, { siteId: 'demo', clientId, secret, scopes: ['settings'] })
  })
  afterAll(() => hub.close())

  /** From an address of loopback: each is another caller. */
  const call = (
    from: string,
    path: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(
        hub.url + path,
        { method: 'POST', localAddress: from, headers, agent: false },
        (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        },
      )
      sent.once('error', reject)
      sent.end(body)
    })
  const askToken = (from: string, clientId: string, shown: string) => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: shown,
    })
    return call(
      from,
      '/connect/token',
      { 'content-type': 'application/x-www-form-urlencoded' },
      form.toString(),
    )
  }
  const callSoap = (from: string, clientId: string, shown: string) => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${shown}`).toString('base64')}`
    return call(
      from,
      soapPath,
      { authorization, 'content-type': 'text/xml', soapaction: 'none' },
      '<a/>',
    )
  }

  const flood = async (ask: typeof askToken): Promise<void> => {
    await Promise.all(guesses)
    looked = 0
    guesses = Array.from({ length: many }, (_, at) =>
      ask('127.0.0.1', `nobody-${at}`, 'wrong').then((status) => {
        expect(status).toBe(401)
        looked += 1
      }),
    )
    // The first has been looked at, so all have come.
    await Promise.race(guesses)
  }

  it.each([
    ['the token endpoint', askToken, 'first', 200],
    ['the SOAP service', callSoap, 'second', 500],
  ] as const)('at %s lets another address through', async (_, ask, clientId, right) => {
    await flood(ask)
    const before = looked
    expect(await ask('127.0.0.2', clientId, secret)).toBe(right)
    expect(looked - before).toBeLessThan(3)
    await Promise.all(guesses)
    expect(looked).toBe(many)
  })

  it('keeps nobody waiting whose secret was right in the last day, not even at the same address', async () => {
    expect(await askToken('127.0.0.1', 'third', secret)).toBe(200)
    await hub.advance('23h')
    await flood(askToken)
    const before = looked
    expect(await askToken('127.0.0.1', 'third', secret)).toBe(200)
    expect(looked - before).toBeLessThan(3)
    await Promise.all(guesses)
  })

  it('is told the same for a client that is there and for one that is not', async () => {
    expect(await askToken('127.0.0.3', 'first', 'wrong')).toBe(401)
    expect(await askToken('127.0.0.3', 'nobody', 'wrong')).toBe(401)
  })
})
