/**
 * Contract, section 11, "Provider side": what a provider delivers is looked at before it goes into
 * review.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docxOf, xlsxOf } from '../formats/office-samples.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything, run } from '../scenario.ts'

type Task = { assetTaskId: string; statusCode: string; warnings?: string[]; forced?: boolean }
type Sent = { jobId: string; tasks: string; ids: string[] }
type Text = string | Uint8Array
type Source =
  | { readonly name: string; readonly text: Text }
  | { readonly fields: Record<string, string> }
const as = 'demo-connector'
const provider = 'demo-provider'

describe.each(databases)('deliveries on %s', (database) => {
  let hub: TestHub
  let manual: string
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    manual = body.providers.find((one) => one.name === 'Manual')?.id ?? ''
  })
  afterAll(() => hub.close())

  const send = async (who: string, path: string, text: Text): Promise<string> => {
    const { body } = await hub.call<Record<string, string>>('POST', path, { as: who })
    const form = new FormData()
    form.append('file', new Blob([text as string | Uint8Array<ArrayBuffer>]), 'x')
    expect(
      (await fetch(body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
    ).toBe(201)
    return body.fmsFileId ?? ''
  }
  const fieldsOf = (fields: Record<string, string>) =>
    Object.entries(fields).map(([key, value]) => ({ key, value }))
  /** A job that the manual provider has, with a request for each source. */
  const sent = async (...sources: Source[]): Promise<Sent> => {
    const { body } = await hub.call('POST', '/v2/jobs', {
      as,
      body: { jobName: 'Deliveries', providerId: manual },
    })
    const jobId = String(body.jobId)
    const requests = []
    for (const [at, source] of sources.entries())
      requests.push({
        requestName: `one ${at}`,
        sourceNativeId: `s${at}`,
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        ...('name' in source
          ? {
              fmsFileId: await send(
                as,
                `/v2/jobs/${jobId}/sourcefiles?fileName=${source.name}`,
                source.text,
              ),
            }
          : { fields: fieldsOf(source.fields) }),
      })
    const added = await hub.call<{ requests: { requestId: string }[] }>(
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      {
        as,
        body: { requests },
      },
    )
    expect((await hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as })).status).toBe(200)
    await hub.advance('1s')
    const ids = added.body.requests.map(({ requestId }) => requestId)
    return { jobId, tasks: `/v2/providers/${manual}/jobs/${jobId}/assetTasks`, ids }
  }
  const upload = (tasks: string, id: string, text: Text) =>
    send(provider, `${tasks}/${id}/translatedFile`, text)
  const submitted = { statusCode: 'TRANSLATION_SUBMITTED' }
  const requestOf = async (jobId: string, id: string) =>
    (await hub.call<Task>('GET', `/v2/jobs/${jobId}/requests/${id}`, { as })).body
  /** The one file of a job, delivered. */
  const deliver = async (name: string, source: string, delivery: Text, more = {}) => {
    const { jobId, tasks, ids } = await sent({ name, text: source })
    const id = ids[0] ?? ''
    await upload(tasks, id, delivery)
    const answer = await hub.call<
      Task & { code: string; message: string; details?: { path: string; message: string }[] }
    >('PATCH', `${tasks}/${id}`, { as: provider, body: { ...submitted, ...more } })
    return { jobId, tasks, id, answer, request: await requestOf(jobId, id) }
  }

  const broken: [string, Text, Text, RegExp][] = [
    ['a.json', '{"a": "Hello"}', '{"a": "Hallo"', /not well-formed: .* line 1, column 14/],
    ['a.json', '{"a": "Hello"}', new Uint8Array([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
    [
      'a.xml',
      '<r><p>Hello</p></r>',
      '<r><p>Hallo</r>',
      /XML is not well-formed: the element at character 0 is never closed/,
    ],
    [
      'a.xlf',
      '<xliff version="1.2"><file><body/></file></xliff>',
      '<other/>',
      /not xliff-1\.2, as its source is/,
    ],
  ]
  const cue = '00:00:01.000 --> 00:00:02.000\nHello\n'
  const catalog = { sourceLanguage: 'en', strings: { a: { localizations: {} } }, version: '1.0' }
  /** What each reader refuses; no row is involved, so one database is enough. */
  const unread: typeof broken = [
    [
      'a.srt',
      `1\n${cue.replaceAll('.', ',')}`,
      '1\nHallo\n',
      /not SRT: on line 2 the times of a cue are broken/,
    ],
    ['a.vtt', `WEBVTT\n\n${cue}`, cue, /not WebVTT: its first line does not begin with WEBVTT/],
    [
      'a.properties',
      'a = Hello',
      'a = Hallo \\u00',
      /on line 1, \\u is not followed by four hexadecimal digits/,
    ],
    [
      'a.xcstrings',
      JSON.stringify(catalog),
      '[]',
      /not a string catalogue: it is no object with "strings" in it/,
    ],
    [
      'a.xlsx',
      xlsxOf('<si><t>Hello</t></si>'),
      docxOf('<w:p><w:r><w:t>Hallo</w:t></w:r></w:p>'),
      /not an Excel file: it is a Word file/,
    ],
  ]
  it.each(database === 'sqlite' ? [...broken, ...unread] : broken)(
    '%s that does not parse as its source does is refused with the place, and nothing moves',
    async (name, source, delivery, says) => {
      const { jobId, tasks, ids } = await sent({ name, text: source })
      await upload(tasks, ids[0] ?? '', delivery)
      const before = await everything(hub)
      const call = `PATCH ${tasks}/${ids[0]}`
      const row = {
        name,
        call,
        as: provider,
        body: submitted,
        status: 422,
        code: 'DELIVERY_INVALID',
        says,
      }
      const { body } = await run(hub, row)
      expect(body.message).toContain(ids[0])
      expect(body.details).toEqual([{ path: ids[0], message: expect.stringMatching(says) }])
      expect(await everything(hub)).toBe(before)
      expect((await requestOf(jobId, ids[0] ?? '')).statusCode).toBe('SENT_TO_PROVIDER')
    },
  )

  it('force takes it all the same, and the request and the task show it', async () => {
    const { answer, request, jobId, tasks, id } = await deliver(
      'a.json',
      '{"a": "Hello"}',
      '{"a": ',
      { force: true },
    )
    const shown = {
      forced: true,
      warnings: [expect.stringMatching(/^The JSON is not well-formed/)],
    }
    expect(answer).toMatchObject({
      status: 200,
      body: { statusCode: 'TRANSLATION_SUBMITTED', ...shown },
    })
    expect(request).toMatchObject({ statusCode: 'REVIEW_TRANSLATION', ...shown })
    await upload(tasks, id, '{"a": "Hallo"}')
    expect(
      (
        await hub.call('PATCH', `${tasks}/${id}`, {
          as: provider,
          body: { ...submitted, force: true },
        })
      ).status,
    ).toBe(200)
    const better = await requestOf(jobId, id)
    expect(better).not.toHaveProperty('forced')
    expect(better).not.toHaveProperty('warnings')
  })

  it('of several, one bad file names its asset task and none moves', async () => {
    const { jobId, tasks, ids } = await sent(
      { name: 'a.json', text: '["a"]' },
      { name: 'b.json', text: '["b"]' },
    )
    await upload(tasks, ids[0] ?? '', '["x"]')
    await upload(tasks, ids[1] ?? '', '["x"')
    const body = { assetTaskIds: ids, assetTasksUpdate: submitted }
    const refused = await hub.call('PATCH', tasks, { as: provider, body })
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'DELIVERY_INVALID', details: [{ path: ids[1] }] },
    })
    for (const id of ids) expect((await requestOf(jobId, id)).statusCode).toBe('SENT_TO_PROVIDER')
    await upload(tasks, ids[1] ?? '', '["y"]')
    expect((await hub.call('PATCH', tasks, { as: provider, body })).status).toBe(200)
    for (const id of ids) expect((await requestOf(jobId, id)).statusCode).toBe('REVIEW_TRANSLATION')
  })

  const differing: [string, string, string, string[]][] = [
    [
      'a.json',
      '{"a": "Hi {name}", "b": "Bye"}',
      '{"a": "Hallo", "c": "Neu"}',
      ['Lost units: #/b.', 'Added units: #/c.', 'Lost in the unit "#/a": {name}.'],
    ],
    [
      'a.md',
      'One **two** and *three*\n\nSee [it](a) ~~now~~\n',
      'Eins zwei und drei\n\nSiehe es jetzt\n',
      [
        'Lost in the unit "s1": bold (**), italics (*).',
        'Lost in the unit "s2": the start of a link ([), the end of a link (](a)), strikethrough (~~).',
      ],
    ],
    [
      'a.html',
      '<p>One <b>two</b></p><p>Three</p>',
      '<p>Eins zwei</p><p>Drei</p>',
      ['Lost in the unit "s1": <b>, </b>.'],
    ],
    [
      'a.html',
      '<p>One <b>two</b></p><p>Three</p>',
      '<p>Eins <b>zwei</b></p>',
      ['The source has 2 segments, the translation 1.'],
    ],
    [
      'a.json',
      '["{n, plural, one {# file} other {# files}} in {dir}"]',
      '["{n, plural, one {# a} few {# b} other {# c}} w {dir}"]',
      [],
    ],
    ['a.json', '["Hello %s"]', '["Hallo %s"]', []],
    ['a.bin', 'anything', 'nothing', []],
    ['a.json', '{"a": ', '{', []],
  ]
  it.each(differing)(
    '%s %s delivered as %s is taken and tells how it differs',
    async (name, source, delivery, warnings) => {
      const { answer, request } = await deliver(name, source, delivery)
      expect(answer).toMatchObject({ status: 200, body: { statusCode: 'TRANSLATION_SUBMITTED' } })
      expect(answer.body.warnings ?? []).toEqual(warnings)
      expect(request.warnings ?? []).toEqual(warnings)
      expect(request).not.toHaveProperty('forced')
    },
  )

  it('keys and values are compared however they come, and a broken key-value file is refused with its place', async () => {
    const fields = { title: 'Hello {name}', text: 'More' }
    const lost = ['Lost keys: text.', 'Lost in the key "title": {name}.']
    const { jobId, tasks, ids } = await sent({ fields }, { fields })
    const [one = '', other = ''] = ids
    const content = { fields: [{ key: 'title', value: 'Hallo' }] }
    expect(
      (await hub.call('PUT', `${tasks}/${one}/translatedContent`, { as: provider, body: content }))
        .status,
    ).toBe(200)
    const taken = await hub.call<Task>('PATCH', `${tasks}/${one}`, {
      as: provider,
      body: submitted,
    })
    expect(taken).toMatchObject({ status: 200, body: { warnings: lost } })
    await upload(tasks, other, '<content>\n<field key="title">Hallo</content>')
    const call = `PATCH ${tasks}/${other}`
    const bad = {
      name: 'broken',
      call,
      as: provider,
      status: 422,
      code: 'DELIVERY_INVALID',
      says: /cannot be read: 2:3\d: /,
    }
    await run(hub, { ...bad, body: submitted })
    await run(hub, { ...bad, body: { ...submitted, force: true } })
    expect((await requestOf(jobId, other)).statusCode).toBe('SENT_TO_PROVIDER')
    await upload(tasks, other, '<content><field key="title">Hallo</field></content>')
    expect(
      await hub.call('PATCH', `${tasks}/${other}`, { as: provider, body: submitted }),
    ).toMatchObject({
      status: 200,
      body: { warnings: lost },
    })
  })

  it('warnings are few and short, whatever was delivered', async () => {
    const source = JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 500 }, (_, at) => [`${'k'.repeat(400)}${at}`, 'Hi {x}']),
      ),
    )
    const { answer } = await deliver('a.json', source, source.replaceAll('{x}', 'x'))
    expect(answer.body.warnings).toHaveLength(20)
    expect(answer.body.warnings?.at(-1)).toBe('And 481 more differences.')
    for (const one of answer.body.warnings ?? []) expect(one.length).toBeLessThanOrEqual(300)
  })

  it('only what was looked at is moved: a file sent meanwhile is not taken', async () => {
    const { jobId, tasks, ids } = await sent({ name: 'a.json', text: '["a"]' })
    const id = ids[0] ?? ''
    await upload(tasks, id, '["x"]')
    const { transact } = hub.inner.db
    const inner = hub.inner.db as { transact: typeof transact }
    let other = ''
    inner.transact = async (act) => {
      // Tasks in the background write, too; only the delivery locks the job for its provider.
      if (!String(act).includes('lockProviderJob')) return transact.call(hub.inner.db, act) as never
      inner.transact = transact
      other = await upload(tasks, id, '["broken"')
      return transact.call(hub.inner.db, act) as never
    }
    const answer = await hub.call('PATCH', `${tasks}/${id}`, { as: provider, body: submitted })
    expect(other).not.toBe('')
    expect(answer).toMatchObject({ status: 409, body: { code: 'TRANSLATION_NOT_READY' } })
    expect((await requestOf(jobId, id)).statusCode).toBe('SENT_TO_PROVIDER')
  })

  it('a strict site refuses what differs; force overrides it', async () => {
    const config = hub.inner.config as { strictDeliveries: readonly string[] }
    config.strictDeliveries = ['demo']
    try {
      const refused = await deliver('a.json', '{"a": "Hi {name}"}', '{"a": "Hallo"}')
      expect(refused.answer).toMatchObject({
        status: 422,
        body: {
          code: 'DELIVERY_INVALID',
          details: [{ message: 'Lost in the unit "#/a": {name}.' }],
        },
      })
      expect(refused.request.statusCode).toBe('SENT_TO_PROVIDER')
      const forced = await deliver('a.json', '{"a": "Hi {name}"}', '{"a": "Hallo"}', {
        force: true,
      })
      expect(forced.request).toMatchObject({
        statusCode: 'REVIEW_TRANSLATION',
        forced: true,
        warnings: [expect.any(String)],
      })
    } finally {
      config.strictDeliveries = []
    }
  })
})
