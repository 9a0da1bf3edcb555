import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pseudoNamedFile, pseudoString } from '@dragoman/text/pseudo'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CannotTranslate, type Source } from './driver.ts'
import { pseudo } from './pseudo.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const file = (name: string, text: string): string =>
  new TextDecoder().decode(pseudoNamedFile(name, bytesOf(text), 'de-DE'))

test.each([
  ['Hello world, how are you?', 'Ĥéļļó ŵóŕļď, ĥóŵ áŕé ýóú? óñé ţŵó'],
  ['OK', 'ÓĶó'],
  ['  Save  ', '  Šáṽéóñ  '],
  [`{name} has %1$d of {{n}} in \${x}`, `{name} ĥáš %1$d óḟ {{n}} íñ óñé ţ \${x}`],
  ['<b>Bold &amp; brave</b>', '<b>Ḃóļď &amp; ḃŕáṽé óñéó</b>'],
  ['{n, plural, one {# item} other {# items}}', '{n, plural, one {# íţéḿóñ} other {# íţéḿšóñ}}'],
  ['{name}', '{name}'],
  ['12.50', '12.50'],
  ['+49 (30) 123-456-789 :', '+49 (30) 123-456-789 :'],
  ['', ''],
])('%j becomes %j', (text, written) => {
  expect(pseudoString(text)).toBe(written)
})

test('no ASCII letter is left, the padding included, and the length is as promised', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...'abcxyzABCXYZ 0123.,!?éß中😀'),
        minLength: 11,
        maxLength: 300,
      }),
      (text) => {
        fc.pre(/\p{L}/u.test(text) && [...text.trim()].length > 10)
        const written = pseudoString(text)
        expect(written).not.toMatch(/[A-Za-z]/)
        for (const size of [(all: string) => all.length, (all: string) => [...all].length]) {
          expect(size(written) / size(text)).toBeLessThanOrEqual(1.6)
          expect(size(written.trim()) / size(text.trim())).toBeGreaterThanOrEqual(1.15)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('the length is as promised with placeholders in it', () => {
  for (const text of [
    'Hi, {customerName}',
    'Hello {name}, welcome',
    'You have %d new messages',
    '{a} and {b} or {c}',
    '<p class="intro">Hello world</p>',
  ]) {
    const ratio = pseudoString(text).length / text.length
    expect([text, ratio >= 1.15 && ratio <= 1.6, ratio]).toEqual([text, true, ratio])
  }
})

/** Without those that are texts or name the language. */
const withoutAttributes = (all: string): string =>
  all.replace(/ (?:lang|dir|title|alt|label|placeholder|content|aria-label)="[^"]*"/g, '')

const samples = join(import.meta.dirname, '../../../../../../tests/samples')
test.each([
  'page.html',
  'messages.json',
  'fields.xml',
  'catalogue.xml',
  'note.txt',
  'units-1.2.xlf',
  'units-2.0.xlf',
])('%s comes back the same on every run, with the same tags and placeholders', (name) => {
  const text = readFileSync(join(samples, name), 'utf8')
  const written = file(name, text)
  expect(file(name, text)).toBe(written)
  expect(written).not.toBe(text)
  // In XLIFF the sources do not change; another test compares the targets.
  const kept = (all: string) =>
    withoutAttributes(all).match(/<\/?\w[^>]*>|\{\{?\w+\}?\}|%\d\$d|%[sd]|\$\{\w+\}|&[#\w]+;/g)
  if (!name.endsWith('.xlf')) expect(kept(written)).toEqual(kept(text))
})

describe('files of real size', () => {
  test('HTML keeps every tag', () => {
    const text = readFileSync(join(samples, 'page.html'), 'utf8').repeat(200)
    const tagsOf = (all: string) => withoutAttributes(all).match(/<[^>]+>/g)
    expect(tagsOf(file('big.html', text))).toEqual(tagsOf(text))
  })

  test('JSON keeps its keys and everything that is no text', () => {
    const one = JSON.parse(readFileSync(join(samples, 'messages.json'), 'utf8'))
    const text = JSON.stringify(
      Array.from({ length: 2_000 }, (_, id) => ({ id, ...one })),
      null,
      2,
    )
    const shape = (value: unknown): unknown =>
      JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? '' : inner))
    expect(shape(JSON.parse(file('big.json', text)))).toEqual(shape(JSON.parse(text)))
  })
})

describe('the driver', () => {
  const languages = { sourceLanguage: 'en', targetLanguage: 'de' }
  // It needs nothing from the hub, and only the site of its provider.
  const translate = (content: Source['content']) =>
    pseudo.translate?.(undefined as never, { site_id: 'demo' } as never, { ...languages, content })

  test('translates fields by their values alone', async () => {
    const fields = [{ key: 'title', value: 'Spring offer for {name}' }]
    expect(await translate({ fields })).toEqual({
      fields: [{ key: 'title', value: 'Šṕŕíñĝ óḟḟéŕ ḟóŕ óñéó {name}' }],
    })
  })

  test('translates a file, and says of a broken one why it cannot', async () => {
    const done = await translate({ fileName: 'a.json', bytes: bytesOf('["OK"]') })
    expect(done && 'bytes' in done && new TextDecoder().decode(done.bytes)).toBe('["ÓĶó"]')
    const broken = translate({ fileName: 'a.json', bytes: bytesOf('["OK"') })
    await expect(broken).rejects.toBeInstanceOf(CannotTranslate)
    await expect(broken).rejects.toThrow(/^The JSON is not well-formed/)
    const unknown = translate({ fileName: 'a.xlf', bytes: bytesOf('<other/>') })
    await expect(unknown).rejects.toBeInstanceOf(CannotTranslate)
    await expect(unknown).rejects.toThrow(
      /^"a\.xlf" is not in a format that the hub can translate\. It translates .*\.htm /,
    )
  })
})
