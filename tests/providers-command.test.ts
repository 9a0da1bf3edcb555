/**
 * `dragoman providers` on a running hub: an engine is added, changed, tested and removed, and its
 * key is printed nowhere.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider, ProviderTest } from '@dragoman/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dialectIds } from '../packages/server/src/domain/engines/drivers/dialects/index.ts'
import { buildProgram } from './build-program.ts'
import { type RunningVendor, startVendor } from './engines/vendor.ts'
import { deepl, deeplKey } from './engines/vendors/deepl.ts'
import { startHub, type TestHub } from './hub.ts'
import { runCommandLine } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-providers-'))
const program = join(import.meta.dirname, '../packages/cli/bin/dragoman.js')
let hub: TestHub
let vendor: RunningVendor
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
  vendor = await startVendor(deepl())
})
afterAll(async () => {
  await hub.close()
  await vendor.close()
  rmSync(folder, { recursive: true })
})
const env = (more: Record<string, string> = {}) => ({
  HUB_URL: hub.url,
  HOME: folder,
  DEEPL_KEY: deeplKey,
  ...more,
})
const providers = (...args: string[]) => runCommandLine(['providers', ...args], env(), folder)
const url = () => `url=${vendor.url}`

/** The built program, with this standard input. */
function start(
  args: readonly string[],
  input: string,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [program, 'providers', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env() },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })))
}

it('adds an engine with its key from the environment, tests, changes and removes it', async () => {
  const all: string[] = []
  const say = async (...args: string[]) => {
    const { code, out, err } = await providers(...args)
    all.push(out, err)
    return { code, said: out + err }
  }
  const settings = [
    '--dialect',
    'deepl',
    '--set',
    url(),
    '--secret',
    'apiKey=DEEPL_KEY',
    '--per-day',
    '500',
  ]
  const added = await say('add', 'Letters', ...settings)
  expect(added.said).toMatch(
    /^The provider Letters was added: [\w-]{22}\. Try it with dragoman providers test \S+\.\n$/,
  )
  expect((await say('list')).said).toMatch(/Letters +machine-translation +ENABLED +500 a day\n/)
  const works = await say('test', 'Letters', '--target', 'fr-fr')
  expect(works).toEqual({
    code: 0,
    said: expect.stringMatching(
      /^Letters works: en to fr-fr in \d+ ms\.\n {2}The quick .*\n {2}Le rapide renard .*\n$/,
    ),
  })
  expect(
    await say('set', 'Letters', '--set', 'formality=formal', '--per-day', 'none', '--per-job', '9'),
  ).toEqual({
    code: 0,
    said: 'The provider Letters was changed.\n',
  })
  const [one] = (JSON.parse((await providers('list', '--json')).out) as Provider[]).filter(
    ({ name }) => name === 'Letters',
  )
  expect(one?.limits).toEqual({ charactersPerJob: 9 })
  const config = () => hub.call('GET', `/v2/providers/${one?.id}/config`, { as: 'demo-admin' })
  expect((await config()).body).toMatchObject({
    config: { dialect: 'deepl', formality: 'formal' },
    secrets: ['apiKey'],
  })
  await say('set', 'Letters', '--unset', 'formality', '--disable', '--name', 'Words')
  expect((await config()).body.config).toEqual({ dialect: 'deepl', url: vendor.url })
  expect((await say('list')).said).toMatch(/Words +machine-translation +DISABLED/)
  expect(await say('remove', 'Words')).toEqual({
    code: 0,
    said: 'The provider Words was removed.\n',
  })
  const gone = await say('remove', 'Words')
  expect(gone).toEqual({
    code: 1,
    said: 'There is no provider "Words". dragoman providers list shows them.\n',
  })
  expect(all.join('')).not.toContain(deeplKey)
})

