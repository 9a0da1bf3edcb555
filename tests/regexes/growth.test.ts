/**
 * What was worst, and what the rules cannot judge: twice the text takes little more than twice the
 * work. The work inside a regular expression is not counted: linear.test.ts judges each by rules.
 */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { apertium } from '../../packages/server/src/domain/engines/drivers/dialects/apertium.ts'
import { readMembers } from '../../packages/server/src/doors/soap/translate.ts'
import { parseRange } from '../../packages/server/src/doors/transfer/range.ts'
import { scrubText } from '../../packages/server/src/process/scrub.ts'
import { html } from '../../packages/text/src/formats/html/html.ts'
import { plainText } from '../../packages/text/src/formats/plain-text/plain-text.ts'
import { attributesOf, setAttribute } from '../../packages/text/src/formats/xml/xml-tags.ts'
import { protect } from '../../packages/text/src/placeholders/protect.ts'
import { pseudoNamedFile } from '../../packages/text/src/pseudo/pseudo-file.ts'
import { sampled } from '../draws.ts'
import { startHub, type TestHub } from '../hub.ts'
import { action, path } from '../soap/soap-call.ts'
import { growthOfWork, mostGrowth, withWorkCount } from '../work-count.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const blanks = (size: number) => '\u00a0'.repeat(size)

const works: Record<string, { size: number; work: (size: number) => void }> = {
  'a Range of blanks': { size: 3_000, work: (size) => parseRange(`bytes=${blanks(size)}x`, 100) },
  'a Range of commas': {
    size: 100_000,
    work: (size) => parseRange(`bytes=${'1-2,'.repeat(size)}x`, 100),
  },
  'a price of digits': {
    size: 10_000,
    work: (size) => {
      const price = {
        uri: 'u',
        name: 'p',
        attributes: {},
        children: [],
        text: `${'1'.repeat(size)}x`,
      }
      const element = { uri: 'u', name: 'a', attributes: {}, children: [price], text: '' }
      readMembers('u', element, [{ element: 'p', field: 'p', type: 'Money' }], '')
    },
  },
  'a tag of blanks': {
    size: 10_000,
    work: (size) => {
      const tag = `<a${' '.repeat(size)}b="c">`
      const tokens = [{ kind: 'open', start: 0, end: tag.length } as const]
      setAttribute({ text: tag, tokens, closing: new Int32Array(1) }, { open: 0, tag }, ['id', 'x'])
    },
  },
  'attributes without values': {
    size: 100_000,
    work: (size) => attributesOf(`<a${' b'.repeat(size)} ${blanks(size)}>`),
  },
  'a translated line of blanks': {
    size: 10_000,
    work: (size) => {
      const file = plainText.open(bytes('One'))
      const [segment] = file.segments
      const text = `a${' '.repeat(size)}b`
      file.write(new Map([[segment?.id ?? '', [{ type: 'text', text }]]]), { targetLanguage: 'de' })
    },
  },
  'paragraphs that end in blanks and a letter': {
    size: 300,
    work: (size) => html.read(bytes(`<p>a${' '.repeat(1_000)}b</p>`.repeat(size))),
  },
  'a text of open tags': { size: 5_000, work: (size) => protect('<a b="'.repeat(size)) },
  'a text of open braces': { size: 20_000, work: (size) => protect('{a, '.repeat(size)) },
  'a text of half addresses': { size: 20_000, work: (size) => protect(`${'a.'.repeat(size)}@`) },
  'a text of open comments': { size: 20_000, work: (size) => protect('<!-- <'.repeat(size)) },
  'a tag whose attributes look like tags': {
    size: 30_000,
    work: (size) => {
      const tag = (end: string) => `<a ${'<a '.repeat(size)}${end} title="x">y</a>`
      pseudoNamedFile('a.html', bytes(`<p>z ${tag('b')} ${tag('c')}</p>`), 'de')
    },
  },
  'an answer of Apertium with markers of its own': {
    size: 10_000,
    work: (size) => {
      const call = {
        texts: ['a'.repeat(10 * size)],
        source: 'en',
        target: 'de',
        format: 'html',
      } as const
      apertium.translate.read(
        { responseData: { translatedText: '<x id="7"/> '.repeat(size) } },
        call,
      )
    },
  },
  'a log line of schemes': { size: 20_000, work: (size) => scrubText('a://b:'.repeat(size)) },
  'a log line of names': { size: 20_000, work: (size) => scrubText('&token'.repeat(size)) },
}

test.each(sampled(Object.entries(works), 5))('%s', async (_, { size, work }) => {
  const read = (text: string) => work(text.length)
  const make = (length: number) => 'x'.repeat(length)
  const growth = await withWorkCount((count) =>
    growthOfWork(count, read, make, Math.ceil(size / 10)),
  )
  expect(growth).toBeLessThan(mostGrowth)
})

describe('headers', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())

  /**
   * Milliseconds of the processor for a call, the least of three. It takes one or two: the bound is
   * hundreds of times that, and time of the processor does not grow with what else the machine
   * does.
   */
  const cost = async (call: () => Promise<unknown>): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let time = 0; time < 3; time += 1) {
      const begun = process.cpuUsage()
      await call()
      least = Math.min(least, process.cpuUsage(begun).user / 1000)
    }
    return least
  }
  const basic = `Basic ${Buffer.from('demo-settings:demo-settings-secret').toString('base64')}`

  it('a malformed SOAPAction of 1,500 blanks is refused at once', async () => {
    // Latin-1 on the wire; the byte 0xA0 is a blank to a regular expression.
    const soapaction = `${blanks(1_500)}"a"b`
    const call = () =>
      hub.call('POST', path, {
        body: '<a/>',
        headers: { authorization: basic, 'content-type': 'text/xml', soapaction },
      })
    expect((await call()).status).toBe(500)
    expect(await cost(call)).toBeLessThan(500)
  })

  it.each([
    ['with quotes', action('GetAnalysisCodes')],
    ['without', action('GetAnalysisCodes').replaceAll('"', '')],
    ['with blanks around', ` ${action('GetAnalysisCodes')} `],
    ['with blanks in the quotes', action('GetAnalysisCodes').replaceAll('"', ' " ').trim()],
  ])('a SOAPAction %s is understood', async (_, soapaction) => {
    const answer = await hub.call<string>('POST', path, {
      body: '<a/>',
      headers: { authorization: basic, 'content-type': 'text/xml', soapaction },
    })
    expect(answer.body).toContain('not Envelope')
  })

  it.each([
    ['content-type', `application/${'a+'.repeat(6_000)}`],
    ['content-type', `application/json${blanks(12_000)}x`],
    ['authorization', `Bearer ${' '.repeat(12_000)}x y`],
    ['authorization', `Basic${blanks(12_000)}x y`],
    ['idempotency-key', blanks(12_000)],
    ['x-request-id', 'a'.repeat(12_000)],
    ['accept', `application/json${blanks(12_000)}x`],
    ['range', `bytes=${blanks(12_000)}x`],
  ])('%s of 12,000 bytes costs nothing', async (name, value) => {
    const call = () =>
      hub.call('POST', '/v2/jobs', {
        as: 'demo-connector',
        body: { jobName: 'x' },
        headers: { [name]: value },
      })
    await call()
    expect(await cost(call)).toBeLessThan(500)
  })
})
