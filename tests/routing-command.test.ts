/** `dragoman routing` on a running hub. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Routing } from '@dragoman/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'
import { runCommandLine } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-routing-'))
let hub: TestHub
let providerId = ''
beforeAll(async () => {
  hub = await startHub()
  const body = { name: 'Legal', typeId: 'manual' }
  providerId = String((await hub.call('POST', '/v2/providers', { as: 'demo-admin', body })).body.id)
})
afterAll(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})
const routing = (...args: string[]) =>
  runCommandLine(['routing', ...args], { HUB_URL: hub.url, HOME: folder }, folder)
const save = (content: unknown) =>
  writeFileSync(
    join(folder, 'rules.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  )

it('sets, lists and tries the rules of a file', async () => {
  expect((await routing('list')).out).toMatch(/^There are no rules: /)
  save({
    rules: [{ name: 'Contracts', when: { labels: 'legal', words: { min: 10 } }, providerId }],
  })
  expect(await routing('set', 'rules.json')).toEqual({
    code: 0,
    out: 'The site now has 1 rule (version 1).\n',
    err: '',
  })
  expect((await routing('list')).out).toContain(
    `Contracts  labels legal, words {"min":10}  ${providerId}`,
  )
  const pair = ['--source', 'en-us', '--target', 'de-de', '--target', 'fr-fr']
  expect(await routing('try', ...pair, '--label', 'legal', '--words', '10')).toEqual({
    code: 0,
    out: `The rule Contracts takes it: provider ${providerId}.\n`,
    err: '',
  })
  const none = await routing('try', ...pair, '--label', 'legal', '--words', '9')
  expect([none.code, none.out]).toEqual([
    1,
    'No rule matches.\n  Contracts: the job has 9 words, fewer than 10\n',
  ])
})

it('keeps what somebody else changed, and says what is wrong with a file', async () => {
  const before = JSON.parse((await routing('list', '--json')).out) as Routing
  save({ ...before, version: 0 })
  const old = await routing('set', 'rules.json')
  expect([old.code, old.err]).toEqual([
    1,
    expect.stringContaining('you sent version 0, but its version is now 1'),
  ])
  for (const [content, said] of [
    ['{', 'is not JSON.'],
    ['{}', 'has no list of rules.'],
    ['null', 'has no list of rules.'],
  ]) {
    save(content)
    const { code, err } = await routing('set', 'rules.json')
    expect([code, err]).toEqual([2, expect.stringContaining(String(said))])
  }
  const rows = [
    ['set'],
    ['set', 'nowhere.json'],
    ['try'],
    ['try', 'A', 'B'],
    ['try', '--source', 'en', '--target', 'de', '--words', 'x'],
  ]
  for (const row of rows) expect((await routing(...row)).code, row.join(' ')).toBe(2)
  expect((await routing('try', 'AAAAAAAAAA')).err).toContain('AAAAAAAAAA')
  expect(JSON.parse((await routing('list', '--json')).out)).toEqual(before)
})
