import { describe, expect, test } from 'vitest'
import { renderPreview, sentencePage } from './render-preview.ts'

const marks = ['qxbeginxq', 'qxendxq'] as const
const [from, to] = marks
const mark = '<mark id="segment" style="background:#ffe58a;color:#171a21">'
const html = (text: string, charset: BufferEncoding = 'utf8') =>
  renderPreview({
    content: { bytes: Buffer.from(text, charset), isHtml: true },
    language: 'de-DE',
    marks,
  })
const text = (content: string) =>
  renderPreview({
    content: { bytes: Buffer.from(content), isHtml: false },
    language: 'de-DE',
    marks,
  })

describe('the place of a segment', () => {
  test.each([
    {
      name: 'in text',
      given: `<p>${from}Eins <b>zwei</b>${to}</p>`,
      shown: `<p>${mark}Eins <b>zwei</b></mark></p>`,
    },
    {
      name: 'in an attribute: before its tag',
      given: `<p>A <img alt="${from}Bild${to}"></p>`,
      shown: `<p>A ${mark}</mark><img alt="Bild"></p>`,
    },
    {
      name: 'nowhere in a title',
      given: `<head><title>${from}T${to}</title></head>`,
      shown: '<head><title>T</title></head>',
    },
    {
      name: 'nowhere in the head',
      given: `<head><meta name="description" content="${from}T${to}"></head><p>x</p>`,
      shown: '<head><meta name="description" content="T"></head><p>x</p>',
    },
    {
      name: 'nowhere in an option',
      given: `<option>${from}T${to}</option>`,
      shown: '<option>T</option>',
    },
    {
      name: 'after a head',
      given: `<head></head><p>${from}T${to}</p>`,
      shown: `<head></head><p>${mark}T</mark></p>`,
    },
    { name: 'nowhere if it is not there', given: '<p>x</p>', shown: '<p>x</p>' },
  ])('of HTML $name', ({ given, shown }) => {
    expect(html(given)).toBe(shown)
  })

  test('of text is marked once, and text stays text', () => {
    const shown = text(`a = "${from}<b>${to}"\nb = "${from}<b>${to}"`)
    expect(shown).toContain(
      `a = &quot;${mark}&lt;b&gt;</mark>&quot;\nb = &quot;&lt;b&gt;&quot;</pre>`,
    )
    expect(shown).not.toMatch(/qx/)
  })

  test('of fields', () => {
    const fields = [
      { key: 'a<', value: 'one' },
      { key: 'b', value: `${from}two${to}` },
    ]
    expect(renderPreview({ content: { fields }, language: 'ar', marks })).toContain(
      `<dt>a&lt;</dt><dd>one</dd>\n<dt>b</dt><dd>${mark}two</mark></dd>`,
    )
  })
})

test('a page in another charset is decoded', () => {
  const page = '<meta charset="iso-8859-1"><p>Grüße</p>'
  expect(html(page, 'latin1')).toBe(page)
})

test('a document that is a ZIP has no preview', () => {
  expect(text('PK\u0003\u0004 and so on')).toBeUndefined()
})

test('a sentence is text', () => {
  expect(sentencePage('<script>')).toContain('<p>&lt;script&gt;</p>')
})
