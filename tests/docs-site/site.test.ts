/**
 * The site at /docs as a program sees it: every page, every link of every page, sizes, caching, and
 * input that means harm.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type Endpoint,
  endpointNames,
  endpoints,
  errorCodes,
  errors,
  failsOf,
  methodOf,
  pathOf,
} from '@dragoman/contract'
import { codeFor, codeLanguages, errorHelp, sampleCall } from '@dragoman/docs/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findGuides, prepareGuides } from '../../packages/console/src/docs/find-guides.ts'
import { makeFind } from '../../packages/console/src/docs/find-pages.ts'
import { fold } from '../../packages/console/src/docs/fold-text.ts'
import { docsOfPage } from '../../packages/console/src/docs-of-page.ts'
import { statesOf } from '../../packages/docs/src/call-states.ts'
import { highlight } from '../../packages/docs/src/highlight.ts'
import { configKeys } from '../../packages/server/src/config/config-keys.ts'
import { startHub, type TestHub } from '../hub.ts'

const root = join(import.meta.dirname, '../..')
let hub: TestHub
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub.close())

const page = async (path: string, from = hub): Promise<string> =>
  (await from.call<string>('GET', path)).body
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const wordsIn = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)),
]

/** The bytes of an answer as they travel. */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{
    status: number
    headers: Record<string, string | string[] | undefined>
    bytes: Buffer
  }>((resolve) =>
    request({ host: '127.0.0.1', port: new URL(hub.url).port, path, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(parts),
        }),
      )
    }).end(),
  )

describe('the pages of /docs', () => {
  it('have no broken link or anchor', async () => {
    const texts = new Map<string, string>()
    const idsOf = new Map<string, ReadonlySet<string>>()
    const wanted = ['/docs']
    const dead: string[] = []
    const anchors: [from: string, path: string, anchor: string][] = []
    for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
      if (texts.has(path)) continue
      const { status, body, headers } = await hub.call<string>('GET', path)
      if (status !== 200) dead.push(`${status} ${path}`)
      const isPage =
        path.startsWith('/docs') && (headers.get('content-type') ?? '').startsWith('text/html')
      texts.set(path, isPage ? body : '')
      if (!isPage) continue
      const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
      idsOf.set(path, new Set(ids))
      if (new Set(ids).size !== ids.length)
        dead.push(`${path} has an id twice: ${ids.filter((id, at) => ids.indexOf(id) !== at)}`)
      for (const [, to = ''] of body.matchAll(/\s(?:href|src)="([#/][^"]*)"/g)) {
        const [next = '', anchor] = to.split('#')
        const target = next === '' ? path : next
        if (next !== '') wanted.push(next)
        if (anchor !== undefined) anchors.push([path, target, anchor])
      }
    }
    for (const [from, path, anchor] of anchors)
      if (!idsOf.get(path)?.has(anchor)) dead.push(`${from}: ${path}#${anchor}`)
    expect(dead).toEqual([])
    expect([...texts.keys()].filter((path) => path.startsWith('/docs/calls/'))).toHaveLength(
      endpointNames.length + 2,
    )
    const guides = readdirSync(join(root, 'docs')).filter(
      (name) => name.endsWith('.md') && !['errors.md', 'README.md'].includes(name),
    )
    for (const name of guides) expect(texts.has(`/docs/guides/${name.slice(0, -3)}`)).toBe(true)
    expect(texts.has('/docs/pictures/job.png') || texts.has('/docs/pictures/jobs.png')).toBe(true)
    // Files to copy have pages too, and are shown as they are.
    const compose = plain(texts.get('/docs/files/deploy/compose.yaml') ?? '')
    expect(compose).toContain(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8').trimEnd())
    expect(texts.has('/docs/files/examples/ci/translate.sh')).toBe(true)
    expect(texts.has('/docs/guides/decisions/sites')).toBe(false)
    expect((await hub.call('GET', '/docs/guides/decisions/sites')).status).toBe(200)
  })

  it.each([
    '/docs',
    '/docs/calls/createJob',
    '/docs/errors',
    '/docs/guides/config',
    '/docs/nowhere',
  ])('%s runs under a policy that allows its own files and nothing else', async (path) => {
    const { headers, body } = await hub.call<string>('GET', path)
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    const inline = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)
    expect(inline).toHaveLength(1)
    const hash = createHash('sha256')
      .update(inline[0] ?? '')
      .digest('base64')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "style-src 'self'",
        `script-src 'self' 'sha256-${hash}'`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    )
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
    expect(body).not.toMatch(/<style|\son\w+="|\sstyle="|javascript:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('mark where the reader is', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/calls/submitJob', '/docs/guides/operating'])
      expect(
        [...(await page(path)).matchAll(/href="([^"]*)" aria-current="page"/g)].map(([, to]) => to),
      ).toEqual([path])
  })
})

