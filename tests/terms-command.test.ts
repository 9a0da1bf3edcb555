/** `dragoman terms` on a running hub. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Term } from '@dragoman/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'
import { runCommandLine } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-terms-'))
let hub: TestHub
beforeAll(async () => {
  hub = await startHub()
})
afterAll(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})
const terms = (...args: string[]) =>
  runCommandLine(['terms', ...args], { HUB_URL: hub.url, HOME: folder }, folder)
const listed = async (...args: string[]) =>
  JSON.parse((await terms('list', '--json', ...args)).out) as Term[]

it('adds, lists and removes a term', async () => {
  const added = await terms(
    'add',
    'en=invoice',
    'de=Rechnung',
    'de=Kon=to:FORBIDDEN',
    '--definition',
    'A bill',
  )
  expect(added).toMatchObject({ code: 0, err: '' })
  expect(added.out).toMatch(
    /^The term \S+ was added: en: invoice, de: Rechnung, de: Kon=to \(forbidden\)\.\n$/,
  )
  const [term] = await listed('--language', 'de', '--text', 'RECH')
  expect(term).toMatchObject({
    definition: 'A bill',
    entries: [{}, {}, { text: 'Kon=to', status: 'FORBIDDEN' }],
  })
  expect((await terms('list')).out).toContain(
    'en: invoice, de: Rechnung, de: Kon=to (forbidden)  A bill',
  )
  expect(await terms('remove', String(term?.termId))).toMatchObject({ code: 0, err: '' })
  expect((await terms('list')).out).toBe('There are no such terms.\n')
  const again = await terms('remove', String(term?.termId), '--json')
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('There is no term')])
})

it('imports and exports lists in both formats, and says what was refused', async () => {
  writeFileSync(join(folder, 'a.csv'), 'term,translation\ninvoice,Rechnung\ncard,Karte\n')
  const bare = await terms('import', 'a.csv')
  expect([bare.code, bare.err]).toEqual([
    1,
    expect.stringContaining('line 1: the columns term and translation need'),
  ])
  const pair = ['--source', 'en', '--target', 'de']
  expect(await terms('import', 'a.csv', ...pair)).toEqual({
    code: 0,
    out: '2 added, 0 changed, 0 unchanged.\n',
    err: '',
  })
  for (const [file, ...more] of [['b.tbx'], ['c.tbx', '--tbx', '2'], ['d.csv']] as const) {
    expect(await terms('export', file, ...more)).toEqual({ code: 0, out: '', err: '' })
    const { out } = await terms('import', file, '--json')
    expect(JSON.parse(out)).toEqual({ added: 0, changed: 0, unchanged: 2 })
  }
  expect(readFileSync(join(folder, 'c.tbx'), 'utf8')).toContain('<martif type="TBX-Basic"')
  const { out } = await terms('export')
  expect(out).toContain('en,invoice,PREFERRED')
  const kept = readFileSync(join(folder, 'd.csv'), 'utf8')
  const again = await terms('export', 'd.csv')
  expect([again.code, again.err]).toEqual([2, expect.stringMatching(/d\.csv exists already/)])
  expect(readFileSync(join(folder, 'd.csv'), 'utf8')).toBe(kept)
  expect(await listed()).toHaveLength(2)
})
