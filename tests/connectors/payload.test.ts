/**
 * The plugin in a real Payload on SQLite, against a real hub: its calls, its rights, what it writes
 * and what it leaves alone, its listener, and what happens when the site is killed.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { startHub, type TestHub } from '../hub.ts'
import { installSystem, payloadNeeds, type Site, siteFolder, startSite } from './connector-sites.ts'

/** What an answer of the site holds is for the tests to say. */
type Loose = ReturnType<typeof JSON.parse>
type Answer = { status: number; body: Record<string, never> & { [name: string]: unknown } }
type Shown = {
  language: string
  state: string
  sentence?: string
  conflict?: { path: string; mine: string; theirs: string }[]
}

let hub: TestHub
let site: Site
let installed: string
const place = siteFolder()
const port = await freePort()
const tokens: Record<string, string> = {}

const start = () =>
  startSite(installed, 'payload-site.mjs', {
    SITE_DB: join(place, 'site.db'),
    SITE_PORT: String(port),
    DRAGOMAN_URL: hub.url,
    DRAGOMAN_CLIENT_ID: 'demo-connector',
    DRAGOMAN_CLIENT_SECRET: 'demo-connector-secret',
    DRAGOMAN_PUBLIC_URL: `http://127.0.0.1:${port}`,
  })

const call = async (
  method: string,
  path: string,
  body?: unknown,
  as = 'admin',
): Promise<Answer> => {
  const answer = await fetch(`${site.url}/api${path}`, {
    method,
    headers: {
      ...(tokens[as] && { authorization: `JWT ${tokens[as]}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
}
const must = async (method: string, path: string, body?: unknown, as = 'admin') => {
  const { status, body: got } = await call(method, path, body, as)
  if (status >= 300)
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(got)}\n${site.said()}`)
  return got as Record<string, Loose>
}

beforeAll(async () => {
  installed = await installSystem('payload', payloadNeeds)
  hub = await startHub()
  site = await start()
  for (const role of ['admin', 'editor', 'reader']) {
    const who = { email: `${role}@example.org`, password: 'a-password' }
    const path = role === 'admin' ? '/users/first-register' : '/users'
    await must('POST', path, { ...who, role })
    tokens[role] = (await must('POST', '/users/login', who, 'nobody')).token
  }
  await must('PUT', '/dragoman/settings', {
    provider: 'Pseudo',
    languages: { en: 'en-us', de: 'de-de', fr: 'fr-fr' },
    pollSeconds: 3_600,
  })
})
afterAll(async () => {
  await site?.kill()
  await hub?.close()
  rmSync(place, { recursive: true, force: true })
})

const words = (value: string, format = 0) => ({
  type: 'text',
  text: value,
  format,
  mode: 'normal',
  style: '',
  detail: 0,
  version: 1,
})
const block = (type: string, children: unknown[], more = {}) => ({
  type,
  children,
  direction: 'ltr',
  format: '',
  indent: 0,
  version: 1,
  ...more,
})
const body = (first: string) => ({
  root: block('root', [
    block('heading', [words(first)], { tag: 'h2' }),
    block('paragraph', [
      words('Read '),
      block('link', [words('this', 1)], {
        id: 'l1',
        fields: { linkType: 'custom', url: 'https://example.org/a', newTab: false },
      }),
      words(' today.'),
    ]),
    {
      type: 'block',
      version: 2,
      format: '',
      fields: {
        id: 'b1',
        blockType: 'note',
        blockName: '',
        body: 'A note inside',
        kind: 'warning',
      },
    },
  ]),
})
const page = (title: string) => ({
  title,
  slug: 'a-page',
  order: 3,
  teaser: 'Come in',
  body: body('Welcome'),
  layout: [
    { blockType: 'quote', said: 'First words', stars: 5 },
    { blockType: 'quote', said: 'Last words', stars: 1 },
  ],
  links: [
    { label: 'Home', href: '/' },
    { label: 'Contact', href: '/c' },
  ],
  steps: [
    { what: 'Open the box', order: 1 },
    { what: 'Close the box', order: 2 },
  ],
  seo: { description: 'About us', index: true },
  more: 'More text',
  _status: 'published',
})
const add = async (title: string, more = {}) =>
  String((await must('POST', '/pages?locale=en&depth=0', { ...page(title), ...more })).doc.id)
const read = (id: string, locale: string, draft = true) =>
  must('GET', `/pages/${id}?locale=${locale}&fallback-locale=none&depth=0&draft=${draft}`)
const states = async (id: string): Promise<Record<string, string>> => {
  const { items } = await must(
    'GET',
    `/dragoman/status?collection=pages&id=${id}`,
    undefined,
    'editor',
  )
  return Object.fromEntries((items as Shown[]).map((one) => [one.language, one.state]))
}
const settle = async () => {
  await must('POST', '/dragoman/poll')
  await hub.advance('5s')
  await must('POST', '/dragoman/poll')
}
const entry = (id: string) => ({ collection: 'pages', id })
const send = (id: string, languages = ['de', 'fr']) =>
  must('POST', '/dragoman/send', { entries: [entry(id)], languages }, 'editor')
/** Every value that is no text of a reader. */
const bones = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bones)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['updatedAt', 'createdAt', '_status'].includes(name))
      .map(([name, one]) => [
        name,
        typeof one === 'string' &&
        ['title', 'teaser', 'said', 'label', 'what', 'description', 'more', 'text'].includes(name)
          ? 'text'
          : name === 'body' && typeof one === 'string'
            ? 'text'
            : bones(one),
      ]),
  )
}
const withoutIdsOf = (value: Loose): Loose => ({
  ...value,
  slug: undefined,
  steps: value.steps?.map(({ id: _, ...row }: Loose) => row),
})