describe('the page of a call', () => {
  it.each(endpointNames)(
    '%s has its path, scope, states, fields, errors and samples',
    async (name) => {
      const endpoint: Endpoint = endpoints[name]
      const body = await page(`/docs/calls/${name}`)
      expect(body).toContain(`${methodOf(endpoint)}</span> <code>/v2${pathOf(endpoint)}</code>`)
      for (const code of failsOf(endpoint)) {
        const [about = ''] =
          new RegExp(`<details class="error" id="error-${code}">[\\s\\S]*?</details>`).exec(body) ??
          []
        expect(about).toContain(`href="/docs/errors#${code}"`)
        expect(about).toContain('class="sentence"')
        const [, json = '{}'] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(about) ?? []
        expect(JSON.parse(plain(json))).toMatchObject({
          code,
          message: expect.not.stringMatching(/[{}]|undefined/),
        })
      }
      const scopes = { operator: '<code>operator</code>', any: 'any valid token' } as Readonly<
        Record<string, string>
      >
      expect(body).toContain(scopes[String(endpoint.scope)] ?? '<code>admin</code>')
      const fields = Object.keys(
        (endpoint.body as { properties?: object } | undefined)?.properties ?? {},
      )
      for (const field of fields) expect(body).toContain(`<li id="body.${field}">`)
      expect(body.includes('<strong>Deprecated.</strong>')).toBe(endpoint.deprecated !== undefined)
      const call = sampleCall(name)
      const text = plain(body)
      for (const language of codeLanguages)
        expect(text).toContain(codeFor(language, call, { baseUrl: hub.url }).trimEnd())
      if (call.downloads === undefined) expect(text).toContain(JSON.stringify(call.answer, null, 2))
      expect(body).toContain(
        `data-method="${methodOf(endpoint)}" data-path="/v2${pathOf(endpoint)}"`,
      )
    },
  )

  it('names the states of every call that a state can refuse', () => {
    const refusals = [
      'INVALID_TRANSITION',
      'JOB_ALREADY_SUBMITTED',
      'JOB_IN_PROGRESS',
      'JOB_NOT_SUBMITTED',
      'REQUEST_NOT_IN_REVIEW',
    ]
    for (const name of endpointNames) {
      const { fails }: Endpoint = endpoints[name]
      const told = statesOf(name, fails)
      for (const code of refusals.filter((one) => (fails as readonly string[]).includes(one)))
        expect([name, told.map(({ otherwise }) => otherwise)]).toEqual([
          name,
          expect.arrayContaining([code]),
        ])
      for (const { states } of told) expect(states.length).toBeGreaterThan(0)
    }
    expect(statesOf('submitJob', endpoints.submitJob.fails)[0]).toEqual({
      of: 'Job',
      states: ['CREATED'],
      already: ['SENDING', 'SENT_TO_PROVIDER', 'IN_TRANSLATION'],
      refused: ['COMPLETED', 'CANCELLED'],
      otherwise: 'INVALID_TRANSITION',
      on: 'submit',
    })
  })

  it('offers a demo client in the sandbox only', async () => {
    expect(await page('/docs/calls/createJob')).toContain('data-demo="demo-connector"')
    expect(await page('/docs/calls/createProvider')).toContain('data-demo="demo-admin"')
    expect(await page('/docs/calls/listSites')).toContain('data-demo="demo-operator"')
    const real = await startHub({ profile: 'production' })
    try {
      for (const path of ['/docs', '/docs/calls/createJob', '/docs/calls/listSites'])
        expect(await page(path, real)).not.toMatch(/demo-|\/sandbox/)
    } finally {
      await real.close()
    }
  })
})

