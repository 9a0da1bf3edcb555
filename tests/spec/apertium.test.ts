/**
 * A provider with the real engine: it says its languages, translates what it has, and refuses what
 * it lacks.
 */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openZip, readEntryBytes } from '../../packages/text/src/formats/zip/zip-read.ts'
import { type Apertium, hasApertium, startApertium } from '../apertium.ts'
import { docxOf } from '../formats/office-samples.ts'
import { databases, startHub, type TestHub } from '../hub.ts'

const as = 'demo-connector'
type Request = { requestId: string; hasError: boolean; latestErrorMessage?: string }

if (!hasApertium && process.env.CI !== 'true')
  test.skip('SKIPPED, apertium-apy is missing', () => {})
else
  describe.each(databases)('Apertium on %s', (database) => {
    let hub: TestHub
    let engine: Apertium
    let providerId: string
    beforeAll(async () => {
      engine = await startApertium()
      hub = await startHub({ database })
      const config = { url: engine.url, dialect: 'apertium' }
      const body = { name: 'Apertium', typeId: 'machine-translation', config }
      providerId = String(
        (await hub.call('POST', '/v2/providers', { as: 'demo-admin', body })).body.id,
      )
    })
    afterAll(async () => {
      await hub.close()
      await engine.close()
    })

    const newJob = async () =>
      String((await hub.call('POST', '/v2/jobs', { as, body: { jobName: 'A' } })).body.jobId)
    const submit = (jobId: string) =>
      hub.call('PUT', `/v2/jobs/${jobId}/submit`, { as, body: { providerId } })
    const request = (target: string) => ({
      requestName: 'one',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: [target],
    })
    const inSpanish = async (name: string, content: string | Uint8Array): Promise<Uint8Array> => {
      const jobId = await newJob()
      const place = await hub.call<Record<string, string>>(
        'POST',
        `/v2/jobs/${jobId}/sourcefiles?fileName=${name}`,
        {
          as,
        },
      )
      const form = new FormData()
      form.append(
        'file',
        new Blob([typeof content === 'string' ? content : new Uint8Array(content)]),
        name,
      )
      expect(
        (await fetch(place.body.fmsPostMultipartUrl ?? '', { method: 'POST', body: form })).status,
      ).toBe(201)
      const body = { ...request('es-es'), fmsFileId: place.body.fmsFileId }
      const added = await hub.call<{ requests: Request[] }>(
        'POST',
        `/v2/jobs/${jobId}/requests/add`,
        { as, body },
      )
      expect((await submit(jobId)).status).toBe(200)
      await hub.advance('1s')
      const path = `/v2/jobs/${jobId}/requests/${added.body.requests[0]?.requestId}`
      expect((await hub.call<Request>('GET', path, { as })).body).toMatchObject({ hasError: false })
      const answer = await hub.call('GET', `${path}/retrievefile`, { as })
      return new Uint8Array(
        await (await fetch(String(answer.headers.get('location')))).arrayBuffer(),
      )
    }
    const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

    it('says which languages it has', async () => {
      type Listed = {
        capabilities: { supportedLanguages: { sources: string[]; targets: string[] }[] }
      }
      const { body } = await hub.call<Listed>('GET', `/v2/providers/${providerId}`, { as })
      const pairs = body.capabilities.supportedLanguages.flatMap(({ sources, targets }) =>
        sources.flatMap((source) => targets.map((target) => `${source} ${target}`)),
      )
      expect(pairs).toEqual(expect.arrayContaining(['en es', 'es ca']))
    })

    it('translates files, and keeps placeholders, tags and blanks', async () => {
      const properties = 'greeting=The dog of {name} is big.\nred=The house is red.\n'
      expect(textOf(await inSpanish('a.properties', properties))).toMatch(
        /^greeting=El perro de \{name\} es grande\.\nred=La casa es roja\.\n$/,
      )
      const html = '<p>The <b>house</b> is red &amp; big.</p>'
      expect(textOf(await inSpanish('a.html', html))).toBe(
        '<p>La <b>casa</b> es roja &amp; grande.</p>',
      )
      const r = (text: string, look = '') =>
        `<w:r>${look}<w:t xml:space="preserve">${text}</w:t></w:r>`
      const docx = docxOf(
        `<w:p>${r('The ')}${r('house', '<w:rPr><w:b/></w:rPr>')}${r(' is big.')}</w:p>`,
      )
      const zip = openZip(await inSpanish('a.docx', docx))
      const part = zip.entries.find(({ name }) => name === 'word/document.xml')
      const texts = part && textOf(readEntryBytes(zip, part)).match(/(?<=<w:t[^>]*>)[^<]+/g)
      expect(texts?.join('')).toBe('La casa es grande.')
    })

    it('refuses a pair that it lacks when the job is submitted, and nothing moves', async () => {
      const jobId = await newJob()
      const fields = [{ key: 'a', value: 'The house is red.' }]
      await hub.call('POST', `/v2/jobs/${jobId}/requests/add`, {
        as,
        body: { ...request('de-de'), fields },
      })
      const refused = await submit(jobId)
      expect(refused.status).toBe(400)
      expect(JSON.stringify(refused.body)).toMatch(
        /does not translate en-us to de-de; it translates .*en to es/,
      )
      const { body } = await hub.call('GET', `/v2/jobs/${jobId}`, { as })
      expect(body.statusCode).toBe('CREATED')
    })
  })