describe('a page', () => {
  test('comes back as a draft in each language, and nothing but texts differs', async () => {
    const related = await add('Another')
    const id = await add('Hello world', { related: [Number(related)] })
    const before = await read(id, 'en')
    expect(await states(id)).toEqual({ de: 'NOT_SENT', fr: 'NOT_SENT' })
    const sent = await send(id)
    expect(sent.items.map((one: Shown) => one.state)).toEqual(['WAITING', 'WAITING'])
    await settle()
    expect(await states(id)).toEqual({ de: 'IN_REVIEW', fr: 'IN_REVIEW' })
    const german = await read(id, 'de')
    expect(withoutIdsOf(bones(german))).toEqual(withoutIdsOf(bones(before)))
    for (const text of [
      german.title,
      german.teaser,
      german.layout[1].said,
      german.links[0].label,
      german.steps[1].what,
      german.seo.description,
      german.more,
    ])
      expect(text).toMatch(/[^ -~]/)
    expect(german.body.root.children[1].children[1].fields.url).toBe('https://example.org/a')
    expect(german.body.root.children[2].fields).toMatchObject({
      kind: 'warning',
      body: expect.stringMatching(/[^ -~]/),
    })
    expect(await read(id, 'en')).toEqual({
      ...before,
      updatedAt: expect.anything(),
      _status: expect.anything(),
    })
    // Visitors do not see drafts.
    expect((await read(id, 'de', false)).title ?? null).toBeNull()
  })

  test('is approved, out of date after a changed text and nothing else, and sent again in part', async () => {
    const id = await add('Good day')
    await send(id)
    await settle()
    const review = { ...entry(id), language: 'de', verdict: 'APPROVED' }
    expect((await must('POST', '/dragoman/review', review, 'editor')).items[0].state).toBe(
      'TRANSLATED',
    )
    expect((await call('POST', '/dragoman/review', review, 'editor')).status).toBe(409)
    const now = await read(id, 'en')
    const turned = {
      ...now,
      order: 9,
      links: [now.links[1], now.links[0]],
      layout: [now.layout[1], now.layout[0]],
    }
    await must('PATCH', `/pages/${id}?locale=en&draft=true`, {
      order: 9,
      links: turned.links,
      layout: turned.layout,
    })
    expect((await states(id)).de).toBe('TRANSLATED')
    await must('PATCH', `/pages/${id}?locale=en&draft=true`, { body: body('Welcome back') })
    expect((await states(id)).de).toBe('OUT_OF_DATE')
    const german = await read(id, 'de')
    await send(id, ['de'])
    await settle()
    const after = await read(id, 'de')
    expect(after.title).toBe(german.title)
    expect(after.links.map((one: Loose) => one.label)).toEqual(
      german.links.map((one: Loose) => one.label),
    )
    expect(after.body.root.children[0].children[0].text).not.toBe(
      german.body.root.children[0].children[0].text,
    )
    expect(after.body.root.children[1]).toEqual(german.body.root.children[1])
    expect((await read(id, 'fr')).title).toMatch(/[^ -~]/)
    expect((await read(id, 'en')).title).toBe('Good day')
  })

  test('keeps what a person changed; both texts are shown, and one is chosen', async () => {
    const id = await add('Good evening')
    await send(id, ['de'])
    await settle()
    await must('PATCH', `/pages/${id}?locale=de&draft=true`, { title: 'Servus' })
    await must('PATCH', `/pages/${id}?locale=en&draft=true`, { title: 'Good night' })
    await send(id, ['de'])
    await settle()
    const { items } = await must('GET', `/dragoman/status?collection=pages&id=${id}`)
    const german = items.find((one: Shown) => one.language === 'de')
    expect(german).toMatchObject({
      state: 'CHANGED_BY_HAND',
      conflict: [{ path: 'title', mine: 'Servus' }],
    })
    expect((await read(id, 'de')).title).toBe('Servus')
    await must(
      'POST',
      '/dragoman/choose',
      { ...entry(id), language: 'de', keep: 'THEIRS' },
      'editor',
    )
    expect((await read(id, 'de')).title).toBe(german.conflict[0].theirs)
  })

  test('is published in one language where that is chosen, and the drafts of others stay drafts', async () => {
    const id = await add('Published')
    await must('PATCH', `/pages/${id}?locale=en&draft=true`, { title: 'Not ready' })
    await must('PUT', '/dragoman/settings', { publish: true })
    await send(id, ['de'])
    await settle()
    await must('PUT', '/dragoman/settings', { publish: false })
    expect((await read(id, 'de', false)).title).toMatch(/[^ -~]/)
    expect((await read(id, 'en', false)).title).toBe('Published')
    expect((await read(id, 'en')).title).toBe('Not ready')
  })

  test('a global is translated as a page is', async () => {
    await must('POST', '/globals/footer?locale=en', { line: 'All rights reserved', year: 2026 })
    await must('POST', '/dragoman/send', {
      entries: [{ collection: 'globals', id: 'footer' }],
      languages: ['de'],
    })
    await settle()
    const german = await must('GET', '/globals/footer?locale=de&fallback-locale=none')
    expect(german).toMatchObject({ line: expect.stringMatching(/[^ -~]/), year: 2026 })
    expect((await must('GET', '/globals/footer?locale=en')).line).toBe('All rights reserved')
  })
})

