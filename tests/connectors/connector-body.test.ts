/**
 * The body of every connector, between a real hub and a small content system: what editors see and
 * do, what a person wrote stays, and nothing is lost or sent twice wherever the process ends.
 */
import { connect } from '@dragoman/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Connector,
  type Hub,
  openConnector,
  type Records,
  type System,
  usualSettings,
} from '../../connectors/walker/src/connector/index.ts'
import { sized } from '../draws.ts'
import { startHub, type TestHub } from '../hub.ts'

type Page = {
  name: string
  en: Record<string, string>
  de: Record<string, string>
  fr: Record<string, string>
}
type Place = { pages: Map<string, Page>; records: Map<string, unknown>; published: string[] }

let hub: TestHub
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub?.close())

let place: Place
beforeEach(() => {
  place = { pages: new Map(), records: new Map(), published: [] }
})
/** The ids of a test belong to it alone, for all tests share the hub. */
let pages = 0
const addPage = (en: Record<string, string>): string => {
  pages += 1
  place.pages.set(`p${pages}`, { name: `Page ${pages}.`, en, de: {}, fr: {} })
  return `p${pages}`
}
const page = (id: string): Page => {
  const found = place.pages.get(id)
  if (!found) throw new Error(`no page ${id}`)
  return found
}