describe('the page of errors', () => {
  it('has every error with its sentence, cause, remedy and the calls that answer with it', async () => {
    const body = await page('/docs/errors')
    for (const code of errorCodes) {
      const [about = ''] =
        new RegExp(`<section class="error" id="${code}">[\\s\\S]*?</section>`).exec(body) ?? []
      expect(plain(about)).toContain(errors[code].says.replace(/[{}]/g, ''))
      const { cause, remedy } = errorHelp[code]
      for (const text of [cause, remedy]) expect(plain(about)).toContain(text.replaceAll('`', ''))
    }
    expect(body).toMatch(/id="JOB_EMPTY">[\s\S]*?<a href="\/docs\/calls\/submitJob">submitJob<\/a>/)
  })
})

describe('the guides', () => {
  it('show the address of this hub in their examples', async () => {
    const body = await page('/docs/guides/settings')
    expect(readFileSync(join(root, 'docs/settings.md'), 'utf8')).toContain('http://127.0.0.1:8080')
    expect(body).toContain(hub.url)
    expect(body).not.toContain('http://127.0.0.1:8080')
  })

  it('have an anchor for each setting', async () => {
    const body = await page('/docs/guides/config')
    for (const key of Object.keys(configKeys)) expect(body).toContain(`id="${key}"`)
  })
})

