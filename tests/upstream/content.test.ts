/**
 * What goes along with a job that is sent on: support assets, TM updates, large files, other
 * languages; and the hubs it passed.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import { type Between, startBetween } from './between.ts'
import { admin, connector, type HubPair, type JsonObject, leadTo, startPair } from './pair.ts'

const languages = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }
const tmx = `<?xml version="1.0"?><tmx version="1.4"><header srclang="en-us" segtype="sentence" adminlang="en" o-tmf="x" creationtool="x" creationtoolversion="1" datatype="plaintext"/><body><tu><tuv xml:lang="en-us"><seg>Dog</seg></tuv><tuv xml:lang="de-de"><seg>Hund</seg></tuv></tu></body></tmx>`

describe.each(databases)('with a job that is sent on, on %s', (database) => {
  let pair: HubPair
  let between: Between
  beforeAll(async () => {
    pair = await startPair(database)
    between = await startBetween(pair.beyond.hub.url)
  })
  afterAll(async () => {
    await Promise.all([pair.close(), between.close()])
  })
  const list = async (jobId: string, name: string) =>
    (
      await pair.beyond.call<Record<string, JsonObject[]>>(
        connector,
        'GET',
        `/jobs/${jobId}/${name}`,
      )
    ).body[name] ?? []

  it('go its support assets, TM updates and large files, into the languages that the upstream knows', async () => {
    const { front, beyond } = pair
    const providerId = await pair.lead('Pseudo', {
      url: between.url,
      languages: { 'de-de': 'de-at' },
    })
    const { jobId } = (
      await front.call<{ jobId: string }>(connector, 'POST', '/jobs', {
        jobName: 'Along',
        ...languages,
      })
    ).body
    const picture = await front.upload(jobId, 'picture.png', randomBytes(2_000))
    const asset = {
      fmsFileId: picture,
      description: 'How it looks',
      ...languages,
      extendedMetadata: { page: 3 },
    }
    expect(
      (await front.call(connector, 'POST', `/jobs/${jobId}/supportassets`, asset)).status,
    ).toBe(201)
    const large = `<p>The dog</p>\n<!-- ${randomBytes(1_200_000).toString('base64')} -->\n`
    const fmsFileId = await front.upload(jobId, 'large.html', large)
    await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'Large',
      sourceNativeId: 'l',
      extendedMetadata: { wide: true },
      ...languages,
      fmsFileId,
    })
    await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await pair.settle()
    const there = (await front.job(jobId)).upstream?.jobId ?? ''
    expect(await list(there, 'supportassets')).toMatchObject([
      {
        filename: 'picture.png',
        description: 'How it looks',
        targetNativeLanguageCodes: ['de-at'],
        extendedMetadata: { page: 3 },
      },
    ])
    expect(await list(there, 'requests')).toMatchObject([
      {
        targetNativeLanguageCode: 'de-at',
        extendedMetadata: { wide: true },
        fileName: 'large.html',
      },
    ])
    const calls = async () => {
      const { body } = await beyond.call<{ calls: { method: string; route: string }[] }>(
        admin,
        'GET',
        `/calls?jobId=${there}`,
      )
      return body.calls.map(({ method, route }) => `${method} ${route}`)
    }
    const ways = ['PATCH /fms/tus/:id', 'POST /fms/multipart/:fileId', 'POST /fms/tus/:id']
    const bytes = async () => (await calls()).filter((one) => ways.includes(one)).sort()
    // The picture as a form, the large file by TUS.
    await expect.poll(bytes).toEqual(ways)
    const [request] = await front.requests(jobId)
    expect(request).toMatchObject({
      statusCode: 'REVIEW_TRANSLATION',
      targetNativeLanguageCode: 'de-de',
    })
    expect((await front.download(jobId, request?.requestId ?? '')).length).toBeGreaterThan(
      large.length - 1,
    )
    const update = {
      fmsFileId: await front.upload(jobId, 'memory.tmx', tmx),
      sourceNativeLanguageCode: 'en-us',
    }
    const sent = await front.call(connector, 'POST', `/jobs/${jobId}/tmupdates`, {
      ...update,
      targetNativeLanguageCode: 'de-de',
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    await pair.settle()
    expect(await list(there, 'tmupdates')).toMatchObject([
      { fileName: 'memory.tmx', targetNativeLanguageCode: 'de-at' },
    ])
    expect((await beyond.job(there)).hops).toHaveLength(1)
  })

  it('go the hubs that it passed: a circle is refused, and so are more than five', async () => {
    const { front } = pair
    const providerId = await leadTo(front, front, 'Pseudo')
    const create = async (more: object = {}) => {
      const { jobId } = (
        await front.call<{ jobId: string }>(connector, 'POST', '/jobs', {
          jobName: 'Circle',
          ...more,
        })
      ).body
      const fields = [{ key: 'a', value: 'The dog' }]
      await front.call(connector, 'POST', `/jobs/${jobId}/requests/add`, {
        requestName: 'a',
        sourceNativeId: 'a',
        ...languages,
        fields,
      })
      return jobId
    }
    const jobId = await create()
    await front.call(connector, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await front.hub.advance('20s')
    expect(await front.updates(jobId)).toEqual([
      expect.stringMatching(/answered 409: .*has been at this hub before/),
    ])
    const five = ['a', 'b', 'c', 'd', 'e']
    const refused = await front.call(
      connector,
      'PUT',
      `/jobs/${await create({ hops: five })}/submit`,
      { providerId },
    )
    expect([refused.status, refused.body.code]).toEqual([409, 'UPSTREAM_LOOP'])
    const six = await front.call(connector, 'POST', '/jobs', {
      jobName: 'Far',
      hops: [...five, 'f'],
    })
    expect([six.status, six.body.code]).toEqual([409, 'UPSTREAM_LOOP'])
  })

  it('the secret of its provider is sealed, the test of the provider says whether it works, and a wrong address is refused', async () => {
    const { front } = pair
    const providerId = await pair.lead('Pseudo')
    const { body } = await front.call<JsonObject>(admin, 'GET', `/providers/${providerId}/config`)
    expect(body).toMatchObject({ secrets: ['clientSecret'] })
    expect(JSON.stringify(body)).not.toContain('drg_')
    expect(
      (await front.call(admin, 'POST', `/providers/${providerId}/test`, {})).body,
    ).toMatchObject({ works: true })
    const wrong = await pair.lead('Pseudo', { clientSecret: 'wrong' })
    expect((await front.call(admin, 'POST', `/providers/${wrong}/test`, {})).body).toMatchObject({
      works: false,
      error: expect.any(String),
    })
    const config = { url: 'http://169.254.169.254', clientId: 'a', clientSecret: 'b' }
    const refused = await front.call(admin, 'POST', '/providers', {
      name: 'X',
      typeId: 'upstream',
      config,
    })
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST'])
  })
})
