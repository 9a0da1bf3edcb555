/**
 * A provider at work: `connectProvider` of the SDK, `dragoman work`, and the agency of the
 * examples, on a running hub.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type AssetTask, connect, connectProvider, type Item, sourceOf } from '@dragoman/sdk'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'
import { edited, packed, translated, unpack } from './packages-kit.ts'
import { removeAll } from './project.ts'
import { runCommandLine } from './run-command.ts'

const root = join(import.meta.dirname, '..')
let hub: TestHub
let folder = ''
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-work-'))
  return () => removeAll(folder)
})

const work = (...args: string[]) =>
  runCommandLine(['work', ...args], { HUB_URL: hub.url, HOME: folder }, folder)
const listed = async (...args: string[]) =>
  JSON.parse((await work('list', '--json', ...args)).out) as AssetTask[]

const connector = () =>
  connect({
    url: hub.url,
    clientId: 'demo-connector',
    clientSecret: 'demo-connector-secret',
    retry: { tries: 1 },
  })
const agency = () =>
  connectProvider({
    url: hub.url,
    clientId: 'demo-provider',
    clientSecret: 'demo-provider-secret',
    retry: { tries: 1 },
  })

/** A job at the provider Manual. */
async function sent(...items: Item[]): Promise<string> {
  const { jobId } = await connector().push({
    ...{ jobName: 'Spring', source: 'en-us', targets: ['de-de'], provider: 'Manual' },
    items,
  })
  await hub.advance('1s')
  return jobId
}
const menu: Item = { name: 'menu', fields: { save: 'Save', open: 'Open' } }
const page: Item = { name: 'page', file: sourceOf('page.html', '<p>Save</p>\n<p>Open</p>\n') }
const picture: Item = {
  name: 'picture',
  file: sourceOf('picture.bin', new Uint8Array([0, 1, 2, 255])),
}
const german: Record<string, string> = { Save: 'Speichern', Open: 'Öffnen' }

const requestsOf = async (jobId: string) => {
  const found = []
  for await (const request of connector().each('listRequests', { params: { jobId } }))
    found.push(request)
  return found
}

it('finds work, writes the segments of a task and delivers them, each step as often as wanted', async () => {
  const jobId = await sent(menu, page)
  const provider = agency()
  const seen: string[] = []
  for await (const one of provider.work({ jobId, provider: 'manual' })) {
    seen.push(one.task.requestName)
    expect(one.job.jobId).toBe(jobId)
    await provider.take(one)
    expect((await provider.take(one)).statusCode).toBe('IN_TRANSLATION')
    const translate = ({ source }: { source: readonly unknown[] }) => [
      german[String(source[0])] ?? '',
    ]
    expect(await provider.translate(one, translate)).toBe(2)
    expect(await provider.translate(one, translate)).toBe(0)
    const { providerId, assetTaskId } = one
    await provider.deliverSegments({ params: { providerId, jobId, assetTaskId } })
  }
  expect(seen).toEqual(['menu', 'page'])
  const requests = await requestsOf(jobId)
  expect(requests.map(({ statusCode }) => statusCode)).toEqual([
    'REVIEW_TRANSLATION',
    'REVIEW_TRANSLATION',
  ])
  const [fields, file] = requests
  if (!fields || !file) throw new Error('There are two requests.')
  expect(await connector().fields(fields)).toEqual({ save: 'Speichern', open: 'Öffnen' })
  expect(await (await connector().download(file)).text()).toBe('<p>Speichern</p>\n<p>Öffnen</p>\n')
})

it('writes only what the function translates, and goes on after a failure', async () => {
  const jobId = await sent({
    name: 'many',
    fields: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, `Text ${i}`])),
  })
  const provider = agency()
  for await (const one of provider.work({ jobId })) {
    const broken = provider.translate(one, ({ position }) => {
      if (position === 501) throw new Error('The database is gone.')
      return [`Wort ${position - 1}`]
    })
    await expect(broken).rejects.toThrow('The database is gone.')
    expect(await provider.translate(one, ({ position }) => [`Wort ${position - 1}`])).toBe(1)
  }
})

it('says that a job is not there', async () => {
  const all = async () => {
    for await (const _ of agency().work({ jobId: 'nosuchjob1' })) throw new Error('There is one.')
  }
  await expect(all()).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  expect(await work('take', 'nosuchjob1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('nosuchjob1'),
  })
})

