/** Contract, section 13: segments, their targets, delivery, claims and reviews. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { enter } from '../visitor.ts'

type Visitor = Awaited<ReturnType<typeof enter>>
type JsonObject = Record<string, unknown>
type Shown = {
  segmentId: string
  position: number
  key?: string
  source: unknown[]
  tags: { tag: number; kind: string; pair?: number; shows: string }[]
  target?: unknown[]
  state: string
  version: number
  previous?: JsonObject
  percent?: number
  checks: JsonObject[]
  review?: JsonObject
}
const as = 'demo-connector'
const provider = 'demo-provider'
const html =
  '<!doctype html>\n<p>Save <b>{count} files</b> now.</p>\n<p title="Hint">Second   text</p>\n'

describe.each(databases)('the desk on %s', (database) => {
  let hub: TestHub
  let manual = ''
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    manual = body.providers.find(({ name }) => name === 'Manual')?.id ?? ''
  })
  afterAll(() => hub.close())

  const call = <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })

  /** A job that its provider has, with one request. */
  const sent = async (
    content: { file: string; name: string } | { fields: Record<string, string> },
    more: JsonObject = {},
  ) => {
    const { request = {}, ...job } = more
    const { jobId } = (await call(as, 'POST', '/jobs', { jobName: 'Desk', ...job })).body
    let source: JsonObject
    if ('file' in content) {
      const { body } = await call(as, 'POST', `/jobs/${jobId}/sourcefiles?fileName=${content.name}`)
      const form = new FormData()
      form.append('file', new Blob([content.file]), content.name)
      expect(
        (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
      ).toBe(201)
      source = { fmsFileId: body.fmsFileId }
    } else
      source = { fields: Object.entries(content.fields).map(([key, value]) => ({ key, value })) }
    const added = await call<{ requests: { requestId: string }[] }>(
      as,
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        ...{ requestName: 'r', sourceNativeId: '1', sourceNativeLanguageCode: 'en-us' },
        targetNativeLanguageCodes: ['de-de'],
        ...source,
        ...(request as JsonObject),
      },
    )
    const id = added.body.requests[0]?.requestId ?? ''
    expect((await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: manual })).status).toBe(
      200,
    )
    await hub.advance('1s')
    return { jobId: String(jobId), id, task: `/providers/${manual}/jobs/${jobId}/assetTasks/${id}` }
  }
  const list = async (task: string, query = '') =>
    (await call<{ segments: Shown[] }>(provider, 'GET', `${task}/segments${query}`)).body.segments
  const put = (task: string, segment: Shown, target: unknown[], more: JsonObject = {}) =>
    call<Shown & { code?: string; current?: Shown; field?: string }>(
      provider,
      'PUT',
      `${task}/segments/${segment.segmentId}`,
      { target, state: 'TRANSLATED', version: segment.version, ...more },
    )
  const preview = async (task: string) => {
    const token = await hub.token(provider)
    const answer = await fetch(`${hub.url}/v2${task}/preview`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(200)
    return { text: await answer.text(), headers: answer.headers }
  }
  const translationOf = async (jobId: string, id: string) => {
    const { headers } = await call(as, 'GET', `/jobs/${jobId}/requests/${id}/retrievefile`)
    return (await fetch(String(headers.get('location')))).text()
  }

  it('shows texts as parts, with what each tag stands for', async () => {
    const { task } = await sent({ file: html, name: 'page.html' })
    const segments = await list(task)
    expect(
      segments.map(({ source, state, version, position }) => ({
        source,
        state,
        version,
        position,
      })),
    ).toEqual([
      {
        source: ['Save ', { tag: 1 }, { tag: 2 }, ' files', { tag: 3 }, ' now.'],
        state: 'NEW',
        version: 0,
        position: 1,
      },
      { source: ['Hint'], state: 'NEW', version: 0, position: 2 },
      { source: ['Second   text'], state: 'NEW', version: 0, position: 3 },
    ])
    expect(segments[0]?.tags).toEqual([
      { tag: 1, kind: 'OPEN', pair: 3, shows: '<b>' },
      { tag: 2, kind: 'PLACEHOLDER', shows: '{count}' },
      { tag: 3, kind: 'CLOSE', pair: 1, shows: '</b>' },
    ])
  })

  it('keeps a target with its version, shows what would be delivered, and delivers it', async () => {
    const { jobId, id, task } = await sent({ file: html, name: 'page.html' })
    const [first, second, third] = (await list(task)) as [Shown, Shown, Shown]
    expect((await preview(task)).text).toBe(html)
    const written = await put(task, first, [
      { tag: 1 },
      'Dateien: ',
      { tag: 2 },
      { tag: 3 },
      ' sichern.',
    ])
    expect(written.status, JSON.stringify(written.body)).toBe(200)
    expect(written.body).toMatchObject({
      version: 1,
      state: 'TRANSLATED',
      origin: 'CLIENT',
      changedBy: provider,
    })
    const shown = await preview(task)
    expect(shown.text).toBe(
      html.replace('Save <b>{count} files</b> now.', '<b>Dateien: {count}</b> sichern.'),
    )
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    expect(shown.headers.get('content-disposition')).toContain('page.html')
    const open = await call<JsonObject>(provider, 'POST', `${task}/segments/deliver`)
    expect([open.status, open.body.code, open.body.open]).toEqual([409, 'SEGMENTS_OPEN', 2])
    const many = await call<{ segments: Shown[] }>(provider, 'PUT', `${task}/segments`, {
      segments: [
        { segmentId: second.segmentId, target: ['Hinweis'], state: 'TRANSLATED', version: 0 },
        { segmentId: third.segmentId, target: ['Zweiter Text'], state: 'TRANSLATED', version: 0 },
      ],
    })
    expect(many.body.segments.map(({ version }) => version)).toEqual([1, 1])
    const done = await call(provider, 'POST', `${task}/segments/deliver`)
    expect([done.status, done.body.statusCode]).toEqual([200, 'TRANSLATION_SUBMITTED'])
    const text = await translationOf(jobId, id)
    expect(text).toBe(
      html
        .replace('Save <b>{count} files</b> now.', '<b>Dateien: {count}</b> sichern.')
        .replace('Hint', 'Hinweis')
        .replace('Second   text', 'Zweiter Text'),
    )
    const again = await call(provider, 'POST', `${task}/segments/deliver`)
    expect([again.status, again.body.translatedFileId]).toEqual([200, done.body.translatedFileId])
  })

  it('gives the same bytes where the targets are the sources', async () => {
    const { jobId, id, task } = await sent({ file: html, name: 'same.html' })
    for (const segment of await list(task))
      expect((await put(task, segment, segment.source)).status).toBe(200)
    expect((await call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
    expect(await translationOf(jobId, id)).toBe(html)
  })

  describe('sentences', () => {
    const page =
      '<p><i>One pump runs.\n Two <b>pumps</b> run.</i></p>\n<p>One pump runs.  A third pump stops.</p>\n'
    const cut = { segmentation: 'SENTENCES' }
    const upload = async (task: string, text: string) => {
      const { body } = await call(provider, 'POST', `${task}/translatedFile?fileName=p.html`)
      const form = new FormData()
      form.append('file', new Blob([text]), 'p.html')
      expect(
        (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
      ).toBe(201)
      expect(
        (await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })).status,
      ).toBe(200)
    }
    const approve = async (jobId: string, id: string) => {
      const approved = await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, {
        requestIds: [id],
      })
      expect(approved.status, JSON.stringify(approved.body)).toBe(200)
      await hub.advance('1s')
    }
    const units = async (text: string) => {
      const query = `sourceNativeLanguageCode=en-us&targetNativeLanguageCode=de-de&text=${encodeURIComponent(text)}`
      const { body } = await hub.call<{ units: JsonObject[] }>(
        'GET',
        `/v2/settings/memory/units?${query}`,
        {
          as: 'demo-settings',
        },
      )
      return body.units.map(({ source, target }) => [source, target])
    }

    it('are what a job asks for, until it is submitted', async () => {
      const made = await call(as, 'POST', '/jobs', { jobName: 'Cut' })
      expect(made.body.segmentation).toBe('PARAGRAPHS')
      const { body } = await call(as, 'PATCH', `/jobs/${made.body.jobId}`, cut)
      expect(body.segmentation).toBe('SENTENCES')
      const bad = await call(as, 'PATCH', `/jobs/${made.body.jobId}`, { segmentation: 'WORDS' })
      expect([bad.status, bad.body.code]).toEqual([400, 'INVALID_REQUEST'])
    })

    it('are the segments, the words and the units; blanks and enclosing tags between them stay', async () => {
      const { jobId, id, task } = await sent({ file: page, name: 'p.html' }, cut)
      const segments = await list(task)
      expect(segments.map(({ source }) => source)).toEqual([
        ['One pump runs.'],
        ['Two ', { tag: 1 }, 'pumps', { tag: 2 }, ' run.'],
        ['One pump runs.'],
        ['A third pump stops.'],
      ])
      const words = await call<{ lines: { bands: { name: string; words: number }[] }[] }>(
        as,
        'GET',
        `/jobs/${jobId}/words`,
      )
      const bands = words.body.lines[0]?.bands.filter((band) => band.words > 0)
      expect(bands).toEqual([
        { name: 'Repetition', words: 3 },
        { name: 'New', words: 10 },
      ])
      expect((await preview(task)).text).toBe(page)
      const targets = [
        ['Eine Pumpe läuft.'],
        ['Zwei ', { tag: 1 }, 'Pumpen', { tag: 2 }, ' laufen.'],
        ['Eine Pumpe läuft.'],
        ['Eine dritte steht.'],
      ]
      for (const [at, segment] of segments.entries()) await put(task, segment, targets[at] ?? [])
      expect((await call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
      expect(await translationOf(jobId, id)).toBe(
        '<p><i>Eine Pumpe läuft.\n Zwei <b>Pumpen</b> laufen.</i></p>\n<p>Eine Pumpe läuft.  Eine dritte steht.</p>\n',
      )
      const seen = await call<{ segments: Shown[] }>(
        as,
        'GET',
        `/jobs/${jobId}/requests/${id}/segments`,
      )
      expect(seen.body.segments.map(({ target }) => target)).toEqual(targets)
      await approve(jobId, id)
      expect(await units('third pump')).toEqual([['A third pump stops.', 'Eine dritte steht.']])
    })

    it('of a file that was delivered whole pair where there are as many of them, else the paragraph stays', async () => {
      const { jobId, id, task } = await sent(
        { file: '<p>Four cats. Five cats.</p><p>Six cats. Seven cats.</p>', name: 'p.html' },
        cut,
      )
      const file = '<p>Vier Katzen. Fünf Katzen.</p><p>Sechs und sieben Katzen.</p>'
      await upload(task, file)
      expect((await list(task)).map(({ target }) => target)).toEqual([
        ['Vier Katzen.'],
        ['Fünf Katzen.'],
        ['Sechs und sieben Katzen.'],
        [],
      ])
      expect((await preview(task)).text).toBe(file)
      await approve(jobId, id)
      expect(await units('Five cats')).toEqual([['Five cats.', 'Fünf Katzen.']])
      expect(await units('Seven cats')).toEqual([
        ['Six cats. Seven cats.', 'Sechs und sieben Katzen.'],
      ])
    })

    it('that a translator made one, or two, are shown to the reviewer as they were written', async () => {
      const { jobId, id, task } = await sent(
        { file: '<p>Eight dogs. Nine dogs.</p>', name: 'p.html' },
        cut,
      )
      const [first, second] = (await list(task)) as [Shown, Shown]
      await put(task, first, ['Acht Hunde. Es sind acht.'])
      await put(task, second, ['Neun Hunde.'])
      expect((await call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
      expect(await translationOf(jobId, id)).toBe('<p>Acht Hunde. Es sind acht. Neun Hunde.</p>')
      const seen = await call<{ segments: Shown[] }>(
        as,
        'GET',
        `/jobs/${jobId}/requests/${id}/segments`,
      )
      expect(seen.body.segments.map(({ target }) => target)).toEqual([
        ['Acht Hunde. Es sind acht.'],
        ['Neun Hunde.'],
      ])
    })

    it('are not cut in fields and in formats of strings', async () => {
      const { task } = await sent({ fields: { a: 'One cat. Two cats.' } }, cut)
      expect((await list(task)).map(({ source }) => source)).toEqual([['One cat. Two cats.']])
      const { task: json } = await sent({ file: '{"a":"One cat. Two cats."}', name: 'a.json' }, cut)
      expect((await list(json)).map(({ source }) => source)).toEqual([['One cat. Two cats.']])
    })
  })

  describe('notes and limits', () => {
    const strings =
      '<resources>\n  <!-- On the button -->\n  <string name="a" maxLength="6">Save</string>\n  <string name="b">Open the door</string>\n</resources>\n'

    it('of a file stand at its segments, and a delivery checks them', async () => {
      const { task } = await sent({ file: strings, name: 'strings.xml' })
      const [first, second] = (await list(task)) as [Shown, Shown]
      expect(first).toMatchObject({
        notes: ['On the button'],
        maxLength: { count: 6, unit: 'CHARACTERS' },
      })
      expect(second).not.toHaveProperty('notes')
      expect((await put(task, first, ['Speichern'])).body.checks.map(({ check }) => check)).toEqual(
        ['length'],
      )
      await put(task, second, ['Tür auf'])
      const refused = await call<JsonObject>(provider, 'POST', `${task}/segments/deliver`)
      expect([refused.status, refused.body.code]).toEqual([422, 'CHECKS_FAILED'])
    })

    it('and terms are checked in files and fields that are delivered, too', async () => {
      const term = [
        { language: 'en', text: 'door', status: 'PREFERRED' },
        { language: 'de', text: 'Pforte', status: 'PREFERRED' },
      ]
      expect(
        (
          await hub.call('POST', '/v2/settings/terms', {
            as: 'demo-settings',
            body: { entries: term },
          })
        ).status,
      ).toBe(201)
      const warned = async (task: string) => {
        const done = await call<{ warnings: string[] }>(provider, 'PATCH', task, {
          statusCode: 'TRANSLATION_SUBMITTED',
        })
        expect(done.status, JSON.stringify(done.body)).toBe(200)
        return done.body.warnings.map((one) => one.split(' in ')[0])
      }
      const file = await sent({ file: strings, name: 'strings.xml' })
      const { body } = await call(
        provider,
        'POST',
        `${file.task}/translatedFile?fileName=strings.xml`,
      )
      const form = new FormData()
      const text = strings.replace('Save', 'Speichern').replace('Open the door', 'Tür auf')
      form.append('file', new Blob([text]), 'strings.xml')
      expect(
        (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
      ).toBe(201)
      expect(await warned(file.task)).toEqual(['length', 'terms'])
      const own = { request: { extendedMetadata: { maxLength: { a: 6 } } } }
      const fields = await sent({ fields: { a: 'Save', b: 'Open the door' } }, own)
      expect((await list(fields.task))[0]).toMatchObject({
        maxLength: { count: 6, unit: 'CHARACTERS' },
      })
      const translated = [
        { key: 'a', value: 'Speichern' },
        { key: 'b', value: 'Tür auf' },
      ]
      await call(provider, 'PUT', `${fields.task}/translatedContent`, { fields: translated })
      expect(await warned(fields.task)).toEqual(['length', 'terms'])
    })
  })

  it('refuses an old version with the current one, and of two at once takes one', async () => {
    const { task } = await sent({ fields: { title: 'Hello {name}' } })
    const [segment] = (await list(task)) as [Shown]
    expect(segment).toMatchObject({ key: 'title', source: ['Hello ', { tag: 1 }] })
    const both = await Promise.all(
      ['Eins', 'Zwei'].map((text) => put(task, segment, [text, { tag: 1 }])),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const winner = both.find(({ status }) => status === 200)?.body
    const refused = both.find(({ status }) => status === 409)?.body
    expect(refused?.code).toBe('VERSION_CONFLICT')
    expect(refused?.current).toMatchObject({ version: 1, target: winner?.target })
    expect((await list(task))[0]).toMatchObject({ version: 1, target: winner?.target })
  })

  it('takes a target before anybody asked for the segments', async () => {
    const fields = { title: 'Before anybody' }
    const [segment] = (await list((await sent({ fields })).task)) as [Shown]
    const { task } = await sent({ fields })
    expect((await put(task, { ...segment, segmentId: 'unknown' }, ['x'])).body.code).toBe(
      'SEGMENT_NOT_FOUND',
    )
    const { task: other } = await sent({ fields })
    const written = await put(other, segment, ['Vor allen'])
    expect([written.status, written.body.version]).toEqual([200, 1])
    expect(await list(other)).toMatchObject([{ target: ['Vor allen'], version: 1 }])
  })

  it('writes several targets or none', async () => {
    const { task } = await sent({ fields: { a: 'One', b: 'Two' } })
    const [a, b] = (await list(task)) as [Shown, Shown]
    const change = (segment: Shown, more: JsonObject = {}) => ({
      ...{ segmentId: segment.segmentId, target: ['x'], state: 'DRAFT', version: 0, ...more },
    })
    const cases: [JsonObject[], number, string][] = [
      [[change(a), change(b, { version: 3 })], 409, 'VERSION_CONFLICT'],
      [[change(a), change(b, { segmentId: 'AAAAAAAAAAAAAAAA' })], 404, 'SEGMENT_NOT_FOUND'],
      [[change(a), change(b, { target: [{ tag: 1 }] })], 400, 'INVALID_REQUEST'],
      [[change(a), change(a)], 400, 'INVALID_REQUEST'],
      [[change(a), change(b, { target: ['\ud800'] })], 400, 'INVALID_REQUEST'],
      [[change(a), change(b, { state: 'APPROVED' })], 400, 'INVALID_REQUEST'],
    ]
    for (const [segments, status, code] of cases) {
      const { body, status: got } = await call(provider, 'PUT', `${task}/segments`, { segments })
      expect([got, body.code]).toEqual([status, code])
    }
    expect((await list(task)).map(({ version }) => version)).toEqual([0, 0])
  })

  it('delivers keys and values, and goes on from them after a rejection with the notes of the reviewer', async () => {
    const { jobId, id, task } = await sent({
      fields: { title: 'Hello', empty: '', text: 'Second' },
    })
    const [title, text] = (await list(task)) as [Shown, Shown]
    for (const one of [title, text])
      expect((await put(task, one, [`de ${one.key}`])).status).toBe(200)
    expect((await call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
    // What is written after a delivery is not shown before the next one.
    expect((await put(task, { ...title, version: 2 }, ['late'])).status).toBe(200)
    const request = `/jobs/${jobId}/requests/${id}`
    const early = await call<{ segments: Shown[] }>(as, 'GET', `${request}/segments`)
    expect(early.body.segments.map(({ target }) => target)).toEqual([['de title'], ['de text']])
    const content = await call<{ translationContent: { targetContent: JsonObject[] }[] }>(
      as,
      'GET',
      `${request}/retrieve`,
    )
    expect(content.body.translationContent[0]?.targetContent).toEqual([
      { key: 'title', value: 'de title' },
      { key: 'empty', value: '' },
      { key: 'text', value: 'de text' },
    ])
    const review = (segmentId: string, body: JsonObject) =>
      call<Shown>(as, 'PUT', `${request}/segments/${segmentId}/review`, body)
    const wrong = { verdict: 'WRONG', note: 'Say Guten Tag', type: 'STYLE', severity: 'MINOR' }
    expect((await review(title.segmentId, wrong)).body).toMatchObject({
      state: 'REJECTED',
      review: wrong,
    })
    expect((await review(text.segmentId, { verdict: 'OK' })).body.state).toBe('APPROVED')
    expect((await review('AAAAAAAAAAAAAAAA', wrong)).status).toBe(404)
    await call(as, 'PUT', `/jobs/${jobId}/requests/reject`, {
      requestIds: [id],
      note: 'Please look again.',
    })
    const task1 = (await call(provider, 'GET', task)).body
    expect(task1.rejectNote).toBe('Please look again.\ntitle: Say Guten Tag (style, minor)')
    expect((await review(title.segmentId, wrong)).body).toMatchObject({
      code: 'REQUEST_NOT_IN_REVIEW',
    })
    const open = await call<JsonObject>(provider, 'POST', `${task}/segments/deliver`)
    expect([open.body.code, open.body.open]).toEqual(['SEGMENTS_OPEN', 1])
    expect((await list(task, '?state=REJECTED')).map(({ key }) => key)).toEqual(['title'])
    expect((await put(task, { ...title, version: 3 }, ['Guten Tag'])).body).toMatchObject({
      version: 4,
    })
    expect((await call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
    const seen = await call<{ segments: Shown[] }>(as, 'GET', `${request}/segments`)
    expect(seen.body.segments.map(({ target, previous }) => [target, previous])).toEqual([
      [['Guten Tag'], { target: ['de title'], ...wrong }],
      [['de text'], { target: ['de text'], verdict: 'OK' }],
    ])
  })

  it('checks each target, and delivers against a blocking check only with a reason', async () => {
    const { jobId, id, task } = await sent({ fields: { a: 'Pay {sum} now', b: 'Two of 3' } })
    const [a, b] = (await list(task)) as [Shown, Shown]
    const written = await put(task, a, ['Jetzt zahlen'])
    expect(written.body.checks).toMatchObject([{ check: 'tags.missing', severity: 'BLOCKING' }])
    await put(task, b, ['Zwei von 4'])
    expect((await list(task, '?check=numbers')).map(({ key }) => key)).toEqual(['b'])
    const term = {
      entries: [
        { language: 'en', text: 'pay' },
        { language: 'de', text: 'bezahlen' },
      ],
    }
    const { body: made } = await call('demo-admin', 'POST', '/settings/terms', term)
    expect((await list(task, '?check=terms')).map(({ key }) => key)).toEqual(['a'])
    const deliver = (body?: JsonObject) =>
      call<JsonObject>(provider, 'POST', `${task}/segments/deliver`, body)
    const refused = await deliver()
    expect([refused.status, refused.body.code]).toEqual([422, 'CHECKS_FAILED'])
    expect(refused.body.checks).toMatchObject([{ segmentId: a.segmentId, check: 'tags.missing' }])
    const kept = [
      { segmentId: a.segmentId, check: 'tags.missing', reason: 'The sum stands beside it' },
    ]
    expect((await deliver({ kept: [{ ...kept[0], reason: ' ' }] })).status).toBe(400)
    expect((await deliver({ kept: [{ ...kept[0], check: 'nothing' }] })).status).toBe(400)
    expect((await deliver({ kept })).status).toBe(200)
    const request = (await call(as, 'GET', `/jobs/${jobId}/requests/${id}`)).body
    expect(request.warnings).toEqual([
      expect.stringMatching(/^tags.missing in "a": .* Kept: The sum stands beside it$/),
      expect.stringMatching(/^terms in "a": The term "pay" of the source should be "bezahlen"/),
      expect.stringMatching(/^numbers in "b": /),
    ])
    await call('demo-admin', 'DELETE', `/settings/terms/${made.termId}?version=1`)
    const again = await put(task, { ...a, version: 3 }, ['Zahlen'], {
      kept: [{ check: 'tags.missing', reason: 'As before' }],
    })
    expect(again.body).toMatchObject({ kept: [{ check: 'tags.missing', reason: 'As before' }] })
    expect((await deliver()).status).toBe(200)
  })

  it('finds a fuzzy match that was confirmed as it was offered', async () => {
    const units: [source: string, target: string][] = [
      ['Save the red <b>file</b> to the folder now', 'Die rote <b>Datei</b> jetzt sichern'],
      ['Save the red <b>file</b> to the drawer', 'Die rote <b>Datei</b> in die Lade'],
      ['Exactly this text', 'Genau dieser Text'],
      ['Exactly that text', 'Genau jener Text'],
      ['Something else entirely', 'Etwas ganz anderes'],
    ]
    for (const [source, target] of units) {
      const unit = {
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCode: 'de-de',
        source,
        target,
      }
      expect((await call('demo-settings', 'POST', '/settings/memory/units', unit)).status).toBe(201)
    }
    const fields = {
      a: 'Save the green <b>file</b> to the folder now',
      b: 'Exactly this text',
      c: 'Three stones',
    }
    const { jobId, id, task } = await sent({ fields })
    const [a, b, c] = (await list(task)) as [Shown, Shown, Shown]
    const best = ['Die rote ', { tag: 1 }, 'Datei', { tag: 2 }, ' jetzt sichern']
    const found = {
      check: 'fuzzy',
      severity: 'WARNING',
      message: expect.stringMatching(/match of 8\d per cent/),
      facts: [{ says: 'unchanged', percent: expect.any(Number) }],
    }
    const fuzzyOf = ({ checks }: Shown) => checks.filter(({ check }) => check === 'fuzzy')
    // A draft is not confirmed; the second best match and an exact one are no finding; a
    // translation of something else neither.
    expect(fuzzyOf((await put(task, a, best, { state: 'DRAFT' })).body)).toEqual([])
    expect(
      fuzzyOf((await put(task, { ...a, version: 1 }, ['Die rote Datei in die Lade'])).body),
    ).toEqual([])
    expect(fuzzyOf((await put(task, b, ['Genau jener Text'])).body)).toEqual([])
    expect(fuzzyOf((await put(task, c, ['Etwas ganz anderes'])).body)).toEqual([])
    const written = (await put(task, { ...a, version: 2 }, best)).body
    expect(fuzzyOf(written)).toEqual([found])
    expect(written.percent).toBeGreaterThanOrEqual(75)
    const [listed] = await list(task, '?check=fuzzy')
    expect([listed?.key, listed?.percent]).toEqual(['a', written.percent])
    expect((await list(task)).map(({ percent }) => percent)).toEqual([
      written.percent,
      undefined,
      undefined,
    ])
    expect((await call(provider, 'POST', `${task}/segments/deliver`)).status).toBe(200)
    const request = (await call<{ warnings: string[] }>(as, 'GET', `/jobs/${jobId}/requests/${id}`))
      .body
    expect(request.warnings).toContainEqual(
      expect.stringMatching(/^fuzzy in "a": .*match of 8\d per cent, unchanged/),
    )
    const reviewed = await call<{ segments: Shown[] }>(
      as,
      'GET',
      `/jobs/${jobId}/requests/${id}/segments?check=fuzzy`,
    )
    expect(reviewed.body.segments.map(({ key }) => key)).toEqual(['a'])
    await call('demo-admin', 'PUT', '/settings/checks', { fuzzy: 'OFF' })
    expect(await list(task, '?check=fuzzy')).toEqual([])
    await call('demo-admin', 'PUT', '/settings/checks', {})
  })

  it('shows the targets of a file that came as a whole', async () => {
    const { jobId, id, task } = await sent({ file: html, name: 'whole.html' })
    const { body } = await call(provider, 'POST', `${task}/translatedFile`)
    const form = new FormData()
    form.append('file', new Blob([html.replace('Second   text', 'Zweiter')]), 'whole.html')
    expect(
      (await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })).status,
    ).toBe(201)
    await call(provider, 'PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
    const seen = await call<{ segments: Shown[] }>(
      as,
      'GET',
      `/jobs/${jobId}/requests/${id}/segments`,
    )
    expect(seen.body.segments.map(({ target, state }) => [target?.at(-1), state])).toEqual([
      [' now.', 'TRANSLATED'],
      ['Hint', 'TRANSLATED'],
      ['Zweiter', 'TRANSLATED'],
    ])
  })

  it('pages, filters by state, and finds a text in source, target and key', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [`key.${at}`, `Text number ${at}`]),
    )
    const { task } = await sent({ fields })
    const all = await list(task)
    expect(all).toHaveLength(25)
    await put(task, all[20] as Shown, ['Zwanzig'])
    const seen: number[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const path: string = `${task}/segments?pageSize=7&state=NEW${next && `&navNext=${encodeURIComponent(next)}`}`
      const { body } = await call<{ segments: Shown[]; pagination: { navNext?: string } }>(
        provider,
        'GET',
        path,
      )
      seen.push(...body.segments.map(({ position }) => position))
      next = body.pagination.navNext
    }
    expect(seen).toEqual(all.map(({ position }) => position).filter((position) => position !== 21))
    expect((await list(task, '?text=NUMBER 7')).map(({ key }) => key)).toEqual(['key.7'])
    expect((await list(task, '?text=zwanzig')).map(({ key }) => key)).toEqual(['key.20'])
    expect((await list(task, '?text=EY.13')).map(({ key }) => key)).toEqual(['key.13'])
  })

  it('says where there are no segments', async () => {
    const { task } = await sent({ file: 'PNG', name: 'logo.png' })
    expect((await call(provider, 'GET', task)).body.segments).toBe(false)
    const { status, body } = await call(provider, 'GET', `${task}/segments`)
    expect([status, body.code]).toEqual([409, 'NO_SEGMENTS'])
    expect((await call(provider, 'GET', `${task}x/segments`)).body.code).toBe('REQUEST_NOT_FOUND')
  })

  it('lets one of twenty claim a task, and others neither write nor release it', async () => {
    const { task } = await sent({ fields: { a: 'One' } })
    const [segment] = (await list(task)) as [Shown]
    const api = task
    const people: Visitor[] = []
    for (let at = 0; at < 3; at += 1) {
      const person = await enter(hub, ['viewer'], 'demo')
      const sites = [{ roles: ['translator'], providers: [manual] }]
      const changed = await call(
        'demo-admin',
        'PATCH',
        `/people/${person.session.person.personId}`,
        { sites },
      )
      expect(changed.status, JSON.stringify(changed.body)).toBe(200)
      people.push(person)
    }
    const [one, two] = people as [Visitor, Visitor]
    // Three who then go on, and seventeen for whom a client claims.
    const others: string[] = []
    for (let at = 3; at < 20; at += 1) {
      const given = {
        name: `P${at}`,
        email: `claims-${at}@example.org`,
        sites: [{ roles: ['admin'] }],
      }
      others.push(String((await call('demo-admin', 'POST', '/people', given)).body.personId))
    }
    const claims = await Promise.all([
      ...people.map((person) => person.call('POST', `${api}/claim`)),
      ...others.map((personId) => call(provider, 'POST', `${task}/claim`, { personId })),
    ])
    const assignee = (await call(provider, 'GET', task)).body.assignee as {
      personId: string
      name: string
    }
    expect(claims.filter(({ status }) => status === 200).map(({ body }) => body.assignee)).toEqual([
      assignee,
    ])
    const refused = claims.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.code, body.by])).toEqual(
      Array.from({ length: 19 }, () => [409, 'ALREADY_CLAIMED', assignee]),
    )
    if (others.includes(assignee.personId)) {
      expect((await call(provider, 'POST', `${task}/release`)).status).toBe(200)
      expect((await one.call('POST', `${api}/claim`)).status).toBe(200)
      assignee.personId = one.session.person.personId
    }
    const holder = people.find(
      ({ session }) => session.person.personId === assignee.personId,
    ) as Visitor
    const other = holder === one ? two : one
    const body = { target: ['Eins'], state: 'DRAFT', version: 0 }
    const path = `${api}/segments/${segment.segmentId}`
    expect((await other.call('PUT', path, { body })).body.code).toBe('ALREADY_CLAIMED')
    expect((await other.call('POST', `${api}/release`)).body.code).toBe('ALREADY_CLAIMED')
    expect((await holder.call('PUT', path, { body })).body).toMatchObject({
      origin: 'PERSON',
      version: 1,
    })
    const client = await put(task, { ...segment, version: 1 }, ['Eins!'], { state: 'DRAFT' })
    expect(client.status).toBe(200)
    expect((await holder.call('POST', `${api}/release`)).body.assignee).toBeUndefined()
    const named = await call(provider, 'POST', `${task}/claim`, {
      personId: other.session.person.personId,
    })
    expect((named.body.assignee as JsonObject).personId).toBe(other.session.person.personId)
    expect((await call(provider, 'POST', `${task}/claim`, {})).status).toBe(400)
    expect((await other.call('POST', `${api}/release`)).status).toBe(200)
    const stranger = await enter(hub, ['viewer'], 'demo')
    const unknown = await call(provider, 'POST', `${task}/claim`, {
      personId: stranger.session.person.personId,
    })
    expect(unknown.body.code).toBe('PERSON_NOT_FOUND')
  })

  it('counts drafts among the bytes of the site, and gives them back with the job', async () => {
    const used = async () => {
      const { body } = await call<{ quotas: { name: string; used?: number }[] }>(
        as,
        'GET',
        '/quota',
      )
      return body.quotas.find(({ name }) => name === 'MaxBytesPerSite')?.used ?? -1
    }
    const before = await used()
    const { jobId, task } = await sent({ fields: { a: 'One' } })
    const begun = await used()
    const [segment] = (await list(task)) as [Shown]
    await put(task, segment, ['Eins'])
    expect(await used()).toBe(begun + '["Eins"]'.length)
    await put(task, { ...segment, version: 1 }, [])
    expect(await used()).toBe(begun + 2)
    await call(provider, 'PATCH', `/providers/${manual}/jobs/${jobId}`, { statusCode: 'CANCELLED' })
    expect((await call(as, 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
    expect(await used()).toBe(before)
    const { findings } = await checkHub(hub.inner)
    expect(findings).toEqual([])
  })
})
