/**
 * Contract, section 15, "The last delivery is the truth": whatever way a translation came, the desk,
 * the reviewer and the connector have the same text, and a verdict belongs to its delivery.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from '../hub.ts'
import { edited, packagesOf, packed, type Source, translated } from '../packages-kit.ts'

type Row = Record<string, unknown>
type Shown = {
  segmentId: string
  position: number
  target?: unknown[]
  state: string
  version: number
  kept?: Row[]
  review?: Row
  previous?: Row
  checks: { check: string; message: string }[]
}
type Texts = readonly [one: string, two: string]
type Place = { jobId: string; id: string; task: string; path: string; source: Texts }

const provider = 'demo-provider'
const connector = 'demo-connector'
const all = ['NEW', 'DRAFT', 'TRANSLATED', 'REJECTED', 'APPROVED']
  .map((state) => `state=${state}`)
  .join('&')
const page = ([one, two]: Texts) => `<p>${one}</p>\n<p>${two}</p>\n`
const first: Texts = ['Erster Text', 'Zweiter Text']
const second: Texts = ['Erster Satz', 'Zweiter Satz']

describe.each(databases)('deliveries and the desk (%s)', (database) => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  beforeAll(async () => {
    hub = await startHub({ database })
    kit = packagesOf(hub)
  })
  afterAll(() => hub.close())
  let made = 0

  const call = <T = Row>(who: string, method: string, path: string, body?: unknown) =>
    kit.call<T>(who, method, path, body)
  const sent = async (what: 'file' | 'fields'): Promise<Place> => {
    // No other text of this hub: the memory knows what was approved.
    made += 1
    const source: Texts = [`First text ${made}a`, `Second text ${made}b`]
    const content =
      what === 'file'
        ? { name: 'page.html', file: page(source) }
        : { fields: { one: source[0], two: source[1] } }
    return { ...(await sentAs(content)), source }
  }
  const sentAs = async (content: Source): Promise<Place> => {
    const { jobId, ids, task, path } = await kit.sent([content])
    const id = ids[0] ?? ''
    return { jobId, id, path, task: task(id), source: ['', ''] }
  }
  const desk = async ({ task }: Place, query = '') =>
    (await call<{ segments: Shown[] }>(provider, 'GET', `${task}/segments${query}`)).body.segments
  const reviewed = async ({ jobId, id }: Place, query = '') =>
    (
      await call<{ segments: Shown[] }>(
        connector,
        'GET',
        `/jobs/${jobId}/requests/${id}/segments${query}`,
      )
    ).body.segments
  const put = (at: Place, { segmentId, version }: Shown, target: string, more: Row = {}) =>
    call<Shown & { code?: string; current?: Shown }>(
      provider,
      'PUT',
      `${at.task}/segments/${segmentId}`,
      { target: [target], state: 'TRANSLATED', version, ...more },
    )
  const judge = (at: Place, { segmentId }: Shown, body: Row) =>
    call<Shown & { code?: string; current?: Shown }>(
      connector,
      'PUT',
      `/jobs/${at.jobId}/requests/${at.id}/segments/${segmentId}/review`,
      body,
    )
  const decide = async ({ jobId, id }: Place, what: 'approve' | 'reject', note?: string) => {
    const body = { requestIds: [id], ...(note && { note }) }
    const { status } = await call(connector, 'PUT', `/jobs/${jobId}/requests/${what}`, body)
    expect(status).toBe(200)
  }
  const noteOf = async ({ task }: Place) => (await call(provider, 'GET', task)).body.rejectNote
  const retrieved = async ({ jobId, id }: Place) => {
    const text = await kit.translationOf(jobId, id)
    return [...text.matchAll(/<(p|field)\b[^>]*>(.*?)<\/\1>/g)].map(([, , one]) => one)
  }
  const texts = (segments: readonly Shown[]) => segments.map(({ target }) => target?.join(''))

  const submit = async ({ task }: Place) => {
    const { status, body } = await call(provider, 'PATCH', task, {
      statusCode: 'TRANSLATION_SUBMITTED',
    })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const upload = async (at: Place, bytes: string | Uint8Array) => {
    const { body } = await call(provider, 'POST', `${at.task}/translatedFile`)
    const form = new FormData()
    form.append('file', new Blob([bytes as string]), 'page.html')
    const answer = await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })
    expect(answer.status).toBe(201)
  }
  const tus = async (at: Place, text: string) => {
    const { body } = await call(provider, 'POST', `${at.task}/translatedFile`)
    const headers = { sastoken: String(body.fmsSASToken), 'tus-resumable': '1.0.0' }
    const made = await fetch(String(body.fmsUploadUrl), {
      method: 'POST',
      headers: { ...headers, 'upload-length': String(Buffer.byteLength(text)) },
    })
    expect(made.status).toBe(201)
    const sending = await fetch(new URL(made.headers.get('location') ?? '', hub.url), {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: text,
    })
    expect(sending.status).toBe(204)
  }
  const bySegments = async (at: Place, now: Texts) => {
    for (const [index, segment] of (await desk(at)).entries())
      expect((await put(at, segment, now[index] ?? '')).status).toBe(200)
    expect((await call(provider, 'POST', `${at.task}/segments/deliver`)).status).toBe(200)
  }
  const ways = {
    segments: { what: 'file', deliver: bySegments },
    'segments of fields': { what: 'fields', deliver: bySegments },
    'a file by multipart': {
      what: 'file',
      deliver: async (at, now) => {
        await upload(at, page(now))
        await submit(at)
      },
    },
    'a file by TUS': {
      what: 'file',
      deliver: async (at, now) => {
        await tus(at, page(now))
        await submit(at)
      },
    },
    translatedContent: {
      what: 'fields',
      deliver: async (at, [one, two]) => {
        const fields = [
          { key: 'one', value: one },
          { key: 'two', value: two },
        ]
        expect(
          (await call(provider, 'PUT', `${at.task}/translatedContent`, { fields })).status,
        ).toBe(200)
        await submit(at)
      },
    },
    'an XLIFF package': {
      what: 'file',
      deliver: async (at, now) => {
        const known = texts(await desk(at)).map((text, index) => text ?? at.source[index] ?? '')
        const words = Object.fromEntries(known.map((text, index) => [text, now[index] ?? '']))
        const out = await kit.download(at.path, `?${all}`)
        const back = edited(out, (text, name) =>
          name.endsWith('.xlf') ? translated(text, words) : text,
        )
        const { status, body } = await kit.deliver(at.path, packed(back))
        expect(status, JSON.stringify(body)).toBe(200)
        expect(body.delivered).toEqual([at.id])
      },
    },
    'an original package': {
      what: 'file',
      deliver: async (at, now) => {
        const out = await kit.download(at.path, `?format=original&${all}`)
        const back = edited(out, (text, name) => (name.endsWith('.html') ? page(now) : text))
        const { status, body } = await kit.deliver(at.path, packed(back))
        expect(status, JSON.stringify(body)).toBe(200)
        expect(body.delivered).toEqual([at.id])
      },
    },
  } satisfies Record<
    string,
    { what: 'file' | 'fields'; deliver: (at: Place, now: Texts) => Promise<void> }
  >
  const table = Object.entries(ways)

  describe.each(table)('delivered as %s', (_, { what, deliver }) => {
    it('replaces what the desk had, with a higher version of every segment', async () => {
      const at = await sent(what)
      await bySegments(at, first)
      await decide(at, 'reject', 'Again, please')
      const before = await desk(at)
      await deliver(at, second)
      const after = await desk(at)
      expect(texts(after)).toEqual(second)
      expect(after.map(({ state }) => state)).toEqual(['TRANSLATED', 'TRANSLATED'])
      for (const [index, { version }] of after.entries())
        expect(version).toBeGreaterThan(before[index]?.version ?? 0)
      expect(await retrieved(at)).toEqual(second)
      expect(texts(await reviewed(at))).toEqual(second)
      const late = await put(at, before[0] as Shown, 'Zu spät')
      expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT'])
      expect(late.body.current).toMatchObject({ target: [second[0]], version: after[0]?.version })
      // One correction at the desk leaves all other segments as the connector has them.
      expect((await put(at, after[0] as Shown, 'Korrigiert')).status).toBe(200)
      expect((await call(provider, 'POST', `${at.task}/segments/deliver`)).status).toBe(200)
      expect(await retrieved(at)).toEqual(['Korrigiert', second[1]])
      expect(texts(await reviewed(at))).toEqual(['Korrigiert', second[1]])
    })

    it('never lets a draft that it replaced out again', async () => {
      const at = await sent(what)
      await bySegments(at, first)
      await put(at, (await desk(at))[0] as Shown, 'Entwurf')
      if (deliver !== bySegments) await deliver(at, second)
      else await bySegments(at, second)
      expect((await call(provider, 'POST', `${at.task}/segments/deliver`)).status).toBe(200)
      expect(await retrieved(at)).toEqual(second)
      expect(texts(await desk(at))).toEqual(second)
    })

    it('begins without verdicts, shows the former one, and rejects with its own notes', async () => {
      const at = await sent(what)
      await deliver(at, first)
      const [one, two] = (await reviewed(at)) as [Shown, Shown]
      const wrong = { verdict: 'WRONG', note: 'Too free', type: 'STYLE', severity: 'MINOR' }
      expect((await judge(at, two, { verdict: 'OK', version: two.version })).status).toBe(200)
      expect((await judge(at, one, { ...wrong, version: one.version })).status).toBe(200)
      await decide(at, 'reject')
      expect(await noteOf(at)).toContain('Too free')
      expect((await desk(at))[0]).toMatchObject({ state: 'REJECTED', review: wrong })
      await deliver(at, second)
      const now = (await reviewed(at)) as [Shown, Shown]
      expect(now.map(({ state, review }) => [state, review])).toEqual([
        ['TRANSLATED', undefined],
        ['TRANSLATED', undefined],
      ])
      expect(now[0].previous).toEqual({ target: [first[0]], ...wrong })
      expect(now[1].previous).toEqual({ target: [first[1]], verdict: 'OK' })
      expect((await desk(at)).map(({ review }) => review)).toEqual([undefined, undefined])
      await judge(at, now[1], { verdict: 'WRONG', note: 'Number missing' })
      await decide(at, 'reject')
      expect(await noteOf(at)).not.toContain('Too free')
      expect(await noteOf(at)).toContain('Number missing')
    })

    it('shows the former target where no verdict was given', async () => {
      const at = await sent(what)
      await deliver(at, first)
      await deliver(at, second)
      expect((await reviewed(at)).map(({ previous }) => previous)).toEqual(
        first.map((text) => ({ target: [text] })),
      )
    })

    it('has approved segments when the request is approved, until it is delivered again', async () => {
      const at = await sent(what)
      await deliver(at, first)
      await decide(at, 'approve')
      for (const list of [desk, reviewed]) {
        expect((await list(at)).map(({ state }) => state)).toEqual(['APPROVED', 'APPROVED'])
        expect(await list(at, '?state=APPROVED')).toHaveLength(2)
        expect(await list(at, '?state=TRANSLATED')).toEqual([])
      }
      // A draft at the desk is the desk's; the reviewer still sees what was approved.
      const [one] = (await desk(at)) as [Shown]
      expect((await put(at, one, 'Noch besser', { state: 'DRAFT' })).body.state).toBe('DRAFT')
      expect((await reviewed(at))[0]).toMatchObject({ state: 'APPROVED', target: [first[0]] })
      await deliver(at, second)
      expect((await reviewed(at)).map(({ state }) => state)).toEqual(['TRANSLATED', 'TRANSLATED'])
    })
  })

  describe('a verdict', () => {
    it('stays when a draft is saved, which does not change the version of the delivery', async () => {
      const at = await sent('fields')
      await bySegments(at, first)
      const [one] = (await reviewed(at)) as [Shown]
      const wrong = { verdict: 'WRONG', note: 'Too free' }
      await put(at, (await desk(at))[0] as Shown, 'Entwurf', { state: 'DRAFT' })
      expect((await judge(at, one, { ...wrong, version: one.version })).status).toBe(200)
      await put(at, (await desk(at))[0] as Shown, 'Entwurf 2', { state: 'DRAFT' })
      expect((await reviewed(at))[0]).toMatchObject({
        ...{ target: [first[0]], state: 'REJECTED', review: wrong, version: one.version },
      })
      await decide(at, 'reject')
      expect(await noteOf(at)).toBe('one: Too free')
      expect((await desk(at))[0]).toMatchObject({ state: 'DRAFT', review: wrong })
    })

    it('for a delivery that was replaced meanwhile is refused, with the segment as it is now', async () => {
      const at = await sent('fields')
      await ways.translatedContent.deliver(at, first)
      const [one] = (await reviewed(at)) as [Shown]
      await ways.translatedContent.deliver(at, second)
      const late = await judge(at, one, { verdict: 'OK', version: one.version })
      expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT'])
      expect(late.body.current).toMatchObject({ target: [second[0]], state: 'TRANSLATED' })
      expect((await reviewed(at))[0]?.review).toBeUndefined()
      // A client of before sends no version.
      expect((await judge(at, one, { verdict: 'OK' })).status).toBe(200)
    })

    it('comes to the provider in the order of the segments', async () => {
      const fields = Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [`key ${at + 1}`, `Text number ${at + 1}`]),
      )
      const at = await sentAs({ fields })
      const list = Object.entries(fields).map(([key, value]) => ({ key, value: `${value} de` }))
      await call(provider, 'PUT', `${at.task}/translatedContent`, { fields: list })
      await submit(at)
      const segments = await reviewed(at)
      for (const index of [10, 1, 8, 3])
        await judge(at, segments[index] as Shown, { verdict: 'WRONG', note: `n${index + 1}` })
      await decide(at, 'reject', 'In short')
      expect(await noteOf(at)).toBe('In short\nkey 2: n2\nkey 4: n4\nkey 9: n9\nkey 11: n11')
    })
  })

  it('shows a key that the delivery lacks as new, whatever the desk had for it', async () => {
    const at = await sent('fields')
    await bySegments(at, first)
    const fields = [{ key: 'two', value: second[1] }]
    await call(provider, 'PUT', `${at.task}/translatedContent`, { fields })
    await submit(at)
    for (const list of [desk, reviewed])
      expect((await list(at)).map(({ state, target }) => [state, target])).toEqual([
        ['NEW', undefined],
        ['TRANSLATED', [second[1]]],
      ])
  })

  it('keeps at the desk what a delivery replaced there, with who wrote it', async () => {
    const at = await sent('file')
    await bySegments(at, first)
    await put(at, (await desk(at))[0] as Shown, 'Entwurf', { state: 'DRAFT' })
    await ways['a file by multipart'].deliver(at, second)
    expect((await desk(at))[0]).toMatchObject({
      ...{ target: [second[0]], replaced: { target: ['Entwurf'], changedBy: provider } },
    })
    expect((await reviewed(at))[0]).not.toHaveProperty('replaced')
  })

  it('shows the reviewer what was kept at the delivery, and names segments by position', async () => {
    const file = '<p>Hello</p>\n<p>Pay <b>now</b></p>\n'
    const at = await sentAs({ name: 'page.html', file })
    const [one, two] = (await desk(at)) as [Shown, Shown]
    await put(at, one, 'Hallo')
    await put(at, two, 'Zahlen')
    const kept = [{ segmentId: two.segmentId, check: 'tags.missing', reason: 'No bold here' }]
    const delivered = await call(provider, 'POST', `${at.task}/segments/deliver`, { kept })
    expect(delivered.status, JSON.stringify(delivered.body)).toBe(200)
    const shown = [{ check: 'tags.missing', reason: 'No bold here' }]
    expect((await reviewed(at)).map((segment) => segment.kept)).toEqual([undefined, shown])
    const { warnings } = (await call(connector, 'GET', `/jobs/${at.jobId}/requests/${at.id}`)).body
    expect(warnings).toContainEqual(
      expect.stringMatching(/^tags\.missing in segment 2: .* Kept: No bold here$/),
    )
    // What is kept for a later draft is not what was kept for the delivery.
    await put(at, (await desk(at))[1] as Shown, 'Jetzt', {
      kept: [{ check: 'tags.missing', reason: 'Another one' }],
    })
    expect((await reviewed(at))[1]?.kept).toEqual(shown)
  })
})
