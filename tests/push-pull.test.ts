/**
 * The command line as a connector: push, status, pull and the rest, as the built program in a
 * project of its own.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect, verifyDelivery } from '@dragoman/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildProgram } from './build-program.ts'
import { killPushes } from './campaigns/push-kills.ts'
import { findingsOf, lineOf } from './campaigns/tally.ts'
import { smallDisk } from './faults/small-disk.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { startHub, type TestHub } from './hub.ts'
import { packageVersion } from './package-version.ts'
import { newProject, type Project } from './project.ts'

const root = join(import.meta.dirname, '..')
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

const yml = `source: en-US
targets: [de-DE, fr-FR, ja-JP]
provider: Pseudo
files: [content]
output: translated/{lang}/{path}
`
const content = {
  'content/page.html': '<p>Good morning to everybody</p>',
  'content/deep/texts.json': '{"a": "Some text"}',
}
const project = (
  files: Record<string, string | Uint8Array> = { 'dragoman.yml': yml, ...content },
  url = hub.url,
) => {
  const made = newProject(url, files)
  projects.push(made)
  return made
}
const asConnector = () =>
  connect({ url: hub.url, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' })
const jobIds = async (): Promise<string[]> => {
  const found: string[] = []
  for await (const { jobId } of asConnector().each('listJobs')) found.push(jobId)
  return found
}
const jobIn = (text: string): string => /Job (\w{10})/.exec(text)?.[1] ?? ''

describe('a project with a dragoman.yml', () => {
  it('is pushed, watched and pulled without a flag', async () => {
    const it = project()
    const pushed = await it.run(['push'])
    expect(pushed).toMatchObject({ code: 0, err: '' })
    expect(pushed.out).toMatch(
      /^Job \w{10} "2 files" is SENDING\.\n2 files, 3 languages: 6 requests\.\n/,
    )
    const pulled = await it.run(['pull', '--wait', '--approve', '--complete'])
    expect(pulled).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^(Waiting for job .*\n)*$/),
    })
    expect(it.files('translated')).toEqual(
      ['de-DE', 'fr-FR', 'ja-JP'].flatMap((code) => [
        `translated/${code}/content/deep/texts.json`,
        `translated/${code}/content/page.html`,
      ]),
    )
    expect(it.read('translated/fr-FR/content/page.html')).toMatch(/^<p>.*[^\0-\x7f].*<\/p>$/)
    const status = await it.run(['status'])
    expect(status.code).toBe(0)
    expect(status.out).toContain(`Job ${jobIn(pushed.out)} "2 files" is COMPLETED.`)
    expect(status.out).toMatch(/de-DE +2 of 2 +TRANSLATION_APPROVED/)
    const job = await asConnector().findJob({ params: { jobId: jobIn(pushed.out) } })
    const [installation, ...connector] = job.connectorName?.split(' ') ?? []
    expect(installation).toMatch(/^[0-9a-f-]{36}$/)
    expect(connector).toEqual(['dragoman-cli', packageVersion])
  })

  it('gets files that name their language as the project does, with the plural forms of the language', async () => {
    const it = project({
      'dragoman.yml': `${yml.replace(/targets.*/, 'targets: [es, pl]')}languages: { es: es-ES, pl: pl-PL }\n`,
      'content/en.yml': 'en:\n  hello: Good morning\n',
      'content/shop.po':
        'msgid ""\nmsgstr ""\n"Language: en\\n"\n\nmsgid "Good night"\nmsgstr ""\n',
      'content/app.json': '{"day_one": "{{count}} day", "day_other": "{{count}} days"}',
    })
    expect(await it.run(['push'])).toMatchObject({ code: 0, err: '' })
    expect(await it.run(['pull', '--wait'])).toMatchObject({ code: 0 })
    expect(it.read('translated/es/content/en.yml')).toMatch(/^es:\n/)
    expect(it.read('translated/es/content/shop.po')).toContain('"Language: es\\n"')
    const forms = Object.keys(JSON.parse(it.read('translated/pl/content/app.json')))
    expect(forms).toEqual(['day_one', 'day_few', 'day_many', 'day_other'])
  })

  it('does not push what a pull has written, unless it is named', async () => {
    const it = project({ 'a.txt': 'Good morning', 'deep/b.txt': 'Good night' })
    const options = ['--source', 'en-US', '--target', 'de-DE,fr-FR', '--provider', 'Pseudo']
    await it.run(['push', '.', ...options])
    expect(await it.run(['pull', '--wait'])).toMatchObject({ code: 0 })
    expect(it.files()).toHaveLength(6)
    it.write('a.txt', 'Good afternoon')
    const again = await it.run(['push', '.', ...options, '--target', 'ja-JP', '--json'])
    expect(again.err).toBe('Skipped 4 files where pull writes translations ({lang}/{path}).\n')
    const { jobId } = JSON.parse(again.out).job
    const { requests } = await asConnector().listRequests({ params: { jobId } })
    expect(new Set(requests.map(({ sourceNativeId }) => sourceNativeId))).toEqual(
      new Set(['a.txt', 'deep/b.txt']),
    )
    const named = await it.run(['push', 'de-DE/a.txt', ...options])
    expect(named).toMatchObject({ code: 0, err: '' })
    const all = await it.run(['push', 'de-DE', ...options])
    expect(all).toMatchObject({
      code: 2,
      err: expect.stringContaining('All 2 files that match lie where pull writes'),
    })
  })

  it('keeps a transaction log of each day', async () => {
    const it = project()
    const { out } = await it.run(['push'])
    const day = new Date().toISOString().slice(0, 10)
    const log = it.read(`.dragoman/log/transactions-${day}.log`)
    expect(log).toContain(`"path":"/v2/jobs/${jobIn(out)}/submit"`)
    expect(log).not.toMatch(/secret|Good morning/)
  })

  it('is pushed once: the same again is nothing to do, another content is another job', async () => {
    const it = project()
    const first = await it.run(['push', '--json'])
    const again = await it.run(['push', '--json'])
    const { job } = JSON.parse(first.out) as { job: { jobId: string } }
    expect(JSON.parse(again.out)).toMatchObject({ pushed: false, job: { jobId: job.jobId } })
    it.write('content/page.html', '<p>Something else</p>')
    const other = JSON.parse((await it.run(['push', '--json'])).out) as {
      pushed: boolean
      job: { jobId: string }
    }
    expect(other.pushed).toBe(true)
    expect(other.job.jobId).not.toBe(job.jobId)
    expect(await it.run(['push', '--again'])).toMatchObject({ code: 0 })
  })

  it('understands Windows line ends, in the file and in content', async () => {
    const it = project({
      'dragoman.yml': yml.replaceAll('\n', '\r\n'),
      'content/a.txt': 'One line\r\nAnother line\r\n',
    })
    expect(await it.run(['push'])).toMatchObject({ code: 0 })
    expect(await it.run(['pull', '--wait'])).toMatchObject({ code: 0 })
    expect(it.read('translated/de-DE/content/a.txt')).toMatch(/^[^\r\n]+\r\n[^\r\n]+\r\n$/)
  })

  it('is found from a folder below', async () => {
    const it = project()
    const { out, code } = await newRun(join(it.folder, 'content/deep'), [
      'push',
      'texts.json',
      '--dry-run',
    ])
    expect(code).toBe(0)
    expect(out).toContain('content/deep/texts.json')
    expect(out).not.toContain('page.html')
  })

  async function newRun(cwd: string, args: string[]) {
    const program = join(root, 'packages/cli/bin/dragoman.js')
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HUB_URL: hub.url },
    })
    return { out: stdout, code: 0 }
  }
})

describe('a dry run', () => {
  it('shows files and the quote, if there is one, and leaves no job', async () => {
    const it = project()
    const before = await jobIds()
    const { code, out } = await it.run(['push', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^content\/deep\/texts\.json \(18 B, json\)\ncontent\/page\.html \(32 B, html\)\n2 files from en-US/,
    )
    expect(out).toMatch(/No quote|Quote: /)
    expect(out).toContain('Nothing was submitted.')
    expect(await jobIds()).toEqual(before)
  })
})

describe('interrupted', () => {
  it('by kill at random moments, ends as one job with every request once', async () => {
    const tally = await killPushes(hub.url, {
      kills: 5,
      seed: 20_261,
      until: performance.now() + 60_000,
    })
    console.log(lineOf(tally))
    expect(findingsOf(tally)).toEqual([])
    expect(tally.rounds).toBeGreaterThan(0)
  })

  it('by Ctrl-C says so, ends with 130, and goes on when it is run again', async () => {
    const it = project({
      'dragoman.yml': yml.replace('files:', 'labels: [stopped]\nfiles:'),
      ...content,
    })
    await hub.call('POST', '/sandbox/faults', {
      body: { scenario: 'slow-answers', seconds: 100, label: 'stopped' },
    })
    const { child, ran } = it.start(['push'])
    const acted = async () => {
      const { body } = await hub.call<{ active: { acted: number }[]; spent: object[] }>(
        'GET',
        '/sandbox/faults',
      )
      return body.spent.length + body.active.filter((one) => one.acted > 0).length
    }
    await expect.poll(acted).toBeGreaterThan(0)
    child.kill('SIGINT')
    const first = await ran
    expect(first.code).toBe(130)
    expect(first.err).toContain('Interrupted. Run the same command again')
    await hub.call('DELETE', '/sandbox/faults')
    const second = await it.run(['push'])
    expect(second).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Continuing the interrupted job \w{10}/),
    })
    const found: string[] = []
    for await (const { jobId } of asConnector().each('listJobs', {
      query: { filter: "labels eq 'stopped'" },
    }))
      found.push(jobId)
    expect(found).toEqual([jobIn(second.out)])
  })
})

describe('bad input', () => {
  const cases: [
    string,
    Record<string, string>,
    string[],
    Record<string, string>,
    number,
    RegExp,
  ][] = [
    [
      'wrong credentials',
      content,
      ['jobs'],
      { HUB_CLIENT_ID: 'demo-connector', HUB_CLIENT_SECRET: 'no' },
      4,
      /credentials|client/i,
    ],
    [
      'a hub that is not there',
      content,
      ['jobs'],
      { HUB_URL: 'http://127.0.0.1:6399' },
      3,
      /http:\/\/127\.0\.0\.1:6399 cannot be reached: ECONNREFUSED/,
    ],
    [
      'a hub elsewhere without credentials',
      content,
      ['jobs'],
      { HUB_URL: 'https://hub.example.org' },
      2,
      /HUB_CLIENT_ID and HUB_CLIENT_SECRET are not set/,
    ],
    [
      'an address that is none',
      content,
      ['jobs', '--hub', 'hub'],
      { HUB_CLIENT_ID: 'a', HUB_CLIENT_SECRET: 'b' },
      2,
      /url is an http or https address.*"hub"/,
    ],
    [
      'YAML that is broken',
      { 'dragoman.yml': 'source: en-US\ntargets: [de-DE\nfiles: x\n' },
      ['push'],
      {},
      2,
      /dragoman\.yml:3:\d+: /,
    ],
    [
      'a key that is not known',
      { 'dragoman.yml': 'source: en-US\ntarget: de-DE\n' },
      ['push'],
      {},
      2,
      /dragoman\.yml:2:1: "target" is unknown; the keys are hub,/,
    ],
    [
      'a list with a number in it',
      { 'dragoman.yml': 'targets:\n  - de-DE\n  - 7\n' },
      ['push'],
      {},
      2,
      /dragoman\.yml:3:5: targets must be a list of strings\./,
    ],
    [
      'a secret in the file',
      { 'dragoman.yml': 'clientSecret: abc\n' },
      ['push'],
      {},
      2,
      /dragoman\.yml:1:1: .*HUB_CLIENT_SECRET/,
    ],
    [
      'a file that is not there',
      content,
      ['push', '--config', 'other.yml'],
      {},
      2,
      /other\.yml cannot be read: ENOENT/,
    ],
    [
      'no matching files',
      { 'dragoman.yml': yml },
      ['push'],
      {},
      2,
      /No file matches "content" in /,
    ],
    [
      'no matching files of a glob',
      { 'dragoman.yml': yml, ...content },
      ['push', '**/*.docx'],
      {},
      2,
      /No file matches "\*\*\/\*\.docx"/,
    ],
    [
      'files outside of the project',
      { 'dragoman.yml': yml, ...content },
      ['push', '../**/*.html'],
      {},
      2,
      /is outside the project/,
    ],
    [
      'a language that could be several',
      { 'dragoman.yml': yml, ...content },
      ['push', '--target', 'zh-Hant'],
      {},
      1,
      /"zh-Hant" is not an accepted language code(?=.*zh-tw)(?=.*zh-hk).*languages.*dragoman\.yml/s,
    ],
    [
      'a source language of which there are many',
      { 'dragoman.yml': yml, ...content },
      ['push', '--source', 'en'],
      {},
      1,
      /"en" is not an accepted language code; use en-[uU][sS], [\w-]+ or [\w-]+, or map it/,
    ],
    [
      'languages that are no table',
      { 'dragoman.yml': `${yml}languages: [zh-tw]\n`, ...content },
      ['push'],
      {},
      2,
      /languages must be a map such as/,
    ],
    [
      'no provider where there are several',
      { ...content },
      ['push', 'content', '--source', 'en-US', '--target', 'de-DE'],
      {},
      1,
      /--provider/,
    ],
    ['no languages', { ...content }, ['push', 'content'], {}, 2, /Specify the source language/],
    [
      'no target languages',
      { ...content },
      ['push', 'content', '--source', 'en-US'],
      {},
      2,
      /Specify the target languages/,
    ],
    [
      'an unknown language',
      { 'dragoman.yml': yml, ...content },
      ['push', '--target', 'tlh-KX'],
      {},
      1,
      /"tlh-KX" is not an accepted language code/,
    ],
    [
      'a provider that is not there',
      { 'dragoman.yml': yml, ...content },
      ['push', '--provider', 'Nobody'],
      {},
      1,
      /no provider Nobody \(there are .*Pseudo/,
    ],
    [
      'an unknown blank of a pattern',
      { 'dragoman.yml': yml, ...content },
      ['pull', 'abcdefghij', '--output', '{language}/x'],
      {},
      2,
      /\{language\} is unknown in/,
    ],
    [
      'a job that is not there',
      content,
      ['status', 'nosuchjob1'],
      {},
      1,
      /There is no job nosuchjob1 on this site/,
    ],
    ['no job at all', content, ['pull'], {}, 2, /Specify the job: nothing has been pushed/],
    [
      'a limit that is none',
      content,
      ['jobs', '--limit', 'many'],
      {},
      2,
      /--limit must be a whole number/,
    ],
    [
      'a filter that is none',
      content,
      ['jobs', '--filter', "jobName like 'x'"],
      {},
      1,
      /The filter is not valid: .* at position/,
    ],
    ['rejecting without a note', content, ['reject', 'x'], {}, 2, /Give a reason with --note/],
    [
      'approving nothing',
      content,
      ['approve', '--job', 'abcdefghij'],
      {},
      2,
      /Specify the requests, or --all/,
    ],
    [
      'a clock that goes back',
      content,
      ['clock', 'advance', '-1d'],
      {},
      2,
      /Specify how far|Unknown option/,
    ],
    [
      'a clock of a hub that is not there',
      content,
      ['clock'],
      { HUB_URL: 'http://127.0.0.1:6399' },
      3,
      /cannot be reached/,
    ],
    [
      'a shell that is none',
      content,
      ['completion', 'cmd'],
      {},
      2,
      /Name a shell: bash, zsh, fish/,
    ],
  ]
  it.each(cases)('%s is a sentence and a code', async (_, files, args, env, code, sentence) => {
    const before = await jobIds()
    const ran = await project(files).run(args, env)
    expect(ran.err).toMatch(sentence)
    expect(ran).toMatchObject({ code, out: '' })
    expect(ran.err).not.toMatch(/\n {4}at /)
    expect(await jobIds()).toEqual(before)
  })

  it('a hub of another version is named with both versions', async () => {
    const server = createServer((call, answer) => {
      const say = (status: number, body: object) =>
        answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (call.url === '/connect/token')
        return say(200, { access_token: 'x', expires_in: 60, token_type: 'Bearer', scope: '' })
      if (call.url === '/healthz') return say(200, { status: 'ok', version: '7.0.0' })
      return say(404, { code: 'NOT_FOUND', message: 'There is no call here.', traceId: 'x' })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, err } = await project(content, url).run(['quota'])
    server.closeAllConnections()
    server.close()
    expect(code).toBe(2)
    expect(err).toContain(
      `The hub at ${url} has version 7.0.0, this command line ${packageVersion}`,
    )
  })

  it('a file whose format the hub does not know is named before it is sent, and is an error at pull', async () => {
    const it = project({ 'dragoman.yml': yml, ...content, 'content/logo.png': 'PNG' })
    const tried = await it.run(['push', '--dry-run'])
    expect(tried.err).toMatch(
      /^Warning: the hub cannot translate the format of 1 file: content\/logo\.png\.\n/,
    )
    const pushed = await it.run(['push'])
    expect(pushed).toMatchObject({ code: 0, err: tried.err })
    const pulled = await it.run(['pull', '--wait'])
    expect(pulled.code).toBe(1)
    expect(pulled.out).toMatch(/6 translations written\./)
    expect(pulled.out).toMatch(
      /content\/logo\.png \(de-DE\) failed: "logo\.png" is not in a format/,
    )
    expect(it.files('translated').filter((path) => path.endsWith('.png'))).toEqual([])
  })

  it('a format may be said in dragoman.yml, and what is not translated says what to do', async () => {
    const said = project({
      'dragoman.yml': `${yml}format: json\n`,
      'content/page.data': '{"a": "One"}',
    })
    const tried = await said.run(['push', 'content/page.data', '--dry-run', '--json'])
    expect(JSON.parse(tried.out).files).toEqual([
      { path: 'content/page.data', size: 12, format: 'json' },
    ])
    const wrong = project({ 'dragoman.yml': `${yml}format: word\n`, ...content })
    const refused = await wrong.run(['push', '--dry-run'])
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/dragoman\.yml:\d+:\d+.*"word" is no format; there are .*json/s)
    const memory = project({
      'dragoman.yml': yml,
      'content/old.tmx': '<tmx version="1.4"><body/></tmx>',
    })
    const warned = await memory.run(['push', 'content/old.tmx', '--dry-run'])
    expect(warned.err).toMatch(/^Warning: content\/old\.tmx: A TMX file is a translation memory/)
    expect(warned.out).toMatch(/^content\/old\.tmx \(\d+ B, tmx\)/)
  })

  it('files without an extension are pushed and pulled; one whose bytes do not say its format is named', async () => {
    const it = project({
      'dragoman.yml': yml,
      'content/page': '<!doctype html><p>Good morning</p>',
      'content/notes': Uint8Array.of(0, 1, 2, 255, 254),
    })
    const pushed = await it.run(['push', '--target', 'de-DE'])
    expect(pushed.code).toBe(0)
    expect(pushed.err).toContain('cannot translate the format of 1 file: content/notes.')
    await it.run(['pull', '--wait'])
    expect(it.files('translated')).toEqual(['translated/de-DE/content/page'])
    expect(it.read('translated/de-DE/content/page')).toMatch(
      /^<!doctype html><p>.*[^\0-\x7f].*<\/p>$/,
    )
  })

  it('maps languages by the table of dragoman.yml', async () => {
    const it = project({
      'dragoman.yml': `${yml}languages:\n  zh-Hant: zh-tw\n  english: en-US\n`,
      ...content,
    })
    const pushed = await it.run([
      'push',
      '--source',
      'english',
      '--target',
      'zh-Hant,de_DE',
      '--json',
    ])
    expect(pushed).toMatchObject({ code: 0, err: '' })
    const { jobId } = JSON.parse(pushed.out).job
    const { requests } = await asConnector().listRequests({ params: { jobId } })
    expect(new Set(requests.map((one) => one.targetNativeLanguageCode))).toEqual(
      new Set(['zh-tw', 'de_DE']),
    )
    expect(new Set(requests.map((one) => one.sourceNativeLanguageCode))).toEqual(new Set(['en-US']))
  })

  it('a file that changes while it is uploaded is not sent', async () => {
    const proxy = await startFaultyProxy(hub.url)
    onTestFinished(() => proxy.stop())
    const it = project(
      { 'dragoman.yml': yml, 'content/a.bin': new Uint8Array(40_000_000) },
      proxy.endpoint,
    )
    proxy.spoil = ({ path, method }) => {
      if (method !== 'GET' && path.includes('/fms/'))
        it.write('content/a.bin', new Uint8Array(40_000_001))
      return undefined
    }
    const { code, err } = await it.run(['push'])
    expect({ code, err }).toMatchObject({ code: 1 })
    expect(err).toMatch(/a\.bin changed during the upload/)
  })
})

describe('pull', () => {
  const translated = async (ids: string | readonly string[], name = 'a.txt') => {
    const connection = asConnector()
    const { sourceOf } = await import('@dragoman/sdk')
    const job = await connection.push({
      jobName: 'pulled',
      source: 'en-us',
      targets: ['de-de', 'fr-fr'],
      provider: 'Pseudo',
      items: [ids]
        .flat()
        .map((id) => ({ name, id, file: sourceOf(name, 'Some text to translate') })),
    })
    await connection.wait(job.jobId, { everyMs: 20 })
    return job.jobId
  }

  it('makes every path safe that a hub may name, and refuses a pattern that leads out', async () => {
    const ids = [
      '../outside.txt',
      '/etc/inside.txt',
      'a/../../b.txt',
      '..\\c.txt',
      'CON',
      'x\u202e.txt',
      'R.md',
      'r.md',
    ]
    const jobId = await translated(ids)
    const it = project({})
    const { code, out } = await it.run(['pull', jobId, '--output', '{path}', '--lang', 'de-DE'])
    expect({ code, files: it.files() }).toEqual({
      code: 0,
      files: expect.arrayContaining([
        expect.stringMatching(/^__\/outside-[0-9a-f]{8}\.txt$/),
        'etc/inside.txt',
        expect.stringMatching(/^a\/__\/__\/b-[0-9a-f]{8}\.txt$/),
        expect.stringMatching(/^__\/c-[0-9a-f]{8}\.txt$/),
        expect.stringMatching(/^_CON-[0-9a-f]{8}$/),
        expect.stringMatching(/^x_-[0-9a-f]{8}\.txt$/),
        'R.md',
        expect.stringMatching(/^r-[0-9a-f]{8}\.md$/),
      ]),
    })
    expect([it.files().length, out]).toEqual([
      ids.length,
      expect.stringContaining('8 translations written.'),
    ])
    const other = project({})
    const refused = await other.run(['pull', jobId, '--output', '../{path}', '--lang', 'de-DE'])
    expect({ ...refused, files: other.files() }).toMatchObject({
      code: 1,
      err: expect.stringContaining(', outside '),
      files: [],
    })
    for (const output of ['.git/hooks/{path}', 'a/.GIT/{path}', '.git./{path}']) {
      const kept = await other.run(['pull', jobId, '--output', output, '--lang', 'de-DE'])
      expect({ ...kept, files: other.files() }, output).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /, inside .*git.*, which belongs to the repository. Nothing was written/i,
        ),
        files: [],
      })
    }
  })

  it('--wait says what it waits for, and does not wait for what can never come', async () => {
    const it = project()
    const connection = asConnector()
    const job = await connection.createJob({ body: { jobName: 'never sent' } })
    const never = await it.run(['pull', job.jobId, '--wait'])
    expect(never).toMatchObject({
      code: 1,
      err: expect.stringContaining('has not been submitted, so it has no translations'),
    })
    const archived = await connection.push({
      jobName: 'put away',
      source: 'en-us',
      targets: ['de-de'],
      provider: 'Manual',
      items: [{ name: 'x', fields: { a: 'Text' } }],
    })
    await connection.archiveJob({ params: { jobId: archived.jobId } })
    const away = await it.run(['pull', archived.jobId, '--wait'])
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('is archived') })
    const waiting = await connection.push({
      jobName: 'waited for',
      source: 'en-us',
      targets: ['de-de'],
      provider: 'Manual',
      items: [{ name: 'x', fields: { a: 'Text' } }],
    })
    const { child, ran, err } = it.start(['pull', waiting.jobId, '--wait'])
    await expect
      .poll(err)
      .toContain(`Waiting for job ${waiting.jobId}: 0 of 1 translated, 1 SENT_TO_PROVIDER (`)
    child.kill('SIGINT')
    expect((await ran).code).toBe(130)
  })

  it('an address where no hub has ever answered is asked twice', async () => {
    let connections = 0
    const deaf = createTcpServer()
    deaf.on('connection', (socket) => {
      connections += 1
      socket.on('data', () => socket.end('no HTTP at all\r\n\r\n'))
    })
    await new Promise<void>((ready) => deaf.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`
    const ran = await project().run(['jobs', '--url', url])
    deaf.close()
    expect(ran).toMatchObject({ code: 3, out: '' })
    expect(connections).toBeLessThanOrEqual(2)
  })

  it('refuses a link that leads out', async () => {
    const jobId = await translated('x.txt')
    const it = project({})
    const outside = join(tmpdir(), `dragoman-outside-${process.pid}`)
    mkdirSync(outside, { recursive: true })
    symlinkSync(outside, join(it.folder, 'de-de'))
    symlinkSync(outside, join(it.folder, 'de'))
    const { code, err } = await it.run(['pull', jobId])
    rmSync(outside, { recursive: true })
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(', outside ') })
  })

  it('refuses a pattern that gives two translations one file', async () => {
    const jobId = await translated('x.txt')
    const { code, err } = await project({}).run(['pull', jobId, '--output', 'out/{path}'])
    expect(code).toBe(2)
    expect(err).toContain('gives the same path for')
  })

  it('fills every blank, and writes keys and values as JSON', async () => {
    const connection = asConnector()
    const { sourceOf } = await import('@dragoman/sdk')
    const job = await connection.push({
      jobName: 'blanks',
      source: 'en-us',
      targets: ['de-DE'],
      provider: 'Pseudo',
      items: [
        { name: 'a/b/c.html', file: sourceOf('c.html', '<p>Text</p>') },
        { name: 'menu', fields: { home: 'Home' } },
      ],
    })
    const it = project({})
    const { code } = await it.run([
      'pull',
      job.jobId,
      '--wait',
      '--output',
      '{dir}/{name}.{lang}.{ext}',
    ])
    expect(code).toBe(0)
    expect(it.files()).toEqual(['a/b/c.de-DE.html', 'menu.de-DE.json'])
    expect(Object.keys(JSON.parse(it.read('menu.de-DE.json')))).toEqual(['home'])
  })

  it('says 5 while translations are not ready, and writes those that are', async () => {
    const it = project({ 'dragoman.yml': yml.replace('Pseudo', 'Manual'), ...content })
    await it.run(['push'])
    await hub.advance('1s')
    const { code, out } = await it.run(['pull'])
    expect(code).toBe(5)
    expect(out).toContain('6 requests not ready yet')
    expect(await it.run(['status'])).toMatchObject({ code: 5 })
  })

  const disk = smallDisk(3_000_000)
  afterAll(() => {
    if (typeof disk !== 'string') disk.remove()
  })
  it('says that the disk is full, and leaves nothing half written', async (context) => {
    if (typeof disk === 'string') return context.skip(disk)
    const connection = asConnector()
    const { sourceOf } = await import('@dragoman/sdk')
    const job = await connection.push({
      jobName: 'large',
      source: 'en-us',
      targets: ['de-DE'],
      provider: 'Pseudo',
      items: [
        { name: 'a.txt', file: sourceOf('a.txt', 'Some text to translate.\n'.repeat(40_000)) },
      ],
    })
    await connection.wait(job.jobId, { everyMs: 50 })
    const it = newProject(hub.url, {}, disk.path)
    disk.fill(200_000)
    const full = await it.run(['pull', job.jobId])
    expect(full.code).toBe(1)
    expect(full.err).toContain('was not written: there is no space left')
    expect(it.files()).toEqual([])
    disk.free()
    expect(await it.run(['pull', job.jobId])).toMatchObject({ code: 0 })
    it.remove()
  })
})

