/**
 * How files are read: what a request says of its format, what a job says of its texts, and the list
 * of formats.
 */
import { formatIds } from '@dragoman/contract/wire'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../formats/pack.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { prices, quoting } from '../quoting.ts'
import { run } from '../scenario.ts'

const as = 'demo-connector'
type Request = {
  requestId: string
  format?: string
  warnings?: string[]
  hasError: boolean
  latestErrorMessage?: string
}

describe.each(databases)('formats on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const newJob = async (more = {}): Promise<string> => {
    const { body } = await hub.call('POST', '/v2/jobs', {
      as,
      body: { jobName: 'Formats', ...more },
    })
    return String(body.jobId)
  }
  const upload = async (
    jobId: string,
    name: string,
    text: string | Uint8Array<ArrayBuffer>,
  ): Promise<string> => {
    const path = `/v2/jobs/${jobId}/sourcefiles?fileName=${name}`
    const { body } = await hub.call<Record<string, string>>('POST', path, { as })
    const form = new FormData()
    form.append('file', new Blob([text]), name)
    expect(
      (await fetch(body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
    ).toBe(201)
    return body.fmsFileId ?? ''
  }
  const request = {
    requestName: 'one',
    sourceNativeId: 's',
    sourceNativeLanguageCode: 'en-us',
    targetNativeLanguageCodes: ['de-de'],
  }
  const add = async (
    jobId: string,
    name: string,
    text: string | Uint8Array<ArrayBuffer>,
    more = {},
  ): Promise<Request> => {
    const body = { ...request, fmsFileId: await upload(jobId, name, text), ...more }
    const added = await hub.call<{ requests: Request[] }>(
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      { as, body },
    )
    expect(added.status).toBe(201)
    return added.body.requests[0] as Request
  }
  const translated = async (jobId: string, { requestId }: Request): Promise<string> => {
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    const providerId = body.providers.find(({ name }) => name === 'Pseudo')?.id
    expect(
      (await hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body: { providerId } })).status,
    ).toBe(200)
    await hub.advance('1s')
    const answer = await hub.call('GET', `/v2/jobs/${jobId}/requests/${requestId}/retrievefile`, {
      as,
    })
    return (await fetch(String(answer.headers.get('location')))).text()
  }

  it('an archive is one request: its files are translated, and the request names those that are not', async () => {
    const jobId = await newJob()
    const entries = [
      { name: 'a/a.txt', content: 'Hello', stored: true as const },
      { name: 'logo.png', content: 'PNG' },
      { name: 'more.zip', content: pack([]) },
    ]
    const one = await add(jobId, 'all.zip', new Uint8Array(pack(entries)))
    expect(one).toMatchObject({ format: 'zip' })
    expect(one.warnings).toBeUndefined()
    expect(await translated(jobId, one)).toMatch(/a\/a\.txtĤéļļó/)
    const after = await hub.call<Request>('GET', `/v2/jobs/${jobId}/requests/${one.requestId}`, {
      as,
    })
    expect(after.body.warnings).toEqual([
      'Not translated, copied as they are: "logo.png", "more.zip".',
    ])
  })

  it('an archive made to hurt ends with a sentence on its request', async () => {
    const jobId = await newJob()
    const bomb = pack([{ name: 'a.txt', content: new Uint8Array(20 * 1024 ** 2) }])
    const { requestId } = await add(jobId, 'bomb.zip', new Uint8Array(bomb))
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    const providerId = body.providers.find(({ name }) => name === 'Pseudo')?.id
    await hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body: { providerId } })
    await hub.advance('1s')
    const after = await hub.call<Request>('GET', `/v2/jobs/${jobId}/requests/${requestId}`, { as })
    expect(after.body).toMatchObject({ hasError: true })
    expect(after.body.latestErrorMessage).toMatch(/unpacks to more than 200 times its size/)
  })

  it('a request says how its file is read, and a file that none fits has a warning', async () => {
    const jobId = await newJob()
    expect(await add(jobId, 'a.html', '<p>x</p>')).toMatchObject({ format: 'html' })
    expect(
      await add(jobId, 'strings.xml', '<resources><string name="a">x</string></resources>'),
    ).toMatchObject({
      format: 'android',
    })
    expect(
      await add(jobId, 'b.strings', '<?xml version="1.0"?><plist version="1.0"><dict/></plist>'),
    ).toMatchObject({
      format: 'apple-plist',
    })
    const unknown = await add(jobId, 'logo.png', 'PNG')
    expect(unknown.format).toBeUndefined()
    expect(unknown.warnings?.[0]).toMatch(
      /^"logo\.png" is not in a format that the hub can translate\./,
    )
    const memory = await add(jobId, 'old.tmx', '<tmx version="1.4"><body/></tmx>')
    expect(memory.warnings?.[0]).toMatch(/^A TMX file is a translation memory .*tmupdates/)
    const found = await hub.call<Request>(
      'GET',
      `/v2/jobs/${jobId}/requests/${unknown.requestId}`,
      { as },
    )
    expect(found.body.warnings).toEqual(unknown.warnings)
  })

  it('a sender may name the format, and another file has another', async () => {
    const jobId = await newJob()
    const named = await add(jobId, 'texts.data', '{"a": "Hello"}', { format: 'json' })
    expect(named).toMatchObject({ format: 'json' })
    expect(named.warnings).toBeUndefined()
    const fmsFileId = await upload(jobId, 'page.html', '<p>Hello</p>')
    const path = `/v2/jobs/${jobId}/requests/${named.requestId}`
    expect((await hub.call<Request>('PATCH', path, { as, body: { fmsFileId } })).body.format).toBe(
      'html',
    )
    expect(
      (await hub.call<Request>('PATCH', path, { as, body: { format: 'text' } })).body.format,
    ).toBe('text')
    expect(await translated(jobId, named)).toBe('<p>Ĥéļļóóñ</p>')
  })

  it('an unknown format is refused with the list', async () => {
    const jobId = await newJob()
    const fmsFileId = await upload(jobId, 'a.json', '{}')
    const call = `POST /v2/jobs/${jobId}/requests/add`
    await run(hub, {
      name: 'unknown',
      call,
      body: { ...request, fmsFileId, format: 'word' },
      status: 400,
      code: 'INVALID_REQUEST',
      says: new RegExp(`must be one of .*${formatIds.at(-1)}`),
    })
  })

  it('a job says what is text in its files, and what it does not know is refused', async () => {
    const formatOptions = { xml: { skipElements: ['code'] }, json: { keys: ['title'] } }
    const jobId = await newJob({ formatOptions })
    expect((await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body.formatOptions).toEqual(
      formatOptions,
    )
    const one = await add(jobId, 'a.xml', '<r><p>Run <code>ls</code></p></r>')
    expect(await translated(jobId, one)).toBe('<r><p>Ŕúñó <code>ls</code></p></r>')
    const unknown = { jobName: 'x', formatOptions: { xml: { elments: [] } } }
    await run(hub, {
      name: 'unknown',
      call: 'POST /v2/jobs',
      body: unknown,
      status: 400,
      code: 'INVALID_REQUEST',
      says: /formatOptions\.xml has no field "elments"; the fields are elements, skipElements/,
    })
  })

  it('the code of a language in the files is one that a file can hold', async () => {
    const names = (name: string) => ({ languages: { names: [{ language: 'de-DE', name }] } })
    const jobId = await newJob({ formatOptions: names('de') })
    expect(await translated(jobId, await add(jobId, 'en.yml', 'en:\n  a: Text\n'))).toMatch(
      /^de:\n {2}a: /,
    )
    for (const name of ['', 'd e', 'de"', 'de:\n', 'a'.repeat(40)]) {
      const body = { jobName: 'x', formatOptions: names(name) }
      await run(hub, {
        name,
        as,
        call: 'POST /v2/jobs',
        body,
        status: 400,
        code: 'INVALID_REQUEST',
      })
    }
  })

  describe('the options of a site', () => {
    const path = '/v2/settings/formatoptions'
    const set = async (body: object) => {
      const answer = await hub.call('PUT', path, { as: 'demo-settings', body })
      expect([answer.status, answer.body]).toEqual([200, body])
    }
    const optionsOf = async (jobId: string) =>
      (await hub.call('GET', `/v2/jobs/${jobId}`, { as })).body.formatOptions
    afterEach(() => set({}))

    it('are none, are replaced as a whole, and hold for the jobs that follow', async () => {
      expect((await hub.call('GET', path, { as: 'demo-settings' })).body).toEqual({})
      const early = await newJob()
      await set({ xml: { skipElements: ['code'] }, csv: { delimiter: ';' } })
      await set({ xml: { skipElements: ['code'] } })
      expect((await hub.call('GET', path, { as: 'demo-settings' })).body).toEqual({
        xml: { skipElements: ['code'] },
      })
      const jobId = await newJob()
      const one = await add(jobId, 'a.xml', '<r><p>Run <code>ls</code></p></r>')
      await set({})
      expect(await translated(jobId, one)).toBe('<r><p>Ŕúñó <code>ls</code></p></r>')
      expect(await optionsOf(jobId)).toEqual({ xml: { skipElements: ['code'] } })
      expect(await optionsOf(early)).toBeUndefined()
    })

    it('are overridden by a job, key by key, at its creation and by a change', async () => {
      await set({ json: { keys: ['title'], skipKeys: ['slug'] }, yaml: { keys: ['a'] } })
      const jobId = await newJob({
        formatOptions: { json: { keys: [] }, xml: { attributes: ['alt'] } },
      })
      expect(await optionsOf(jobId)).toEqual({
        json: { keys: [], skipKeys: ['slug'] },
        yaml: { keys: ['a'] },
        xml: { attributes: ['alt'] },
      })
      const body = { formatOptions: { yaml: { skipKeys: ['b'] } } }
      expect((await hub.call('PATCH', `/v2/jobs/${jobId}`, { as, body })).status).toBe(200)
      expect(await optionsOf(jobId)).toEqual({
        json: { keys: ['title'], skipKeys: ['slug'] },
        yaml: { keys: ['a'], skipKeys: ['b'] },
      })
      const json = await newJob({ formatOptions: { json: { keys: [] } } })
      const one = await add(json, 'a.json', '{"title": "one", "slug": "two", "body": "three"}')
      expect(await translated(json, one)).toMatch(
        /^\{"title": "[^o][^"]*", "slug": "two", "body": "[^t][^"]*"\}$/,
      )
    })

    it('need the scope settings, are checked, and belong to one site', async () => {
      await set({ json: { keys: ['title'] } })
      const call = `PUT ${path}`
      const [body, bad] = [{}, { json: { kyes: [] } }]
      await run(hub, { name: 'scope', as, call, body, status: 403, code: 'FORBIDDEN' })
      await run(hub, {
        name: 'unknown',
        as: 'demo-settings',
        call,
        body: bad,
        status: 400,
        code: 'INVALID_REQUEST',
      })
      expect((await hub.call('GET', path, { as: 'demo-settings' })).body).toEqual({
        json: { keys: ['title'] },
      })
    })
  })

  it('a quote shows the format, counts by the options, and the same options give the same hash', async () => {
    const at = quoting(hub)
    await at.setPrices(prices)
    const file = '<r><p>Two words</p><code>never any count</code></r>'
    const quote = async (formatOptions?: object) => {
      const jobId = await newJob(formatOptions && { formatOptions })
      await add(jobId, 'a.xml', file)
      return at.quote(jobId)
    }
    const [plain, one, again] = [
      await quote(),
      await quote({ xml: { skipElements: ['code'] } }),
      await quote({ xml: { skipElements: ['code'] } }),
    ]
    expect(plain.lines[0]).toMatchObject({ format: 'xml', counts: { words: 5 } })
    expect(one.lines[0]).toMatchObject({ format: 'xml', counts: { words: 2 } })
    expect(again.inputsHash).toBe(one.inputsHash)
    expect(plain.inputsHash).not.toBe(one.inputsHash)
  })

  it('lists the formats, each with what is text and what stays', async () => {
    const { status, body } = await hub.call<{ formats: Record<string, unknown>[] }>(
      'GET',
      '/v2/formats',
      { as },
    )
    expect(status).toBe(200)
    expect(body.formats.map(({ id }) => id).sort()).toEqual([...formatIds].sort())
    expect(body.formats.find(({ id }) => id === 'tmx')).toMatchObject({
      translated: false,
      extensions: ['tmx', 'xml'],
    })
    expect(body.formats.find(({ id }) => id === 'json')).toMatchObject({
      translated: true,
      maxBytes: 50 * 1024 ** 2,
    })
  })
})
