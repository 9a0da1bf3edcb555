/** Files and texts in simple shapes: every format, what is ambiguous, and what is refused. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import {
  checkFile,
  checkTranslation,
  countFileWords,
  FormatError,
  hidePlaceholders,
  joinFile,
  openTermList,
  pseudoFile,
  showPlaceholders,
  splitFile,
} from '../../packages/text/src/index.ts'
import { docxOf, pptxOf, xlsxOf } from '../formats/office-samples.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const samples = join(import.meta.dirname, '../samples')
const languages = { sourceLanguage: 'en', targetLanguage: 'de' }
const files: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ...readdirSync(samples).map(
    (name) => [name, new Uint8Array(readFileSync(join(samples, name)))] as const,
  ),
  ['letter.docx', docxOf('<w:p><w:r><w:t>Dear reader</w:t></w:r></w:p>')],
  ['prices.xlsx', xlsxOf('<si><t>Dear reader</t></si>')],
  ['slides.pptx', pptxOf('<a:p><a:r><a:t>Dear reader</a:t></a:r></a:p>')],
]

describe.each(files)('%s', (name, bytes) => {
  const { segments } = splitFile(name, bytes, languages)
  /** A file with places for translations is not the same with its own texts there. */
  const isBilingual = /\.(po|xlf|xliff|ts|linguist|xcstrings)$/.test(name)

  it('joined with what it has already has the same bytes', () => {
    const own = segments.flatMap(({ id, text, target }) => {
      const has = isBilingual ? target : text
      return has === undefined ? [] : [[id, has] as const]
    })
    expect(segments.length).toBeGreaterThan(0)
    expect(joinFile(name, bytes, new Map(own), languages)).toEqual(bytes)
  })

  it('split again has the translations that it was joined with', () => {
    const translations = new Map(segments.map(({ id, text }) => [id, `${text} más`]))
    const joined = joinFile(name, bytes, translations, languages)
    const again = splitFile(name, joined, languages)
    const got = again.segments.map(({ id, text, target }) => [id, isBilingual ? target : text])
    expect(got).toEqual([...translations])
    expect(checkFile(name, bytes, joined, languages)).toMatchObject({ differences: [] })
    expect(joinFile(name, bytes, Object.fromEntries(translations), languages)).toEqual(joined)
  })

  it('pseudo-translated is a file of its format with all its texts', () => {
    const pseudo = splitFile(name, pseudoFile(name, bytes, languages), languages)
    expect(pseudo.segments.map(({ id }) => id)).toEqual(segments.map(({ id }) => id))
  })
})

test('a code that could be mistaken for a word is a number', () => {
  const page = bytesOf('2 \\* 3 is *six*, not **five**.\n')
  const [segment] = splitFile('a.md', page).segments
  expect(segment?.text).toBe('2 * 3 is ⟦1⟧six⟦2⟧, not ⟦3⟧five⟦4⟧.')
  expect(showPlaceholders(segment?.text ?? '', segment?.codes ?? [])).toBe(
    '2 * 3 is *six*, not **five**.',
  )
  const german = joinFile('a.md', page, { s1: '2 * 3 ist ⟦1⟧sechs⟦2⟧.' }, languages)
  expect(textOf(german)).toBe('2 * 3 ist *sechs*.\n')
})

test('what a translation adds is text in its file, and no markup', () => {
  const page = bytesOf('<p>Click <b>here</b></p>')
  const german = joinFile('a.html', page, { s1: 'Hier <b>klicken</b> <script>' }, languages)
  expect(textOf(german)).toBe('<p>Hier <b>klicken</b> &lt;script></p>')
})

test('running text is cut into sentences on demand', () => {
  const page = bytesOf('<p>One sentence. Another one.</p>')
  const english = { ...languages, sentencesOf: 'en' }
  const { segments } = splitFile('a.html', page, english)
  expect(segments.map(({ text }) => text)).toEqual(['One sentence.', 'Another one.'])
  const [, second] = segments
  const german = joinFile('a.html', page, { [second?.id ?? '']: 'Noch einer.' }, english)
  expect(textOf(german)).toBe('<p>One sentence. Noch einer.</p>')
})

test.each<[string, string, Uint8Array, string]>([
  ['a broken file', 'a.json', bytesOf('{"a": '), 'MALFORMED'],
  ['an unknown format', 'a.bin', new Uint8Array([0, 1, 2]), 'UNKNOWN_FORMAT'],
  ['a deep file', 'a.json', bytesOf('['.repeat(5_000)), 'TOO_DEEP'],
  ['a broken archive', 'a.docx', bytesOf('PK\u0003\u0004'), 'MALFORMED'],
])('%s ends in a FormatError', (_, name, bytes, code) => {
  const calls = [
    () => splitFile(name, bytes),
    () => joinFile(name, bytes, {}, languages),
    () => countFileWords(name, bytes),
    () => pseudoFile(name, bytes, languages),
    () => checkFile(name, bytes, bytes, languages),
  ]
  for (const call of calls) {
    expect(call).toThrow(FormatError)
    expect(call).toThrow(expect.objectContaining({ code }))
  }
})

test('a translation that is broken or of another format is invalid', () => {
  const source = bytesOf('{"a": "One"}')
  expect(checkFile('a.json', source, bytesOf('{"a": '), languages)).toMatchObject({
    compared: 0,
    invalid: expect.stringMatching(/\.$/),
  })
})

test('a translation for a text that is not there is refused', () => {
  const join = () => joinFile('a.json', bytesOf('{"a": "One"}'), { b: 'Zwei' }, languages)
  expect(join).toThrow('The file has no segment "b".')
})

test('terms are found in other forms, and checked in texts and files', async () => {
  const terms = await openTermList(
    [
      { source: 'invoice', target: 'Rechnung' },
      { source: 'invoice', target: 'Faktura', status: 'FORBIDDEN' },
    ],
    languages,
  )
  expect(terms.find('No invoices yet')).toEqual([
    { term: 'invoice', start: 3, end: 11, translations: ['Rechnung'], forbidden: ['Faktura'] },
  ])
  const texts = { source: 'No invoices yet', translation: 'Noch keine Fakturen', ...languages }
  expect(checkTranslation({ ...texts, terms })).toMatchObject([{ check: 'terms' }])
  const [source, translation] = [bytesOf(texts.source), bytesOf(texts.translation)]
  const { findings } = checkFile('a.txt', source, translation, { ...languages, terms })
  expect(findings).toMatchObject([{ id: '1', check: 'terms' }])
})

test('a finding has its remedy where there is one', () => {
  const texts = {
    source: 'Your order is done.',
    translation: 'Ihr Auftrag ist fertig',
    ...languages,
  }
  expect(checkTranslation(texts)).toMatchObject([
    { check: 'punctuation', fix: 'Ihr Auftrag ist fertig.' },
  ])
})

test('hidden placeholders are shown again', () => {
  const text = 'Hi {name}, <a href="x">see</a> https://example.org\n{{count}} times'
  const { text: hidden, codes } = hidePlaceholders(text)
  expect(hidden).not.toMatch(/[{<]/)
  expect(showPlaceholders(hidden, codes)).toBe(text)
  expect(showPlaceholders('⟦9⟧', codes)).toBe('⟦9⟧')
})
