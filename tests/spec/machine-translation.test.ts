/**
 * Contract, sections 4, 5 and 11: a provider that translates by an engine, and everything that an
 * engine can do wrong.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engineCode } from '../../packages/server/src/domain/engines/drivers/engine-languages.ts'
import { holdTimers } from '../held-timers.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { everything } from '../scenario.ts'
import {
  type EngineCall,
  type Fault,
  inCapitals,
  startEngine,
  type TranslationEngine,
} from '../translation-engine.ts'

type JsonObject = Record<string, unknown>
type Request = {
  requestId: string
  statusCode: string
  hasError: boolean
  latestErrorMessage?: string
  lastTry?: { time: string; message: string; nextTime: string }
}
type Update = {
  jobId: string
  requestIds: string[]
  statusCode: string
  hasError: boolean
  errorMessage?: string
}

const as = 'demo-connector'
const admin = 'demo-admin'
const apiKey = 'libre-0f3c-key-that-nobody-may-see'
const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', 'samples', name), 'utf8')
const mapped = (call: EngineCall, change: (text: string) => string) => ({
  body: { translatedText: call.q.map(change) },
})
const withoutMarkers = (text: string) => inCapitals(text).replace(/<[^>]*>/g, '')

describe.each(databases)('machine translation on %s', (database) => {
  let hub: TestHub
  let engine: TranslationEngine
  let providerId: string
  beforeAll(async () => {
    hub = await startHub({ database })
    engine = await startEngine()
    providerId = await provider({ apiKey })
  })
  afterAll(async () => {
    await hub.close()
    await engine.close()
  })
  beforeEach(() => engine.be())

  const call = async <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const provider = async (config: JsonObject): Promise<string> => {
    const body = {
      name: 'Engine',
      typeId: 'machine-translation',
      config: { url: engine.url, ...config },
    }
    const made = await call(admin, 'POST', '/providers', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return String(made.body.id)
  }
  const addFields = (jobId: string, fields: JsonObject[], targets = ['de-de']) =>
    call(as, 'POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'kv',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: targets,
      fields,
    })
  const addFile = async (jobId: string, name: string, text: string) => {
    const { body } = await call<Record<string, string>>(
      as,
      'POST',
      `/jobs/${jobId}/sourcefiles?fileName=${name}`,
    )
    const form = new FormData()
    form.append('file', new Blob([text]), name)
    expect(
      (await fetch(body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
    ).toBe(201)
    const request = {
      requestName: name,
      sourceNativeId: name,
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fmsFileId: body.fmsFileId,
    }
    expect((await call(as, 'POST', `/jobs/${jobId}/requests/add`, request)).status).toBe(201)
  }
  const newJob = async () => String((await call(as, 'POST', '/jobs', { jobName: 'MT' })).body.jobId)
  const submit = async (jobId: string, to = providerId, wait = '1s') => {
    expect((await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: to })).status).toBe(200)
    await hub.advance(wait)
  }
  /** A job of one value, sent and worked on. */
  const job = async (value: string, to = providerId) => {
    const jobId = await newJob()
    await addFields(jobId, [{ key: 'text', value }])
    await submit(jobId, to)
    return jobId
  }
  const requestsOf = async (jobId: string) =>
    (await call<{ requests: Request[] }>(as, 'GET', `/jobs/${jobId}/requests`)).body.requests
  const translation = async (jobId: string): Promise<unknown> => {
    const [request] = await requestsOf(jobId)
    const { body } = await call<{ translationContent: { targetContent: JsonObject[] }[] }>(
      as,
      'GET',
      `/jobs/${jobId}/requests/${request?.requestId}/retrieve`,
    )
    return body.translationContent?.[0]?.targetContent[0]?.value
  }
  const fileOf = async (jobId: string, requestId: string): Promise<string> => {
    const { headers } = await call(as, 'GET', `/jobs/${jobId}/requests/${requestId}/retrievefile`)
    return (await fetch(String(headers.get('location')))).text()
  }
  const updatesOf = async (jobId: string): Promise<Update[]> => {
    const found: (Update & { sequence: number })[] = []
    for (let since = 0; ; since = found.at(-1)?.sequence ?? 0) {
      const { body } = await call<{ statusupdates: typeof found }>(
        as,
        'GET',
        `/statusupdates?since=${since}`,
      )
      found.push(...body.statusupdates)
      if (body.statusupdates.length < 50) return found.filter((one) => one.jobId === jobId)
    }
  }
  const tasksLeft = async () =>
    (
      await hub.inner.db.read
        .selectFrom('tasks')
        .select(['name', 'parked'])
        .where('name', '=', 'translate-requests')
        .execute()
    ).length
  /**
   * The one request has an error with this sentence, its update, its state of before, and no
   * translation.
   */
  const mustHaveFailed = async (jobId: string, says: RegExp) => {
    const [request] = await requestsOf(jobId)
    expect(request).toMatchObject({ statusCode: 'SENT_TO_PROVIDER', hasError: true })
    expect(request?.latestErrorMessage).toMatch(says)
    const updates = await updatesOf(jobId)
    expect(updates).toMatchObject([{ statusCode: 'SENT_TO_PROVIDER', hasError: true }])
    expect(updates[0]?.errorMessage).toBe(request?.latestErrorMessage)
    const early = await call(as, 'GET', `/jobs/${jobId}/requests/${request?.requestId}/retrieve`)
    expect(early.body.code).toBe('TRANSLATION_NOT_READY')
    expect(await tasksLeft()).toBe(0)
  }

  it('translates HTML, JSON, XLIFF and fields, with everything that is no text as it was', async () => {
    const jobId = await newJob()
    for (const name of ['page.html', 'messages.json', 'units-1.2.xlf'])
      await addFile(jobId, name, sample(name))
    await addFields(jobId, [
      { key: 'title', value: 'Good morning, {name}: %s of <b>us</b> & them' },
      { key: 'number', value: '12.50' },
      { key: 'empty', value: '' },
    ])
    await submit(jobId)
    const requests = await requestsOf(jobId)
    expect(requests.map((one) => [one.statusCode, one.latestErrorMessage])).toEqual(
      Array(4).fill(['REVIEW_TRANSLATION', undefined]),
    )
    const [html = '', json = '', xliff = ''] = await Promise.all(
      requests.slice(0, 3).map((one) => fileOf(jobId, one.requestId)),
    )
    // An attribute that people read is text, and lang names the target; every other tag stays as it
    // was.
    const tags = (text: string) => text.replace(/ (?:title|lang)="[^"]*"/g, '').match(/<[^>]*>/g)
    expect(tags(html)).toEqual(tags(sample('page.html')))
    expect(html).toContain('title="ALL RAKES"')
    expect(html).toContain('<html lang="de-de">')
    expect(html).toContain('CHOOSE FROM <b>24 SPADES</b>')
    expect(html).toContain('alert("Not a text, {name}")')
    expect(html).toContain('HELLO {name}, YOU HAVE %d NEW MESSAGES')
    expect(JSON.parse(json)).toMatchObject({
      title: 'GARDEN TOOLS',
      greeting: 'HELLO {name}, WELCOME TO {{shop}}!',
      items:
        '{count, plural, one {# ITEM IN YOUR <b>BASKET</b>} other {# ITEMS IN YOUR <b>BASKET</b>}}',
      count: 3,
      lines: 'ONE LINE\nAND ANOTHER\n',
      link: 'SEE https://example.com/help?a=1 FOR HELP.',
    })
    expect(xliff).toContain(
      '<target>HELLO <g id="b1">DEAR <x id="i1"/> READER</g>, {name}!</target>',
    )
    expect(xliff).toContain('target-language="de-de"')
    const { body } = await call<{ translationContent: { targetContent: JsonObject[] }[] }>(
      as,
      'GET',
      `/jobs/${jobId}/requests/${requests[3]?.requestId}/retrieve`,
    )
    expect(body.translationContent[0]?.targetContent).toEqual([
      { key: 'title', value: 'GOOD MORNING, {name}: %s OF <b>US</b> & THEM' },
      { key: 'number', value: '12.50' },
      { key: 'empty', value: '' },
    ])
    for (const one of engine.calls)
      expect(one).toMatchObject({ source: 'en', target: 'de', format: 'html', api_key: apiKey })
    const sent = engine.calls.flatMap((one) => one.q)
    expect(sent.filter((text) => /\{|%[sd]|https?:|<(?!\/?[xg][ >])|12\.50/.test(text))).toEqual([])
    expect(sent).toContain('Good morning, <x id="1"/>: <x id="2"/> of <g id="3">us</g> &amp; them')
  })

  it('sends batches within the limits of the config, each text once, so many calls at once', async () => {
    const small = await provider({ batchSize: 3, batchBytes: 1_000, concurrency: 2 })
    const jobId = await newJob()
    const words = Array.from({ length: 20 }, (_, at) => `Word${'abcdefghijklmnopqrst'[at]}`)
    const long = `Long ${'text '.repeat(190)}end`
    const fields = [...words, ...words, long, `${long}er`].map((value, at) => ({
      key: `k${at}`,
      value,
    }))
    await addFields(jobId, fields, ['de-de', 'fr-fr', 'zh-tw'])
    // The first call is not answered before there is a second beside it.
    let second = () => {}
    const both = new Promise<undefined>((resolve) => {
      second = () => resolve(undefined)
    })
    engine.be((_, nth) => {
      if (nth === 2) second()
      return nth === 1 ? both : undefined
    })
    await submit(jobId, small)
    expect((await requestsOf(jobId)).map((one) => one.statusCode)).toEqual(
      Array(3).fill('REVIEW_TRANSLATION'),
    )
    for (const { q } of engine.calls) {
      expect(q.length).toBeLessThanOrEqual(3)
      expect(Buffer.byteLength(q.join('')) <= 1_000 || q.length === 1).toBe(true)
    }
    expect(new Set(engine.calls.map((one) => one.target))).toEqual(new Set(['de', 'fr', 'zt']))
    expect(engine.calls.filter((one) => one.target === 'de').flatMap((one) => one.q)).toHaveLength(
      22,
    )
    expect(engine.together()).toBe(2)
  })

  it('speaks plain text with brackets to an engine that knows no markup, and its names of languages', async () => {
    const plain = await provider({ format: 'text', languages: { 'DE-de': 'ger' } })
    const jobId = await job('Hello <b>{name}</b> & all', plain)
    expect(engine.calls).toMatchObject([
      { format: 'text', target: 'ger', q: ['Hello ⟦1⟧⟦2⟧⟦/1⟧ & all'] },
    ])
    expect(engine.calls[0]).not.toHaveProperty('api_key')
    expect(await translation(jobId)).toBe('HELLO <b>{name}</b> & ALL')
  })

  const wrong: [string, Fault, RegExp][] = [
    [
      'returns too few segments',
      (one) => ({ body: { translatedText: one.q.slice(1) } }),
      /got 1 texts and returned 0/,
    ],
    [
      'returns too many',
      (one) => ({ body: { translatedText: [...one.q, ...one.q] } }),
      /returned 2/,
    ],
    [
      'returns one text for a list',
      (one) => ({ body: { translatedText: one.q.join() } }),
      /unknown response format/,
    ],
    [
      'returns something else than texts',
      () => ({ body: { translatedText: [7] } }),
      /unknown response format/,
    ],
    ['drops placeholders', (one) => mapped(one, withoutMarkers), /cannot be used: the code/],
    [
      'doubles them',
      (one) => mapped(one, (text) => text.replace(/<x[^>]*>/, '$&$&')),
      /cannot be used/,
    ],
    [
      'changes their numbers',
      (one) => mapped(one, (text) => text.replace('id="1"', 'id="9"')),
      /never sent/,
    ],
    ['damages them', (one) => mapped(one, (text) => text.replace('<x id', '< x id')), /damaged/],
    [
      'swaps those that are filled by order',
      (one) =>
        mapped(one, (text) =>
          text.replace('"1"', '"0"').replace('"2"', '"1"').replace('"0"', '"2"'),
        ),
      /filled by order/,
    ],
    [
      'puts in markup of its own',
      (one) => mapped(one, (text) => `<b>${inCapitals(text)}</b>`),
      /markup that was never sent/,
    ],
    [
      'puts in a script',
      (one) => mapped(one, (text) => `${inCapitals(text)}<script>x()</script>`),
      /markup that was never sent/,
    ],
    ['returns nothing', (one) => mapped(one, () => ''), /no word in it/],
    ['returns an emoji', (one) => mapped(one, () => '🤖'), /no word in it/],
    [
      'returns a control character',
      (one) => mapped(one, (text) => `${text}\u0001`),
      /U\+0001, which was never sent/,
    ],
    ['returns a novel', (one) => mapped(one, (text) => text + 'more '.repeat(500)), /far too long/],
    [
      'answers 200 with a page',
      () => ({ body: '<html><body>Welcome</body></html>' }),
      /unknown response format/,
    ],
    [
      'does not know the language',
      () => ({ status: 400, body: { error: 'de is not supported' } }),
      /returned 400: de is not supported\.$/,
    ],
    [
      'refuses the key and says it',
      () => ({ status: 403, body: { error: `Invalid API key ${apiKey}` } }),
      /returned 403: Invalid API key …\.$/,
    ],
    [
      'redirects',
      () => ({ status: 302, headers: { location: 'http://169.254.169.254/' }, body: {} }),
      /returned 302\.$/,
    ],
    ['is not one', () => ({ status: 404, body: 'Not found' }), /returned 404\.$/],
    [
      'answers without end',
      () => ({ body: { translatedText: ['x'.repeat(500_000)] } }),
      /far too large/,
    ],
  ]
  it.each(wrong)(
    'an engine that %s makes an error update, and the source is kept',
    async (_, fault, says) => {
      engine.be(fault)
      const jobId = await job('Hello %s of %d')
      await mustHaveFailed(jobId, says)
      expect(engine.calls.length).toBeLessThanOrEqual(2)
      const [request] = await requestsOf(jobId)
      expect(JSON.stringify(request)).not.toContain(apiKey)
    },
  )

  it('named placeholders may change places', async () => {
    engine.be((one) =>
      mapped(one, (text) => text.replace('"1"', '"0"').replace('"2"', '"1"').replace('"0"', '"2"')),
    )
    expect(await translation(await job('Hello {first} and {last}'))).toBe(
      'Hello {last} and {first}',
    )
  })

  it('a text whose markers came back wrong in a batch is asked for alone', async () => {
    engine.be((one) => (one.q.length > 1 ? mapped(one, withoutMarkers) : undefined))
    const jobId = await newJob()
    await addFields(jobId, [
      { key: 'a', value: 'One {x}' },
      { key: 'b', value: 'Two' },
    ])
    await submit(jobId)
    expect(await translation(jobId)).toBe('ONE {x}')
    expect(engine.calls.map((one) => one.q)).toEqual([
      ['One <x id="1"/>', 'Two'],
      ['One <x id="1"/>'],
    ])
  })

  it('a batch that is too large for the engine is sent in smaller ones', async () => {
    engine.be((one) =>
      one.q.length > 2 ? { status: 413, body: { error: 'too large' } } : undefined,
    )
    const jobId = await newJob()
    await addFields(
      jobId,
      [...'abcdefg'].map((key) => ({ key, value: `Word ${key}` })),
    )
    await submit(jobId)
    expect(await translation(jobId)).toBe('WORD A')
  })

  it('a file of an unknown format, a broken one and one language for two are errors, the rest is translated', async () => {
    const jobId = await newJob()
    await addFile(jobId, 'data.bin', 'Some text')
    await addFile(jobId, 'broken.json', '{"a": ')
    await addFile(jobId, 'good.txt', 'Some text')
    await addFields(jobId, [{ key: 'a', value: 'Colour' }], ['en-gb'])
    await submit(jobId)
    const requests = await requestsOf(jobId)
    expect(requests.map((one) => [one.statusCode, one.latestErrorMessage])).toEqual([
      [
        'SENT_TO_PROVIDER',
        expect.stringMatching(
          /^"data\.bin" is not in a format that the hub can translate\. It translates .*\.json/,
        ),
      ],
      ['SENT_TO_PROVIDER', expect.stringMatching(/^The JSON is not well-formed/)],
      ['REVIEW_TRANSLATION', undefined],
      [
        'SENT_TO_PROVIDER',
        'For the translation engine, en-us and en-gb are the same language (en).',
      ],
    ])
    expect((await updatesOf(jobId)).map((one) => one.hasError)).toEqual([false, true, true, true])
  })

  it('an engine that takes its time keeps nobody else waiting, and all of a large job comes in the end', async () => {
    let release = () => {}
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    engine.be(() => held)
    // On a busy machine, the engine would be given up and called again.
    holdTimers(30_000, 30_000)
    const jobId = await newJob()
    const many = Array.from({ length: 120 }, (_, at) => ({
      requestName: `r${at}`,
      sourceNativeId: `s${at}`,
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'text', value: `Text ${'abcdefghij'[at % 10]}` }],
    }))
    expect((await call(as, 'POST', `/jobs/${jobId}/requests/add`, { requests: many })).status).toBe(
      201,
    )
    await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await until('the engine is called', () => engine.calls.length >= 2)
    const { body } = await call<{ providers: { id: string; name: string }[] }>(
      as,
      'GET',
      '/providers',
    )
    const other = await newJob()
    await addFields(other, [{ key: 'text', value: 'Good morning' }])
    const pseudo = body.providers.find((one) => one.name === 'Pseudo')?.id
    await call(as, 'PUT', `/jobs/${other}/submit`, { providerId: pseudo })
    await until(
      'the other job is done',
      async () => (await requestsOf(other))[0]?.statusCode === 'REVIEW_TRANSLATION',
    )
    expect(engine.calls).toHaveLength(2)
    release()
    const done = async () => {
      const path = `/jobs/${jobId}?aggregateRequests=true`
      const { body: found } = await call<{ aggregateRequests: { byStatusCode: JsonObject } }>(
        as,
        'GET',
        path,
      )
      return found.aggregateRequests.byStatusCode.REVIEW_TRANSLATION === 120
    }
    await until('the large job is done', done)
    expect(engine.together()).toBe(2)
  })

  describe('an engine that fails for a while', () => {
    const failing: [string, Fault][] = [
      ['answers 500', () => ({ status: 500, body: { error: 'out of memory' } })],
      [
        'answers 429',
        () => ({ status: 429, headers: { 'retry-after': '1' }, body: { error: 'Slowdown' } }),
      ],
      ['breaks the connection', () => 'breaks'],
    ]
    it.each(failing)(
      '%s once: the call is made again at once, and nobody is told',
      async (_, fault) => {
        engine.be((one, nth) => (nth === 1 ? fault(one, nth) : undefined))
        const jobId = await job('Good morning')
        expect(await translation(jobId)).toBe('GOOD MORNING')
        expect(engine.calls).toHaveLength(2)
        expect((await updatesOf(jobId)).map((one) => one.hasError)).toEqual([false])
      },
    )

    it('answers 429 and asks for a long pause: the next try is left to the schedule', async () => {
      engine.be((_, nth) =>
        nth === 1 ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : undefined,
      )
      const jobId = await job('Good morning')
      await hub.advance('2s')
      expect(await translation(jobId)).toBe('GOOD MORNING')
    })

    it('is slower than the timeout, and then is not', async () => {
      const impatient = await provider({ timeoutSeconds: 1 })
      engine.be(() => 'waits')
      const jobId = await newJob()
      await addFields(jobId, [{ key: 'text', value: 'Good morning' }])
      await submit(jobId, impatient, '0s')
      expect((await requestsOf(jobId))[0]).toMatchObject({
        statusCode: 'SENT_TO_PROVIDER',
        hasError: false,
      })
      engine.be()
      // A second may be too short for an engine on a busy machine that does answer.
      const body = { config: { url: engine.url } }
      expect((await call(admin, 'PATCH', `/providers/${impatient}`, body)).status).toBe(200)
      await hub.advance('1m')
      expect(await translation(jobId)).toBe('GOOD MORNING')
      expect((await updatesOf(jobId)).map((one) => one.hasError)).toEqual([false])
    })

    it('goes down on the way: what was done is delivered, and the rest when it is back', async () => {
      const jobId = await newJob()
      for (const value of ['One', 'Two', 'Three']) await addFields(jobId, [{ key: 'text', value }])
      let isDown = true
      engine.be((_, nth) => (nth > 1 && isDown ? { status: 503, body: {} } : undefined))
      await submit(jobId)
      const states = async () => (await requestsOf(jobId)).map((one) => one.statusCode)
      expect(await states()).toEqual(['REVIEW_TRANSLATION', 'SENT_TO_PROVIDER', 'SENT_TO_PROVIDER'])
      isDown = false
      await hub.advance('1m')
      expect(await states()).toEqual(Array(3).fill('REVIEW_TRANSLATION'))
      expect(
        engine.calls.filter((one) => one.q[0] === 'One'),
        'what was done is not done again',
      ).toHaveLength(1)
      expect(await tasksLeft()).toBe(0)
    })

    it('is down for the whole schedule: an error update at its end, and an invocation tries again', async () => {
      engine.be(() => ({ status: 502, body: 'Bad gateway' }))
      const jobId = await job('Good morning')
      await hub.advance('2h')
      expect((await requestsOf(jobId))[0]).toMatchObject({
        statusCode: 'SENT_TO_PROVIDER',
        hasError: false,
      })
      expect(await updatesOf(jobId)).toEqual([])
      await hub.advance('12h')
      await mustHaveFailed(jobId, /^The translation engine returned 502\.$/)
      const tries = engine.calls.length
      await hub.advance('10d')
      expect(engine.calls).toHaveLength(tries)
      engine.be()
      expect(
        (await call(as, 'POST', `/providers/${providerId}/invocations`, { jobId })).status,
      ).toBe(202)
      await hub.advance('1s')
      expect(await translation(jobId)).toBe('GOOD MORNING')
      expect((await requestsOf(jobId))[0]).toMatchObject({
        statusCode: 'REVIEW_TRANSLATION',
        hasError: false,
      })
      expect((await updatesOf(jobId)).map((one) => one.hasError)).toEqual([true, false])
    })

    it('shows the last failed try on the request and the asset task until one works, without an error', async () => {
      engine.be(() => ({ status: 503, body: { error: 'The model is loading' } }))
      const jobId = await job('Good morning')
      const [request] = await requestsOf(jobId)
      const lastTry = {
        time: expect.any(String),
        message: 'The translation engine returned 503: The model is loading.',
      }
      expect(request).toMatchObject({ statusCode: 'SENT_TO_PROVIDER', hasError: false, lastTry })
      const { time = '', nextTime = '' } = request?.lastTry ?? {}
      expect(Date.parse(nextTime)).toBeGreaterThan(Date.parse(time))
      const { body } = await call<{ assetTasks: Request[] }>(
        admin,
        'GET',
        `/providers/${providerId}/jobs/${jobId}/assetTasks`,
      )
      expect(body.assetTasks[0]).toMatchObject({ hasError: false, lastTry: request?.lastTry })
      expect(await updatesOf(jobId)).toEqual([])
      await hub.advance('10m')
      const later = (await requestsOf(jobId))[0]?.lastTry
      expect(Date.parse(later?.time ?? '')).toBeGreaterThan(Date.parse(time))
      engine.be()
      await hub.advance('1d')
      const [done] = await requestsOf(jobId)
      expect(done).toMatchObject({ statusCode: 'REVIEW_TRANSLATION' })
      expect(done).not.toHaveProperty('lastTry')
    })

    it('of a stretch that was done in part, only what is left shows the failed try', async () => {
      const jobId = await newJob()
      for (const value of ['One', 'Two']) await addFields(jobId, [{ key: 'text', value }])
      engine.be((_, nth) => (nth > 1 ? { status: 503, body: {} } : undefined))
      await submit(jobId)
      const tries = (await requestsOf(jobId)).map((one) => one.lastTry?.message)
      expect(tries).toEqual([undefined, 'The translation engine returned 503.'])
    })

    it('ends with the sentence of the engine, also where the last try ended otherwise', async () => {
      engine.be(() => ({ status: 503, body: { error: 'Out of memory' } }))
      const jobId = await job('Good morning')
      await hub.inner.db.transact(async (tx) => {
        await tx
          .updateTable('tasks')
          .set({ attempts: 1_000 })
          .where('name', '=', 'translate-requests')
          .execute()
      })
      await hub.advance('1d')
      await mustHaveFailed(jobId, /^The translation engine returned 503: Out of memory\.$/)
      expect((await requestsOf(jobId))[0]).not.toHaveProperty('lastTry')
    })

    it('is not there at all: the same', async () => {
      const gone = await startEngine()
      const nowhere = await provider({ url: gone.url })
      await gone.close()
      const jobId = await job('Good morning', nowhere)
      await hub.advance('1d')
      await mustHaveFailed(
        jobId,
        /^The translation engine could not be reached\. The connection was refused/,
      )
    })
  })

  describe('the config', () => {
    const bad: [string, JsonObject, RegExp][] = [
      ['no address', { url: undefined }, /url/],
      ['a file', { url: 'file:///etc/passwd' }, /config\/url.*http/],
      ['metadata of a cloud', { url: 'http://169.254.169.254/latest' }, /config\/url.*link-local/],
      ['the same in hex', { url: 'http://0xa9fea9fe/' }, /config\/url.*link-local/],
      [
        'credentials in the address',
        { url: 'http://me:secret@127.0.0.1/' },
        /config\/url.*credentials/,
      ],
      ['no texts in a call', { batchSize: 0 }, /config\/batchSize/],
      ['too many', { batchSize: 1_001 }, /config\/batchSize/],
      ['half a call', { concurrency: 1.5 }, /config\/concurrency/],
      ['an hour', { timeoutSeconds: 3_600 }, /config\/timeoutSeconds/],
      ['a language that is a path', { languages: { de: '../x' } }, /config\/languages/],
      ['something else', { model: 'big' }, /config/],
    ]
    it.each(bad)('is refused with %s', async (_, config, says) => {
      const before = await everything(hub)
      const body = {
        name: 'E',
        typeId: 'machine-translation',
        config: { url: engine.url, ...config },
      }
      const made = await call(admin, 'POST', '/providers', body)
      expect([made.status, made.body.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(made.body.message).toMatch(says)
      const changed = await call(admin, 'PATCH', `/providers/${providerId}`, {
        config: body.config,
      })
      expect([changed.status, changed.body.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(await everything(hub)).toBe(before)
    })

    it('can be changed, the key too, and is read at the next try', async () => {
      const changing = await provider({ apiKey: 'the-first-key-of-this-test' })
      const body = { config: { url: engine.url, apiKey: 'the-other-key-of-this-test' } }
      expect((await call(admin, 'PATCH', `/providers/${changing}`, body)).status).toBe(200)
      await job('Good morning', changing)
      expect(engine.calls.map((one) => one.api_key)).toEqual(['the-other-key-of-this-test'])
    })

    it('has its key in no answer, no log, no row and no kept call', async () => {
      engine.be(() => ({ status: 500, body: { error: `key ${apiKey} is over its limit` } }))
      const made = await provider({ apiKey })
      const failed = await job('Good morning', made)
      await hub.advance('1d')
      engine.be()
      const answers = [
        await call(admin, 'GET', '/providers'),
        await call(admin, 'GET', `/providers/${made}`),
        await call(admin, 'PATCH', `/providers/${made}`, { config: { url: engine.url, apiKey } }),
        await call(admin, 'POST', '/providers', {
          typeId: 'machine-translation',
          config: { url: 7, apiKey },
        }),
        await call(as, 'GET', `/jobs/${failed}/requests`),
      ]
      expect(JSON.stringify(answers.map((one) => one.body))).not.toContain(apiKey)
      expect(JSON.stringify(answers.at(-1)?.body)).toContain('key … is over its limit')
      await hub.restart()
      expect(hub.logged()).not.toContain(apiKey)
      const { read } = hub.inner.db
      for (const table of ['providers', 'calls', 'tasks', 'requests', 'status_updates'] as const) {
        const rows = JSON.stringify(await read.selectFrom(table).selectAll().execute())
        expect(rows.length, table).toBeGreaterThan(2)
        expect(rows).not.toContain(apiKey)
      }
      const jobId = await job('Good morning', made)
      expect(await translation(jobId), 'sealed, and opened again after a restart').toBe(
        'GOOD MORNING',
      )
      expect(engine.calls.map((one) => one.api_key)).toEqual([apiKey])
    })

    it('is described by its type', async () => {
      const { body } = await call<{ configSchema: { properties: JsonObject; required: string[] } }>(
        as,
        'GET',
        '/providers/types/machine-translation',
      )
      expect(body.configSchema.required).toEqual([])
      expect(body.configSchema.properties).toMatchObject({
        apiKey: { writeOnly: true },
        batchSize: { default: 50 },
        concurrency: { default: 2 },
        timeoutSeconds: { default: 30 },
      })
    })
  })
})

it('languages are called as engines call them', () => {
  const codes = [
    'en-us',
    'DE_de',
    'zh-cn',
    'zh-tw',
    'zh-HK',
    'zh-Hans-MY',
    'zh(-Hans)-MY',
    'zh-Hant',
    'fil-PH',
    'nb-NO',
  ]
  const dialect = 'libretranslate'
  expect(codes.map((code) => engineCode(code, { dialect }, 'target'))).toEqual([
    'en',
    'de',
    'zh',
    'zt',
    'zt',
    'zh',
    'zh',
    'zt',
    'tl',
    'nb',
  ])
  expect(engineCode('pt-BR', { dialect, languages: { pt_br: 'pb' } }, 'target')).toBe('pb')
})
