import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, type JobRequest } from '@dragoman/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from './build-program.ts'
import { sized } from './draws.ts'
import { startHub, type TestHub } from './hub.ts'
import { priceList } from './price-list.ts'
import { newProject, type Project } from './project.ts'

let hub: TestHub
const projects: Project[] = []
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
})
afterAll(() => hub.close())
afterEach(() => {
  for (const project of projects.splice(0)) project.remove()
})

const yml = `source: en
targets: [de, fr]
languages: { en: en-US, de: de-DE, fr: fr-FR, ja: ja-JP }
provider: Pseudo
files:
  - source: locales/en/**/*.json
    output: locales/{lang}/{rest}
`
const project = (files: Record<string, string>) => {
  const made = newProject(hub.url, { 'dragoman.yml': yml, ...files })
  projects.push(made)
  return made
}
const asConnector = () =>
  connect({ url: hub.url, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' })
const requestsOf = async (jobId: string): Promise<string[]> => {
  const found: JobRequest[] = []
  for await (const one of asConnector().each('listRequests', { params: { jobId } })) found.push(one)
  return found.map((one) => `${one.sourceNativeId} ${one.targetNativeLanguageCode}`).sort()
}
const jobsOnHub = async (): Promise<number> => {
  let many = 0
  for await (const _ of asConnector().each('listJobs')) many += 1
  return many
}
/** Passes calls on to the hub, and counts them. */
async function countingProxy() {
  const calls: string[] = []
  const server = createServer(async (asked, answer) => {
    calls.push(`${asked.method} ${asked.url}`)
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = asked.headers
    const got = await fetch(`${hub.url}${asked.url}`, {
      method: asked.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = Buffer.from(await got.arrayBuffer())
    answer.writeHead(got.status, {
      'content-type': got.headers.get('content-type') ?? 'application/json',
    })
    answer.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, calls, close: () => server.close() }
}
const three = { 'locales/en/a.json': '{"a":"One"}', 'locales/en/b.json': '{"b":"Two"}' }

type PushAnswer = { pushed: boolean; job: { jobId: string; jobName: string }; unchanged: string[] }
const pushed = async (it: Project, ...args: string[]): Promise<PushAnswer> => {
  const { code, out, err } = await it.run(['push', '--json', ...args])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe('a second push', () => {
  it('sends what changed, to the languages that lack it, and everything only with --all', async () => {
    const it = project(three)
    const first = await pushed(it)
    expect(await requestsOf(first.job.jobId)).toHaveLength(4)
    it.write('locales/en/a.json', '{"a":"One and a half"}')
    const said = await it.run(['push'])
    expect(said.out).toMatch(
      /^Job \w{10} "locales\/en\/a\.json" is SENDING\.\n1 file, 2 languages: 2 requests\.\n {2}locales\/en\/a\.json \(de, fr\)\n1 file unchanged since the last push; --all pushes everything\.\n/,
    )
    it.write('dragoman.yml', yml.replace('[de, fr]', '[de, fr, ja]'))
    const language = await pushed(it)
    expect(await requestsOf(language.job.jobId)).toEqual([
      'locales/en/a.json ja-JP',
      'locales/en/b.json ja-JP',
    ])
    const before = await jobsOnHub()
    expect(await pushed(it)).toMatchObject({ pushed: false, job: { jobId: language.job.jobId } })
    expect((await it.run(['push'])).out).toContain(
      `Nothing has changed since job ${language.job.jobId} (`,
    )
    const tried = JSON.parse((await it.run(['push', '--dry-run', '--json'])).out)
    expect(tried).toMatchObject({
      dryRun: true,
      files: [],
      unchanged: ['locales/en/a.json', 'locales/en/b.json'],
    })
    expect(await jobsOnHub()).toBe(before)
    const all = await pushed(it, '--all')
    expect(await requestsOf(all.job.jobId)).toHaveLength(6)
  })

  it('to another hub, or after the job was deleted there, sends it again', async () => {
    const it = project(three)
    const first = await pushed(it)
    it.write('locales/en/c.json', '{"c":"Three"}')
    const second = await pushed(it)
    const params = { jobId: second.job.jobId }
    await asConnector().wait(second.job.jobId)
    await asConnector().completeJob({ params })
    await asConnector().deleteJob({ params })
    const again = await pushed(it)
    expect(await requestsOf(again.job.jobId)).toEqual([
      'locales/en/c.json de-DE',
      'locales/en/c.json fr-FR',
    ])
    expect(first.job.jobId).not.toBe(again.job.jobId)
    const other = await startHub()
    try {
      const elsewhere = await it.run(['push', '--json'], { HUB_URL: other.url })
      expect(JSON.parse(elsewhere.out)).toMatchObject({ pushed: true, unchanged: [] })
    } finally {
      await other.close()
    }
  })
})

describe('what the hub already has', () => {
  it('is not sent again by a project that lost its folder, and pull finds it', async () => {
    const it = project(three)
    const first = await pushed(it)
    rmSync(join(it.folder, '.dragoman'), { recursive: true })
    expect(await pushed(it)).toMatchObject({ pushed: false, job: { jobId: first.job.jobId } })
    rmSync(join(it.folder, '.dragoman'), { recursive: true })
    it.write('locales/en/c.json', '{"c":"Three"}')
    const second = await pushed(it)
    expect(await requestsOf(second.job.jobId)).toEqual([
      'locales/en/c.json de-DE',
      'locales/en/c.json fr-FR',
    ])
    const pulled = await it.run(['pull', '--wait'])
    expect(pulled).toMatchObject({ code: 0 })
    expect(pulled.out).toContain('6 translations written.')
  })

  it('is not that of another project with the same files', async () => {
    const [one, other] = [project(three), project(three)]
    const first = await pushed(one)
    expect(await pushed(other)).toMatchObject({ pushed: true, unchanged: [] })
    one.write('locales/en/a.json', '{"a":"Another"}')
    await pushed(one)
    const { requests } = await asConnector().listRequests({ params: { jobId: first.job.jobId } })
    expect(requests.filter(({ cause }) => cause === 'SUPERSEDED')).toHaveLength(2)
    expect((await other.run(['pull', '--wait'])).code).toBe(0)
  })

  it('is superseded by a file that changed, also in a clone that knows of nothing', async () => {
    const it = project({ ...three, 'dragoman.yml': `name: The shop\n${yml}` })
    const first = await pushed(it)
    const clone = project({
      ...{
        'dragoman.yml': `name: The shop\n${yml}`,
        'locales/en/b.json': three['locales/en/b.json'],
      },
      'locales/en/a.json': '{"a":"One","c":"New"}',
    })
    const second = await pushed(clone)
    expect(second.unchanged).toEqual(['locales/en/b.json'])
    const older = (await asConnector().listRequests({ params: { jobId: first.job.jobId } }))
      .requests
    const newer = (await asConnector().listRequests({ params: { jobId: second.job.jobId } }))
      .requests
    expect(newer).toHaveLength(2)
    for (const { supersedes, requestId } of newer)
      expect(older.find((one) => one.requestId === supersedes)).toMatchObject({
        ...{ supersededBy: requestId, cause: 'SUPERSEDED', sourceNativeId: 'locales/en/a.json' },
      })
    // The first clone went back in time: what it has is older, and it knows that it sent it.
    expect(await pushed(it)).toMatchObject({ pushed: false })
    // Its text goes back to what it was: the hub does not have that as the newest.
    clone.write('locales/en/a.json', three['locales/en/a.json'])
    expect(await requestsOf((await pushed(clone)).job.jobId)).toHaveLength(2)
  })

  it('is asked for in five calls, whatever there is', async () => {
    const files = Object.fromEntries(
      Array.from({ length: sized(50, 1_000) }, (_, at) => [
        `locales/en/${at}.json`,
        `{"a":"Text ${at}"}`,
      ]),
    )
    const many = yml.replace('[de, fr]', '[de]')
    const it = project({ ...files, 'dragoman.yml': many })
    await pushed(it)
    const proxy = await countingProxy()
    try {
      // The folder knows nothing of a hub at this address; then it does.
      for (const knows of [false, true]) {
        const begun = proxy.calls.length
        const { code, out } = await it.run(['push', '--json'], { HUB_URL: proxy.url })
        expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, pushed: false })
        const made = proxy.calls.slice(begun)
        expect(made.length, `${knows} ${made.join()}`).toBeLessThanOrEqual(5)
      }
    } finally {
      proxy.close()
    }
  })
})

describe('pull', () => {
  it('says what is new, changed and unchanged; keeps what was edited here, unless it is forced', async () => {
    const it = project(three)
    await pushed(it)
    const first = await it.run(['pull', '--wait'])
    expect(first.code).toBe(0)
    expect(first.out).toContain('new       locales/de/a.json\n')
    expect(first.out).toMatch(/4 translations written\.\n4 new\.\n$/)
    expect(await it.run(['pull'])).toMatchObject({
      code: 0,
      out: '0 translations written.\n4 unchanged.\n',
    })
    it.write('locales/en/a.json', '{"a":"One and a half"}')
    it.write('locales/fr/a.json', '{"a":"Un et demi"}')
    await pushed(it)
    const second = await it.run(['pull', '--wait'])
    expect(second.code).toBe(1)
    expect(second.out).toContain(
      'changed   locales/de/a.json\nconflict  locales/fr/a.json\n1 translation written.\n',
    )
    expect(it.read('locales/fr/a.json')).toBe('{"a":"Un et demi"}')
    const asked = JSON.parse((await it.run(['pull', '--json'])).out)
    expect(asked.conflicts).toEqual([
      expect.objectContaining({ path: 'locales/fr/a.json', outcome: 'conflict' }),
    ])
    const forced = await it.run(['pull', '--force'])
    expect(forced).toMatchObject({
      code: 0,
      out: expect.stringContaining('changed   locales/fr/a.json\n'),
    })
    expect(it.read('locales/fr/a.json')).not.toContain('Un et demi')
  })

  it('takes each file from the job with its newest version, also if an older one is late', async () => {
    const it = project(three)
    it.write('dragoman.yml', yml.replace('Pseudo', 'Manual'))
    await pushed(it)
    it.write('locales/en/a.json', '{"a":"The newest version"}')
    it.write('dragoman.yml', yml)
    await pushed(it)
    const early = await it.run(['pull'])
    expect(early.code).toBe(5)
    await expect
      .poll(async () => (await it.run(['pull'])).out, { interval: 500 })
      .toMatch(/2 requests not ready yet/)
    expect(it.files('locales/de')).toEqual(['locales/de/a.json'])
    expect(JSON.parse(it.read('locales/de/a.json')).a.length).toBeGreaterThan(15)
  })
})

describe('what it costs', () => {
  it('is shown by quote and by a dry run, and no job is left', async () => {
    const it = project(three)
    const none = await it.run(['quote'])
    expect(none).toMatchObject({ code: 1, out: 'No quote: the hub has no price list for this.\n' })
    await hub.call('POST', '/v2/settings/pricelists', { as: 'demo-settings', body: priceList })
    const before = await jobsOnHub()
    const shown = await it.run(['quote'])
    expect(shown.code).toBe(0)
    expect(shown.out).toMatch(/^LANGUAGE +BAND +SEGMENTS +WORDS\nde-DE +New +2 +2\n/)
    expect(shown.out).toMatch(/\nTotal: \d+\.\d\d EUR\n/)
    const tried = await it.run(['push', '--dry-run'])
    expect(tried.out).toMatch(/de-DE: 2 words\nfr-FR: 2 words\nQuote: \d+\.\d\d EUR\n/)
    expect(await jobsOnHub()).toBe(before)
    const { job } = await pushed(it)
    const ofJob = await it.run(['quote', '--job', job.jobId, '--json'])
    expect(JSON.parse(ofJob.out)).toMatchObject({ quote: { jobId: job.jobId, currency: 'EUR' } })
    expect(await it.run(['quote', '--job', 'nosuchjob1'])).toMatchObject({ code: 1, out: '' })
    expect(await it.run(['quote'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing has changed'),
    })
  })
})

describe('status --follow', () => {
  it('says what it waits for and ends when everything is ready, in lines of JSON for programs', async () => {
    const it = project(three)
    const { job } = await pushed(it)
    const followed = await it.run(['status', '--follow', '--json'])
    const lines = followed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(followed.code).toBe(0)
    expect(lines.at(-2)).toMatchObject({
      jobId: job.jobId,
      total: 4,
      byStatusCode: { REVIEW_TRANSLATION: 4 },
    })
    expect(lines.at(-1)).toMatchObject({ job: { jobId: job.jobId }, requests: { length: 4 } })
    it.write('dragoman.yml', yml.replace('Pseudo', 'Manual'))
    await pushed(it, '--all')
    const { child, ran, err } = it.start(['status', '--follow'])
    await expect
      .poll(err)
      .toMatch(/^Waiting for job \w{10}: 0 of 4 translated, 4 SENT_TO_PROVIDER \(/m)
    child.kill('SIGINT')
    expect(await ran).toMatchObject({ code: 130, err: expect.stringContaining('the job goes on') })
  })
})

describe('watch', () => {
  it('pushes what changes, pulls what is ready, says what it waits for, and ends with Ctrl-C', async () => {
    const it = project(three)
    const { child, ran, out, err } = it.start(['watch'])
    await expect.poll(out).toContain('4 translations written.')
    await expect.poll(err).toContain('Watching 2 files; press Ctrl-C to stop.')
    await expect.poll(err).toContain('Waiting for changes of the files')
    const before = it.read('locales/de/a.json')
    it.write('locales/en/a.json', '{"a":"Something else"}')
    await expect.poll(out).toContain('changed   locales/de/a.json')
    expect(it.read('locales/de/a.json')).not.toBe(before)
    child.kill('SIGINT')
    expect(await ran).toMatchObject({ code: 0, err: expect.stringContaining('Stopped watching.') })
  })
  it('tells a trouble once, and again when it comes back after a good round', async () => {
    const it = project({ 'locales/en/a.json': '{"a":"One"}' })
    const { child, ran, out, err } = it.start(['watch'])
    const file = join(it.folder, 'locales/en/a.json')
    const troubles = () => err().split('Still watching.').length - 1
    await expect.poll(out).toContain('2 translations written.')
    await expect.poll(err).toContain('Watching 1 file; press Ctrl-C to stop.')
    rmSync(file)
    await expect.poll(troubles).toBe(1)
    it.write('locales/en/a.json', '{"a":"Something else"}')
    await expect.poll(out).toContain('changed   locales/de/a.json')
    rmSync(file)
    await expect.poll(troubles).toBe(2)
    child.kill('SIGINT')
    expect((await ran).code).toBe(0)
  })
})