it('reads a key from standard input, and says in words what is wrong with one', async () => {
  const settings = ['--dialect', 'deepl', '--set', url(), '--secret', 'apiKey']
  expect((await start(['add', 'Right', ...settings], `${deeplKey}\n`)).code).toBe(0)
  const right = await providers('test', 'Right', '--json')
  expect(JSON.parse(right.out) as ProviderTest).toMatchObject({
    works: true,
    translation: expect.any(String),
  })
  const none = await start(['add', 'None', ...settings], '')
  expect([none.code, none.said]).toEqual([2, expect.stringContaining('Standard input is empty')])
  await providers('add', 'Wrong', '--dialect', 'deepl', '--set', url(), '--secret', 'apiKey=HOME')
  expect(await providers('test', 'Wrong')).toEqual({
    code: 1,
    out: 'Wrong does not work: The translation engine returned 403: Forbidden.\n',
    err: '',
  })
  expect((await providers('test', 'Manual')).out).toBe(
    'These clients may deliver for Manual: demo-provider.\n',
  )
})

it('says who must work for a new provider without an engine, with a command that runs', async () => {
  const { out } = await providers('add', 'People', '--type', 'manual')
  expect(out).toMatch(
    /^The provider People was added: [\w-]{22}\. Now choose who translates: .* in the console \(People\), or /,
  )
  const [, command = ''] = /^ {2}dragoman (clients add .*)$/m.exec(out) ?? []
  const added = await runCommandLine(
    command.replace('NAME', 'people-client').split(' '),
    env(),
    folder,
  )
  expect(added).toMatchObject({ code: 0, err: '' })
  expect((await providers('test', 'People')).out).toBe(
    'These clients may deliver for People: people-client.\n',
  )
  expect((await providers('add', 'Agency', '--type', 'api')).out).toMatch(
    /Now add the client that works for it:\n {2}dragoman clients add /,
  )
})

it('names every engine in its help', async () => {
  const { out } = await providers('add', '--help')
  expect(dialectIds.filter((id) => !out.includes(id))).toEqual([])
})

it('refuses what cannot be, before anything is sent', async () => {
  const engine = ['--dialect', 'deepl', '--secret', 'apiKey=DEEPL_KEY']
  const rows: [string[], RegExp][] = [
    [['add'], /Specify one NAME/],
    [['add', 'X'], /Specify --dialect for an engine/],
    [['add', 'X', '--dialect', 'depl'], /There is no dialect "depl"\. Did you mean "deepl"/],
    [
      ['add', 'X', '--dialect', 'deepl', '--set', 'apiKey=k'],
      /apiKey is secret, .*use --secret apiKey/,
    ],
    [
      ['add', 'X', ...engine, '--secret', 'url=DEEPL_KEY'],
      /url is not secret: use --set url=VALUE/,
    ],
    [['add', 'X', '--dialect', 'deepl', '--secret', 'apiKey=NOWHERE'], /NOWHERE is not set/],
    [
      ['add', 'X', ...engine, '--set', 'formalty=formal'],
      /no setting "formalty"\. Did you mean "formality"/,
    ],
    [['add', 'X', ...engine, '--set', 'languages=x'], /"x" is not JSON/],
    [
      ['add', 'X', ...engine, '--per-day', '0'],
      /--per-day must be a number of characters, or none/,
    ],
    [['add', 'X', '--type', 'manual', '--set', 'url=x'], /This type has no settings/],
    [['set', 'Manual'], /Specify what to change/],
    [['set', 'Manual', '--enable', '--disable'], /exclude each other/],
    [['remove'], /Specify one provider/],
  ]
  for (const [args, says] of rows) {
    const { code, err } = await providers(...args)
    expect([code, err], args.join(' ')).toEqual([2, expect.stringMatching(says)])
    expect(err).not.toContain(deeplKey)
  }
  const bad = await providers('add', 'X', ...engine, '--set', 'batchSize=many')
  expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('config/batchSize')])
  expect((await providers('list')).out).not.toContain(' X ')
})