describe('who may do what', () => {
  test.each<[string, string, unknown, string, number]>([
    ['GET', '/dragoman/status?collection=pages', undefined, 'nobody', 401],
    ['POST', '/dragoman/send', { entries: [entry('1')], languages: ['de'] }, 'nobody', 401],
    ['POST', '/dragoman/send', { entries: [entry('1')], languages: ['de'] }, 'reader', 403],
    [
      'POST',
      '/dragoman/send',
      { entries: [{ collection: 'media', id: '1' }], languages: ['de'] },
      'editor',
      403,
    ],
    ['GET', '/dragoman/settings', undefined, 'editor', 403],
    ['PUT', '/dragoman/settings', { publish: true }, 'editor', 403],
    ['POST', '/dragoman/poll', undefined, 'editor', 403],
    ['POST', '/dragoman/send', { entries: [entry('1')], languages: ['it'] }, 'editor', 400],
    ['POST', '/dragoman/send', { entries: [entry('1')], languages: ['en'] }, 'editor', 400],
    ['POST', '/dragoman/send', { entries: [], languages: ['de'] }, 'editor', 400],
    [
      'POST',
      '/dragoman/send',
      { entries: [{ collection: 'users', id: '1' }], languages: ['de'] },
      'admin',
      400,
    ],
    ['POST', '/dragoman/send', [], 'editor', 400],
    [
      'POST',
      '/dragoman/review',
      { ...entry('1'), language: 'de', verdict: 'MAYBE' },
      'editor',
      400,
    ],
    ['POST', '/dragoman/deliveries', { jobId: 'x' }, 'nobody', 401],
    ['GET', '/dragoman-records', undefined, 'admin', 403],
  ])('%s %s with %j as %s: %i', async (method, path, given, who, status) => {
    const answer = await call(method, path, given, who)
    expect(answer.status).toBe(status)
    expect(answer.body.errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/./) }),
    ])
  })

  test('no call shows the secret', async () => {
    const { body: settings } = await call('GET', '/dragoman/settings')
    expect(JSON.stringify(settings)).not.toContain('secret')
  })
})

test('the listener hears what a poll would have brought', async () => {
  const id = await add('Heard')
  await expect
    .poll(async () => {
      const { body: found } = await hub.call<{ listeners: { uri: string }[] }>(
        'GET',
        '/v2/statusupdates/listeners',
        { as: 'demo-connector' },
      )
      return found.listeners.map(({ uri }) => uri)
    })
    .toEqual([`http://127.0.0.1:${port}/api/dragoman/deliveries`])
  await send(id, ['de'])
  await expect.poll(async () => (await states(id)).de).not.toBe('WAITING')
  await hub.advance('5s')
  await expect.poll(async () => (await states(id)).de).toBe('IN_REVIEW')
})

test('what is published is sent by itself where that is chosen, and its translation is not sent again', async () => {
  await must('PUT', '/dragoman/settings', { onPublish: true })
  const id = await add('By itself')
  await expect.poll(() => states(id)).not.toMatchObject({ de: 'NOT_SENT' })
  await must('PUT', '/dragoman/settings', { onPublish: false })
  await settle()
  expect(await states(id)).toEqual({ de: 'IN_REVIEW', fr: 'IN_REVIEW' })
})

test('a site that is killed while it sends and takes loses nothing and sends nothing twice', async () => {
  const id = await add('Killed')
  await send(id, ['de'])
  await site.kill()
  site = await start()
  await settle()
  expect((await states(id)).de).toBe('IN_REVIEW')
  const { body: jobs } = await hub.call<{ jobs: { jobName: string; statusCode: string }[] }>(
    'GET',
    '/v2/jobs?pageSize=50',
    { as: 'demo-connector' },
  )
  expect(
    jobs.jobs.filter((one) => one.jobName === 'Killed' && one.statusCode !== 'CREATED'),
  ).toHaveLength(1)
})
