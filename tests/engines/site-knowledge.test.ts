/**
 * What a site knows goes along with its texts: context, similar translations and terms, to the
 * vendors that take them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../hub.ts'
import type { VendorName } from './every-vendor.ts'
import { sources } from './phrases.ts'
import { admin, startVendorHub, type VendorHub } from './vendor-hub.ts'
import type { deepl } from './vendors/deepl.ts'

const names = ['deepl', 'azure', 'chat', 'modernmt'] as const satisfies readonly VendorName[]

describe.each(databases)('what a site knows on %s', (database) => {
  let place: VendorHub
  beforeAll(async () => {
    place = await startVendorHub(database, {}, names)
    glossaries().length = 0
  })
  afterAll(() => place.close())
  beforeEach(() => {
    for (const name of names) place.vendors[name].be()
  })
  const glossaries = () => (place.vendors.deepl.vendor as ReturnType<typeof deepl>).glossaries
  const terms = (method: string, path = '', body?: unknown) =>
    place.call(admin, method, `/settings/terms${path}`, body)
  const addTerm = async (en: string, de: string) => {
    const made = await terms('POST', '', {
      entries: [
        { language: 'en', text: en },
        { language: 'de', text: de },
      ],
    })
    expect(made.status).toBe(201)
    return made.body as { termId: string; version: number }
  }
  const lastAsked = (name: (typeof names)[number]) =>
    JSON.stringify(place.vendors[name].received.findLast(({ method }) => method === 'POST')?.json)
  const done = async (name: (typeof names)[number], values: string[]) => {
    const jobId = await place.submit(place.providers[name], values)
    await place.hub.advance('1s')
    return { jobId, values: await place.valuesOf(jobId) }
  }

  it('context, similar translations and terms are sent to those who take them', async () => {
    await addTerm('rake', 'Rechen')
    const unit = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    const known = {
      ...unit,
      source: 'Buy a red rake for the garden today',
      target: 'Kaufe heute einen roten Rechen',
    }
    expect((await place.call(admin, 'POST', '/settings/memory/units', known)).status).toBe(201)
    const values = ['Tools of the month', 'Buy a red rake for the garden now', 'See all of them']
    for (const name of names) await done(name, values)
    // DeepL does not return neighbours, only translates with them in mind.
    expect(lastAsked('deepl')).toContain('"context":')
    expect(lastAsked('deepl')).toMatch(/"context":"[^"]*Tools of the month/)
    expect(lastAsked('azure')).toContain(
      '"referenceTextPairs":[{"source":"Buy a red rake for the garden today"',
    )
    const model = lastAsked('chat')
    for (const sent of ['before', 'after', 'similar', 'terms', 'Rechen'])
      expect(model, sent).toContain(sent)
    expect(lastAsked('modernmt')).not.toMatch(/Rechen|"context"/)
  })

  it('DeepL gets the terms as one glossary for a pair, made once and replaced when they change', async () => {
    const only = () => {
      expect(glossaries()).toHaveLength(1)
      return glossaries()[0]
    }
    const made = only()
    expect(made?.name).toMatch(new RegExp(`^dragoman ${place.providers.deepl} en-de [\\w-]{22}$`))
    expect(made?.dictionaries).toEqual([
      { source_lang: 'en', target_lang: 'de', entries: 'rake\tRechen', entries_format: 'tsv' },
    ])
    await done('deepl', ['The rake is new'])
    expect(lastAsked('deepl')).toContain(`"glossary_id":"${made?.glossary_id}"`)
    expect(
      place.vendors.deepl.received.filter(({ path }) => path.startsWith('/v3/glossaries')),
    ).toEqual([])
    const spade = await addTerm('spade', 'Spaten')
    await done('deepl', ['The spade is old'])
    expect(only()?.dictionaries[0]?.entries).toBe('rake\tRechen\nspade\tSpaten')
    expect(lastAsked('deepl')).toContain(`"glossary_id":"${only()?.glossary_id}"`)
    expect(only()?.glossary_id).not.toBe(made?.glossary_id)
    expect((await terms('DELETE', `/${spade.termId}?version=${spade.version}`)).status).toBe(200)
    await done('deepl', ['The spade is gone'])
    expect(only()?.dictionaries[0]?.entries).toBe('rake\tRechen')
  })

  it('a glossary that somebody removed, or that the vendor refuses, stops no translation', async () => {
    glossaries().length = 0
    expect((await done('deepl', ['A rake of wood'])).values).toEqual(['A RAKE OF WOOD'])
    await place.hub.advance('11m')
    expect((await done('deepl', ['A rake of iron'])).values).toEqual(['A RAKE OF IRON'])
    expect(glossaries(), 'made again').toHaveLength(1)
  })

  it('a translation without its term is marked as a risk, whether the engine took the terms or not', async () => {
    await addTerm('garden', 'Park')
    for (const name of ['deepl', 'modernmt'] as const) {
      const { jobId } = await done(name, [sources[2]])
      const requests = await place.call<{ requests: { requestId: string }[] }>(
        admin,
        'GET',
        `/jobs/${jobId}/requests`,
      )
      const path = `/jobs/${jobId}/requests/${requests.body.requests[0]?.requestId}/segments`
      const { body } = await place.call<{ segments: { riskReasons?: string[] }[] }>(
        admin,
        'GET',
        path,
      )
      expect(body.segments[0]?.riskReasons, name).toContain('TERMS')
    }
  })
})
