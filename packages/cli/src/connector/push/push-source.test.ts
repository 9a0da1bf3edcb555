/** A source language without a region, at a hub whose providers say what they translate from. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '@dragoman/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceFor } from './push-source.ts'

let sources: string[] = []
const server = createServer(({ method }, answer) => {
  const provider = {
    id: 'p',
    name: 'P',
    status: 'ENABLED',
    capabilities: { supportedLanguages: [{ sources, targets: [] }] },
  }
  const said =
    method === 'POST'
      ? { access_token: 't', token_type: 'bearer', expires_in: 60 }
      : { providers: [provider], pagination: {} }
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

async function settle(code: string, languages?: Record<string, string>) {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const screen = {
    env: {},
    out: say,
    err: say,
    cwd: '/',
    columns: 80,
    isTerminal: { out: false, err: false },
  }
  const hub = connect({ url, clientId: 'a', clientSecret: 'b' })
  const project = { root: '/', ...(languages && { languages }) }
  return [await sourceFor({ hub, project, folder: '/', url, clientId: 'a' }, code, screen), ...said]
}

it('is the only one that the providers of the site know', async () => {
  sources = ['en-GB', 'de-DE']
  const [code = '', says] = await settle('en')
  expect([code.toLowerCase(), says]).toEqual([
    'en-gb',
    `The source language en is ${code} on this site.`,
  ])
})

it('stays open where they know several or none, and a code that is accepted or mapped stays', async () => {
  sources = ['en-GB', 'en-US']
  expect(await settle('en')).toEqual(['en'])
  sources = []
  expect(await settle('en')).toEqual(['en'])
  expect(await settle('en-AU')).toEqual(['en-AU'])
  expect(await settle('en', { en: 'en-US' })).toEqual(['en'])
})