describe('the search', () => {
  type Rows = Parameters<typeof makeFind>[0]
  type Guides = Parameters<typeof makeFind>[1]
  let rows: Rows
  let guides: Guides
  let find: ReturnType<typeof makeFind>
  beforeAll(async () => {
    const load = async <T>(path: string): Promise<T> => {
      const { body, headers } = await hub.call<T>('GET', path)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      return body
    }
    rows = await load<Rows>('/docs/search.json')
    guides = await load<Guides>('/docs/search-guides.json')
    find = makeFind(rows, guides)
  })
  const first = (typed: string) => find(typed)[0]?.found[0]

  it('has calls, fields, errors, states, settings and guides, each leading to its place', async () => {
    const to = (kind: string, title: string) =>
      rows.find(([k, t]) => k === kind && t === title)?.[3]
    expect(to('Calls', 'Create a job')).toBe('/docs/calls/createJob')
    expect(to('Fields', 'targetNativeLanguageCodes')).toMatch(
      /^\/docs\/schemas\/\w+#\w+\.targetNativeLanguageCodes$/,
    )
    expect(to('Fields', 'orderBy')).toBe('/docs/calls/listJobs#query.orderBy')
    expect(to('Errors', 'JOB_EMPTY')).toBe('/docs/errors#JOB_EMPTY')
    expect(to('States', 'REVIEW_TRANSLATION')).toBe('/docs/guides/states#request')
    expect(to('Settings', 'DRAGOMAN_HOSTS')).toBe('/docs/guides/config#DRAGOMAN_HOSTS')
    expect(guides.find(([title]) => title === 'Listeners')?.[1]).toBe('/docs/guides/listeners')
    const pages = new Map<string, string>()
    const dead: string[] = []
    const targets = [
      ...rows.map(([, , , path]) => path),
      ...guides.flatMap(([, path, sections]) =>
        sections.map(([, id]) => (id === '' ? path : `${path}#${id}`)),
      ),
      ...Object.values(docsOfPage).map((path) => `/docs/${path}`),
    ]
    for (const target of targets) {
      const [path = '', anchor] = target.split('#')
      if (!pages.has(path)) pages.set(path, await page(path))
      if (pages.get(path)?.includes('There is no such page')) dead.push(target)
      if (anchor !== undefined && !pages.get(path)?.includes(` id="${anchor}"`)) dead.push(target)
    }
    expect(dead).toEqual([])
  })

  it.each([
    ['signature', 'listeners#verify-a-delivery'],
    ['webhook', 'listeners#verify-a-delivery'],
    ['webhooks', 'listeners#verify-a-delivery'],
    ['verify', 'listeners#verify-a-delivery'],
    ['HMAC', 'listeners#verify-a-delivery'],
    ['retry', 'listeners#retries-and-failures'],
    ['retries', 'listeners#retries-and-failures'],
    ['callback', 'listeners'],
    ['listen', 'listeners'],
    ['LISTENERS', 'listeners'],
    ['lístènërs', 'listeners'],
    ['passkey', 'people#signing-in'],
    ['forgot password', 'people#more-people'],
    ['metrics', 'operating#metrics'],
    ['prometheus', 'deploy'],
    ['upgrade docker', 'upgrading#several-nodes'],
    ['audit log', 'operating#the-audit-log'],
    ['standby', 'high-availability#postgresql-with-a-standby'],
    ['nginx', 'high-availability#two-nodes-behind-nginx'],
    ['backup', 'backup'],
    ['placeholders', 'formats#placeholders'],
    ['price list', 'settings#price-lists'],
    ['word count', 'quotes#how-words-are-counted'],
    ['tmx', 'memory#import-a-tmx-file'],
    ['OmegaT', 'providers#step-by-step-with-omegat'],
    ['dragoman push', 'command-line#push'],
    ['segments', 'desk'],
    ['certify', 'certification'],
    ['python', 'other-languages'],
    ['submitJob', '/docs/calls/submitJob'],
    ['Create a job', '/docs/calls/createJob'],
    ['JOB_EMPTY', '/docs/errors#JOB_EMPTY'],
    ['dragoman_hosts', '/docs/guides/config#DRAGOMAN_HOSTS'],
  ])('%s finds %s first', (typed, target) => {
    expect(first(typed)?.path).toBe(target.startsWith('/') ? target : `/docs/guides/${target}`)
  })

  it('shows guides before calls, calls before the rest, and the sentence', () => {
    expect(find('retry').map(({ kind }) => kind)).toEqual(['Guides', 'Calls', 'Errors', 'Fields'])
    expect(first('standby')?.line).toBe(
      'The hub asks all of them, and uses the one that is not a standby and not read-only.',
    )
  })

  it('finds every guide by each of its words', async () => {
    const prepared = prepareGuides(guides)
    for (const [title, path, sections] of guides) {
      const [article = ''] = /<article[\s\S]*<\/article>/.exec(await page(path)) ?? []
      const inline = article
        .replaceAll(hub.url, 'http://127.0.0.1:8080')
        .replace(/<\/?(a|code|em|kbd|span|strong)\b[^>]*>/g, '')
      const words = wordsIn(plain(inline.replaceAll('<', ' <')))
      const known = new Set(wordsIn([title, ...sections.flat()].join(' ')))
      expect([path, words.filter((word) => !known.has(word))]).toEqual([path, []])
      for (const word of words.filter((_, at) => at % 60 === 0))
        expect([
          word,
          findGuides(prepared, [fold(word)]).map((found) => found.path.split('#')[0]),
        ]).toEqual([word, expect.arrayContaining([path])])
    }
  })
})