describe('the other commands', () => {
  it('list, review and move the clock, for people and for programs', async () => {
    const it = project()
    const jobId = jobIn((await it.run(['push'])).out)
    await it.run(['clock', 'advance', '1s'])
    expect((await it.run(['jobs'])).out).toMatch(
      new RegExp(`^JOB +STATE +CREATED +NAME\n[\\s\\S]*${jobId} +`),
    )
    const listed = await it.run(['requests', '--lang', 'de-DE', '--json'])
    const requests = JSON.parse(listed.out) as { requestId: string; statusCode: string }[]
    expect(requests.map(({ statusCode }) => statusCode)).toEqual([
      'REVIEW_TRANSLATION',
      'REVIEW_TRANSLATION',
    ])
    const [first, second] = requests.map(({ requestId }) => requestId)
    expect(await it.run(['reject', first ?? '', '--note', 'Too formal'])).toMatchObject({
      code: 0,
      out: '1 request rejected.\n',
    })
    expect(await it.run(['approve', second ?? ''])).toMatchObject({
      code: 0,
      out: '1 request approved.\n',
    })
    expect(await it.run(['approve', second ?? ''])).toMatchObject({ code: 0 })
    expect((await it.run(['approve', '--all', '--json'])).out).toContain('"approved"')
    expect(await it.run(['approve', first ?? ''])).toMatchObject({ code: 1 })
    expect((await it.run(['providers'])).out).toMatch(/Pseudo +pseudo +ENABLED/)
    expect(JSON.parse((await it.run(['quota', '--json'])).out)).toContainEqual(
      expect.objectContaining({ name: 'MaxReqsPerJob' }),
    )
    const before = new Date((await it.run(['clock'])).out.trim())
    const after = JSON.parse((await it.run(['clock', 'advance', '1d', '--json'])).out) as {
      now: string
    }
    expect(new Date(after.now).getTime() - before.getTime()).toBeGreaterThanOrEqual(86_400_000)
  })

  it('print no colour and no bar when they are piped', async () => {
    const it = project()
    for (const args of [['push'], ['jobs'], ['status'], ['jobs', 'nonsense']]) {
      const { out, err } = await it.run(args)
      expect(out + err).not.toContain('\u001b')
    }
  })

  it.runIf(process.platform === 'linux')(
    'fit a terminal of 40 columns, bar and tables',
    async () => {
      const it = project({
        'dragoman.yml': yml,
        'content/a-page-with-a-long-name.html': '<p>x</p>',
      })
      const cli = `${process.execPath} ${join(root, 'packages/cli/bin/dragoman.js')}`
      // util-linux's script gives its command a terminal.
      const command = `stty cols 40; ${cli} push; ${cli} requests`
      const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
        cwd: it.folder,
        env: { PATH: process.env.PATH, HUB_URL: hub.url, TERM: 'xterm' },
      })
      expect(stdout).toContain('\u001b[K[')
      const plain = stdout.replaceAll('\u001b[K', '').split(/[\r\n]+/)
      const drawn = plain.filter((line) => /^\[|^[A-Z]+: /.test(line))
      expect(drawn.length).toBeGreaterThan(10)
      expect(drawn.filter((line) => line.length > 40)).toEqual([])
    },
  )

  it('listen prints deliveries, forwards them with their signature, and deletes its listeners', async () => {
    const got: { headers: IncomingHttpHeaders; body: string }[] = []
    const target = createServer(async (call, answer) => {
      const pieces: Buffer[] = []
      for await (const piece of call) pieces.push(piece as Buffer)
      got.push({ headers: call.headers, body: Buffer.concat(pieces).toString() })
      answer.writeHead(200).end()
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const it = project()
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`
    const { ran, err } = it.start(['listen', '--forward', url, '--count', '3'])
    await expect.poll(err).toContain('Listening at')
    await it.run(['push'])
    const { code, out, err: said } = await ran
    target.closeAllConnections()
    target.close()
    expect(code).toBe(0)
    expect(out.trim().split('\n')).toHaveLength(3)
    expect(out).toMatch(/ (JOB|REQUEST)_UPDATE {2}\w{10}/)
    expect(got.length).toBeGreaterThanOrEqual(3)
    const secret = /^Signing secret: (whsec_\S+)$/m.exec(said)?.[1] ?? ''
    for (const { headers, body } of got) await verifyDelivery(headers, body, { secret })
    expect((await asConnector().listListeners()).listeners).toEqual([])
  })

  it.each(['bash', 'zsh', 'fish'])(
    'completion for %s names every command and flag',
    async (shell) => {
      const { code, out } = await project({}).run(['completion', shell])
      expect(code).toBe(0)
      for (const word of ['push', 'pull', 'listen', 'dry-run', 'advance'])
        expect(out).toContain(word)
      if (shell === 'bash') await promisify(execFile)('bash', ['-n', '-c', out])
    },
  )
})