const systemOf = ({ pages: all, published }: Place): System => ({
  hasCollection: async (collection) => collection === 'pages',
  source: async ({ id }) => {
    const found = all.get(id)
    return found && { name: found.name, texts: structuredClone(found.en) }
  },
  target: async ({ id }, language) => structuredClone(all.get(id)?.[language as 'de'] ?? {}),
  write: async ({ entry, language, texts, publish }) => {
    const found = all.get(entry.id)
    if (!found) throw new Error('gone')
    found[language as 'de'] = { ...found[language as 'de'], ...texts }
    if (publish) published.push(`${entry.id} ${language}`)
    return undefined
  },
})
const recordsOf = ({ records }: Place): Records => ({
  get: async (key) => structuredClone(records.get(key)),
  put: async (key, value) => void records.set(key, JSON.parse(JSON.stringify(value))),
  remove: async (key) => void records.delete(key),
  list: async (prefix) =>
    [...records]
      .filter(([key]) => key.startsWith(prefix))
      .sort()
      .map(([key, value]) => ({ key, value: structuredClone(value) })),
})
const keptTexts = new Map<string, string>()
/** Where the updates were read to is the same for all tests: earlier ones are none of a later one. */
const kept = {
  get: async (key: string) => keptTexts.get(key),
  set: async (key: string, text: string, { once }: { once?: boolean } = {}) => {
    if (!once || !keptTexts.has(key)) keptTexts.set(key, text)
  },
  remove: async (key: string) => void keptTexts.delete(key),
}
const hubOf = (more: { url?: string; clientSecret?: string } = {}): Hub =>
  connect({
    ...{ url: hub.url, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' },
    connector: { name: 'body', version: '1', installation: 'b8d9a1de-8a5b-4b87-9c36-3c0a1f0e7d01' },
    ...{ kept, retry: { tries: 1, firstTries: 1 }, ...more },
  })

let keys = 0
const settings = {
  ...usualSettings('en', []),
  ...{ provider: 'Pseudo', languages: { en: 'en-us', de: 'de-de', fr: 'fr-fr' } },
}
const open = (more: Partial<Parameters<typeof openConnector>[0]> = {}): Connector => {
  const records = more.records ?? recordsOf(place)
  return openConnector({
    system: systemOf(place),
    ...{ records, hub: hubOf(), settings },
    newKey: () => `${String(keys++).padStart(6, '0')}-${crypto.randomUUID()}`,
    ...more,
  })
}
const entry = (id: string) => ({ collection: 'pages', id })
const stateOf = async (connector: Connector, id: string, language = 'de') =>
  (await connector.status('pages', id)).find((one) => one.language === language)
/** Everything that is on its way arrives. */
const settle = async (connector: Connector) => {
  await connector.poll()
  await hub.advance('5s')
  await connector.poll()
}
type Asked = {
  requestId: string
  sourceNativeId: string
  targetNativeLanguageCode: string
  jobId: string
}
const line = () =>
  connect({ url: hub.url, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' })
const requestsOf = async (id: string): Promise<Asked[]> => {
  const found: Asked[] = []
  for await (const { jobId, jobName, statusCode } of line().each('listJobs')) {
    if (statusCode === 'CREATED' || !jobName.startsWith(`Page ${id.slice(1)}.`)) continue
    for await (const one of line().each('listRequests', { params: { jobId } }))
      if (one.sourceNativeId === `pages:${id}`) found.push({ ...one, jobId } as Asked)
  }
  return found
}
const sentFields = async (id: string): Promise<string[][]> => {
  const all: string[][] = []
  for (const request of await requestsOf(id)) all.push(Object.keys(await line().fields(request)))
  return all
}

describe('an editor', () => {
  test('sends, sees the states, approves, sees what is out of date, and sends only that', async () => {
    const connector = open()
    const id = addPage({ title: 'Good morning', body: 'How are you today?' })
    expect((await stateOf(connector, id))?.state).toBe('NOT_SENT')
    const sent = await connector.send([entry(id)], ['de', 'fr'])
    expect(sent.map(({ language, state }) => [language, state])).toEqual([
      ['de', 'WAITING'],
      ['fr', 'WAITING'],
    ])
    await settle(connector)
    expect(await stateOf(connector, id)).toMatchObject({
      state: 'IN_REVIEW',
      jobUrl: expect.stringMatching(/^http.*\/jobs\/\w{10}$/),
    })
    expect(page(id).de.title).toMatch(/[^ -~]/)
    expect(page(id).en.title).toBe('Good morning')
    await connector.review({ ...entry(id), language: 'de', verdict: 'APPROVED' })
    expect((await stateOf(connector, id))?.state).toBe('TRANSLATED')
    expect((await stateOf(connector, id, 'fr'))?.state).toBe('IN_REVIEW')
    await expect(
      connector.review({ ...entry(id), language: 'de', verdict: 'APPROVED' }),
    ).rejects.toMatchObject({ status: 409 })

    page(id).en.body = 'How are you tonight?'
    expect((await stateOf(connector, id))?.state).toBe('OUT_OF_DATE')
    page(id).en.body = 'How are you today?'
    expect((await stateOf(connector, id))?.state).toBe('TRANSLATED')
    page(id).en.body = 'How are you tonight?'
    const { title } = page(id).de
    await connector.send([entry(id)], ['de'])
    await settle(connector)
    expect((await sentFields(id)).map((one) => one.length).sort()).toEqual([1, 2, 2])
    expect(page(id).de.title).toBe(title)
    expect((await stateOf(connector, id))?.state).toBe('IN_REVIEW')
  })

  test('keeps a hand edit, sees both texts, and chooses', async () => {
    const connector = open()
    const id = addPage({ title: 'Good morning', body: 'How are you?' })
    await connector.send([entry(id)], ['de'])
    await settle(connector)
    await connector.review({ ...entry(id), language: 'de', verdict: 'APPROVED' })
    page(id).de.title = 'Servus'
    expect((await stateOf(connector, id))?.state).toBe('TRANSLATED')
    page(id).en = { title: 'Good evening', body: 'Well?' }
    await connector.send([entry(id)], ['de'])
    await settle(connector)
    const seen = await stateOf(connector, id)
    expect(seen).toMatchObject({
      state: 'CHANGED_BY_HAND',
      conflict: [{ path: 'title', mine: 'Servus' }],
    })
    expect(page(id).de.title).toBe('Servus')
    expect(page(id).de.body).not.toBe('How are you?')
    const theirs = seen?.conflict?.[0]?.theirs
    await expect(
      connector.choose({ ...entry(id), language: 'de', keep: 'MINE', path: 'body' }),
    ).rejects.toMatchObject({ status: 409 })
    const [chosen] = await connector.choose({ ...entry(id), language: 'de', keep: 'THEIRS' })
    expect(chosen?.state).toBe('IN_REVIEW')
    expect(page(id).de.title).toBe(theirs)
  })

  test('rejects with a note, and the next delivery replaces what nobody touched', async () => {
    const connector = open()
    const id = addPage({ title: 'Good morning' })
    await connector.send([entry(id)], ['de'])
    await settle(connector)
    const rejected = await connector.review({
      ...entry(id),
      ...{ language: 'de', verdict: 'REJECTED', note: 'Too formal' },
    })
    expect(rejected[0]?.state).toBe('IN_TRANSLATION')
    const [request] = await requestsOf(id)
    const { body } = await hub.call(
      'GET',
      `/v2/jobs/${request?.jobId}/requests/${request?.requestId}`,
      {
        as: 'demo-connector',
      },
    )
    expect(body.rejectNote).toBe('Too formal')
    await settle(connector)
    expect(await stateOf(connector, id)).not.toHaveProperty('conflict')
  })

  test('two who press at once send once', async () => {
    const connector = open()
    const id = addPage({ title: 'Good morning' })
    await Promise.all([connector.send([entry(id)], ['de']), connector.send([entry(id)], ['de'])])
    await settle(connector)
    expect(await requestsOf(id)).toHaveLength(1)
  })

  test('publishes what arrives only where that is chosen', async () => {
    const connector = open()
    const id = addPage({ title: 'Good morning' })
    await connector.published(entry(id))
    expect((await stateOf(connector, id))?.state).toBe('NOT_SENT')
    await connector.changeSettings({ onPublish: true, publish: true })
    await connector.published(entry(id))
    await settle(connector)
    expect(place.published.sort()).toEqual([`${id} de`, `${id} fr`])
  })
})

describe('a refusal', () => {
  test.each<[string, (id: string) => [object[], string[]]]>([
    ['an unknown language', (id) => [[entry(id)], ['it']]],
    ['the source language', (id) => [[entry(id)], ['de', 'en']]],
    ['no entry', () => [[], ['de']]],
    ['no language', (id) => [[entry(id)], []]],
    ['an unknown collection', (id) => [[entry(id), { collection: 'x', id: '1' }], ['de']]],
  ])('%s is refused, and nothing is kept', async (_, given) => {
    const connector = open()
    const [entries, languages] = given(addPage({ title: 'x' }))
    await expect(connector.send(entries as never, languages)).rejects.toMatchObject({ status: 400 })
    expect(place.records.size).toBe(0)
  })

  test('one entry that cannot be sent is told, and the others go on', async () => {
    const connector = open()
    const [good, bad, empty] = [addPage({ t: 'Well' }), addPage({ t: 'a\0b' }), addPage({})]
    const items = await connector.send([good, bad, empty, 'none'].map(entry), ['de'])
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      [good, 'WAITING'],
      ...[bad, empty, 'none'].map((id) => [id, 'FAILED']),
    ])
    for (const { state, sentence } of items) if (state === 'FAILED') expect(sentence).toMatch(/\.$/)
    await settle(connector)
    expect((await stateOf(connector, good))?.state).toBe('IN_REVIEW')
    // What is repaired can be sent.
    page(bad).en = { t: 'ab' }
    await connector.send([entry(bad)], ['de'])
    await settle(connector)
    expect((await stateOf(connector, bad))?.state).toBe('IN_REVIEW')
  })

  test('settings that make no sense are refused', async () => {
    const connector = open()
    for (const given of [
      [],
      { pollSeconds: 0 },
      { languages: { de: 'de-de' } },
      { fields: { pages: 'title' } },
      { publish: 'yes' },
    ])
      await expect(connector.changeSettings(given)).rejects.toMatchObject({ status: 400 })
    expect(await connector.settings()).toEqual(settings)
  })
})

describe('what goes wrong', () => {
  test('a hub that is down is waited for, and what was pressed meanwhile is sent once', async () => {
    const away = open({ hub: hubOf({ url: 'http://127.0.0.1:9' }) })
    const id = addPage({ title: 'Good morning' })
    await away.send([entry(id)], ['de'])
    await expect(away.poll()).rejects.toMatchObject({ status: 503 })
    await away.send([entry(id)], ['de'])
    expect((await stateOf(away, id))?.state).toBe('WAITING')
    const back = open()
    await settle(back)
    expect((await stateOf(back, id))?.state).toBe('IN_REVIEW')
    expect(await requestsOf(id)).toHaveLength(1)
  })

  test('a secret that is revoked is told, and the entry can be sent again', async () => {
    const refused = open({ hub: hubOf({ clientSecret: 'wrong' }) })
    const id = addPage({ title: 'Good morning' })
    await refused.send([entry(id)], ['de'])
    await expect(refused.poll()).rejects.toMatchObject({ status: 409 })
    expect(await stateOf(refused, id)).toMatchObject({
      state: 'FAILED',
      sentence: expect.stringMatching(/credentials/),
    })
    const back = open()
    await back.send([entry(id)], ['de'])
    await settle(back)
    expect((await stateOf(back, id))?.state).toBe('IN_REVIEW')
  })

  test('an entry that is deleted while it is away is told, and stops nobody', async () => {
    const connector = open()
    const [id, other] = [addPage({ title: 'Good morning' }), addPage({ title: 'Hello' })]
    await connector.send([id, other].map(entry), ['de'])
    await connector.poll()
    place.pages.delete(id)
    await settle(connector)
    expect((await stateOf(connector, other))?.state).toBe('IN_REVIEW')
    const all = await connector.status('pages')
    expect(all.find((one) => one.id === id)).toMatchObject({
      state: 'FAILED',
      sentence: 'The entry does not exist any more.',
    })
  })

  test('a field that is gone, and one that is new, while the entry is away', async () => {
    const connector = open()
    const id = addPage({ title: 'Good morning', old: 'Bye' })
    await connector.send([entry(id)], ['de'])
    await connector.poll()
    page(id).en = { title: 'Good morning', fresh: 'New' }
    await settle(connector)
    await connector.review({ ...entry(id), language: 'de', verdict: 'APPROVED' })
    expect(await stateOf(connector, id)).toMatchObject({
      state: 'OUT_OF_DATE',
      sentence: expect.stringMatching(/no longer has these texts.*old/),
    })
    expect(Object.keys(page(id).de)).toEqual(['title'])
  })
})

/** A process that ends at its n-th step: nothing after it happens. */
function mortal(steps: number): { wrap: <T extends object>(port: T) => T; isDead: () => boolean } {
  let left = steps
  const wrap = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function' || name === 'each') return member
        return async (...given: unknown[]) => {
          if (left <= 0) throw new Error('ended')
          left -= 1
          const answer: unknown = await Reflect.apply(member, target, given)
          // Done, but the process does not live to know.
          if (left <= 0) throw new Error('ended')
          return answer
        }
      },
    })
  return { wrap, isDead: () => left <= 0 }
}