describe('what travels', () => {
  const kilobyte = 1024
  const assets = (body: string): string[] =>
    [...body.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+)"/g)].map(([, to = '']) => to)

  it.each([
    '/docs',
    '/docs/calls/createJob',
    '/docs/calls/listJobs',
    '/docs/errors',
    '/docs/guides/operating',
  ])('the first view of %s is under 100 KB, with styles, script and font', async (path) => {
    const accept = { 'accept-encoding': 'gzip' }
    const html = await raw(path, accept)
    const files = await Promise.all(
      assets(gunzipSync(html.bytes).toString()).map((file) => raw(file, accept)),
    )
    expect(files).toHaveLength(3)
    const sum = [html, ...files].reduce((total, { bytes }) => total + bytes.length, 0)
    expect(sum).toBeLessThan(100 * kilobyte)
  })

  it('every page is small: at most 40 KB compressed, the names of the search 48 KB, and its texts 120 KB', async () => {
    const large: string[] = []
    for (const path of [
      ...endpointNames.map((name) => `/docs/calls/${name}`),
      '/docs/errors',
      '/docs/schemas',
      '/docs/search.json',
      '/docs/search-guides.json',
    ]) {
      const { bytes } = await raw(path, { 'accept-encoding': 'br' })
      const most = { '/docs/search.json': 48, '/docs/search-guides.json': 120 }[path] ?? 40
      if (bytes.length > most * kilobyte) large.push(`${path} ${bytes.length}`)
    }
    expect(large).toEqual([])
  })

  it('is compressed as the caller accepts, and not sent again while it is the same', async () => {
    const unpack = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
      none: (bytes: Buffer) => bytes,
    } as const
    const texts = await Promise.all(
      (['br', 'gzip', 'none'] as const).map(async (name) => {
        const { headers, bytes } = await raw('/docs', {
          'accept-encoding': name === 'none' ? 'br;q=0' : name,
        })
        expect(headers['content-encoding']).toBe(name === 'none' ? undefined : name)
        expect(headers.vary).toContain('accept-encoding')
        return unpack[name](bytes).toString()
      }),
    )
    expect(new Set(texts).size).toBe(1)
    const { headers } = await raw('/docs', {})
    const known = await raw('/docs', { 'if-none-match': String(headers.etag) })
    expect([known.status, known.bytes.length]).toEqual([304, 0])
    expect((await raw('/docs', { 'if-none-match': '"other"' })).status).toBe(200)
    for (const file of assets(texts[0] ?? ''))
      expect((await raw(file, {})).headers['cache-control']).toBe(
        'public, max-age=31536000, immutable',
      )
  })

  it('the guides of the package are those of the repository', () => {
    const copy = join(root, 'packages/server/dist/docs')
    for (const name of readdirSync(join(root, 'docs')).filter((one) => one.endsWith('.md')))
      if (!['errors.md', 'README.md'].includes(name))
        expect(statSync(join(copy, 'guides', `${name.slice(0, -3)}.html.br`)).isFile()).toBe(true)
    const { files } = JSON.parse(
      readFileSync(join(root, 'packages/server/package.json'), 'utf8'),
    ) as {
      files: string[]
    }
    expect(files).toEqual(
      expect.arrayContaining(['dist/docs', 'dist/console/manifest.json', 'dist/console/assets']),
    )
  })
})

describe('input that means harm', () => {
  it.each([
    '/docs/nowhere',
    '/docs/calls/constructor',
    '/docs/calls/__proto__',
    '/docs/guides/../../package.json',
    '/docs/guides/..%2f..%2fpackage',
    '/docs/pictures/..%2fsettings.md',
    '/docs/pictures/',
    '/docs/%3Cscript%3Ealert(1)%3C/script%3E',
    '/docs/%00',
    `/docs/${'a'.repeat(300)}`,
  ])('%s gets the page that says so, with search', async (path) => {
    const { status, bytes } = await raw(path, { accept: 'text/html' })
    const text = bytes.toString()
    expect(status).toBe(404)
    expect(text).not.toContain('alert(1)')
    expect(text).toContain('Search the docs')
  })

  it('a Host header writes nothing into a page', async () => {
    for (const path of ['/docs', '/docs/calls/createJob', '/docs/guides/settings']) {
      const { bytes } = await raw(path, { host: `"><script>alert(1)</script>$(id)` })
      expect(bytes.toString()).not.toMatch(/alert\(1\)|\$\(id\)/)
    }
  })

  it('code is coloured without losing or adding a letter', () => {
    for (const text of [
      `a "b\\" <c>" 'd # e'`,
      "it's // no string",
      '"open',
      '# &amp; <b>',
      '1.5.2 x1 `t` "',
    ])
      for (const language of ['sh', 'json', 'ts', 'python', 'text', ''])
        expect(plain(highlight(text, language).markup)).toBe(text)
  })
})