it('lists, takes, gets, puts and delivers a file', async () => {
  const jobId = await sent(page, picture)
  const [first, second] = await listed(jobId)
  if (!first || !second) throw new Error('There are two asset tasks.')
  expect((await work('list', jobId)).out).toMatch(
    new RegExp(`${jobId} +${first.assetTaskId} +en-us de-de +SENDING +page\n`),
  )
  expect(await work('take', jobId)).toEqual({
    code: 0,
    out: `2 asset tasks of job ${jobId} taken.\n`,
    err: '',
  })
  expect((await listed(jobId)).map(({ statusCode }) => statusCode)).toEqual([
    'IN_TRANSLATION',
    'IN_TRANSLATION',
  ])
  expect((await work('get', jobId, second.assetTaskId, '--output', 'in')).code).toBe(0)
  expect([...readFileSync(join(folder, 'in/picture.bin'))]).toEqual([0, 1, 2, 255])
  writeFileSync(join(folder, 'out.bin'), 'translated')
  expect((await work('put', jobId, second.assetTaskId, 'out.bin')).out).toContain(
    'Uploaded out.bin (10 B)',
  )
  const delivered = await work('deliver', jobId, second.assetTaskId)
  expect(delivered).toMatchObject({
    code: 0,
    out: expect.stringContaining(`1 asset task of job ${jobId} delivered.`),
  })
  const request = (await requestsOf(jobId)).find(
    ({ requestId }) => requestId === second.assetTaskId,
  )
  if (!request) throw new Error('There is a request.')
  expect(await (await connector().download(request)).text()).toBe('translated')
  // The page has segments, which nobody has written.
  expect(await work('deliver', jobId)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not TRANSLATED yet: 2'),
  })
  expect((await work('list', jobId)).out).not.toContain('picture')
  expect((await listed(jobId, '--all')).map(({ statusCode }) => statusCode)).toEqual([
    'IN_TRANSLATION',
    'TRANSLATION_SUBMITTED',
  ])
})

it('gets a package, checks what comes back and delivers it', async () => {
  const jobId = await sent(page, menu)
  expect((await work('get', jobId)).out).toMatch(new RegExp(`^Saved ${jobId}\\.zip \\(`))
  const again = await work('get', jobId)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining(`${jobId}.zip exists`)])
  const entries = unpack(readFileSync(join(folder, `${jobId}.zip`)))
  const send = (name: string, edit: (text: string) => string) => {
    const content = edited(entries, (text, file) => (file.endsWith('.xlf') ? edit(text) : text))
    writeFileSync(join(folder, name), packed(content))
  }
  send('french.zip', (text) => text.replace(/target-language="[^"]*"/, 'target-language="fr-FR"'))
  const french = await work('deliver', jobId, '--package', 'french.zip')
  expect(french.code).toBe(1)
  expect(french.err).toMatch(/\.xlf: .*fr-FR/)
  send('done.zip', (text) => translated(text, german))
  const dry = await work('deliver', jobId, '--package', 'done.zip', '--dry-run')
  expect(dry).toEqual({ code: 0, out: '2 asset tasks would be delivered, 0 unchanged.\n', err: '' })
  expect(await listed(jobId)).toHaveLength(2)
  const { out } = await work('deliver', jobId, '--package', 'done.zip')
  expect(out).toBe('2 asset tasks delivered, 0 unchanged.\n')
  expect(await listed(jobId)).toEqual([])
})

it.each([
  [['take'], 'Specify a JOB'],
  [['put', 'J', 'T'], 'Specify a JOB, a TASK and a FILE'],
  [['put', 'J', 'T', 'missing.txt'], 'missing.txt cannot be read'],
  [['get', 'J', '--format', 'sdlppx'], '--format must be one of xliff12'],
  [['deliver', 'J', '--dry-run'], '--dry-run needs --package'],
  [['deliver', 'J', 'T', '--package', 'x.zip'], 'name no TASK'],
  [['list', '--provider', 'nobody'], 'nobody (there are'],
])('refuses %j', async (args, says) => {
  const { code, err } = await work(...args)
  expect(code).toBeGreaterThan(0)
  expect(err).toContain(says)
})

it('runs the agency of the examples: night after night, until everything is delivered', async () => {
  const jobId = await sent(menu, picture, { name: 'unknown', fields: { a: 'Never seen' } })
  writeFileSync(
    join(folder, 'glossary.json'),
    JSON.stringify(
      Object.fromEntries(Object.entries(german).map(([en, de]) => [en, { 'de-de': de }])),
    ),
  )
  const run = async () => {
    const env = {
      ...process.env,
      HUB_URL: hub.url,
      HUB_CLIENT_ID: 'demo-provider',
      HUB_CLIENT_SECRET: 'demo-provider-secret',
    }
    const args = [join(root, 'examples/agency/agency.mjs'), folder]
    return (await promisify(execFile)(process.execPath, args, { env })).stdout
  }
  const first = await run()
  expect(first).toContain('menu (de-de): delivered, 2 segments written')
  expect(first).toContain('unknown (de-de): 0 segments written; ')
  const task =
    (await requestsOf(jobId)).find(({ requestName }) => requestName === 'picture')?.requestId ?? ''
  expect(readdirSync(join(folder, 'inbox', task))).toEqual(['picture.bin'])
  mkdirSync(join(folder, 'outbox', task), { recursive: true })
  writeFileSync(join(folder, 'outbox', task, 'picture.bin'), 'better')
  const second = await run()
  expect(second).toContain('picture (de-de): delivered')
  expect(second).not.toContain('menu')
  const states = (await requestsOf(jobId)).map(
    ({ requestName, statusCode }) => `${requestName} ${statusCode}`,
  )
  expect(states).toEqual([
    'menu REVIEW_TRANSLATION',
    'picture REVIEW_TRANSLATION',
    'unknown IN_TRANSLATION',
  ])
})