test('wherever the process ends, nothing is lost, nothing is sent twice, and no edit is invented', async () => {
  let ends = 0
  for (let steps = 3; ; steps += sized(4, 1)) {
    place = { pages: new Map(), records: new Map(), published: [] }
    const id = addPage({ title: 'Good morning', body: `Step ${steps}` })
    const { wrap, isDead } = mortal(steps)
    const records = wrap(recordsOf(place))
    const doomed = open({
      records,
      system: wrap(systemOf(place)),
      hub: wrap(hubOf()),
    })
    const isKept = await doomed.send([entry(id)], ['de']).then(
      () => true,
      () => [...place.records.keys()].some((key) => key.startsWith('sending:')),
    )
    await doomed.poll().catch(() => {})
    await hub.advance('5s')
    await doomed.poll().catch(() => {})
    ends += 1
    const next = open()
    await settle(next)
    const seen = await stateOf(next, id)
    expect([steps, seen?.state]).toEqual([steps, isKept ? 'IN_REVIEW' : 'NOT_SENT'])
    expect([steps, (await requestsOf(id)).length]).toEqual([steps, isKept ? 1 : 0])
    expect(seen).not.toHaveProperty('conflict')
    if (isKept) expect(page(id).de.title).toMatch(/[^ -~]/)
    if (!isDead()) break
  }
  expect(ends).toBeGreaterThan(sized(5, 20))
})
