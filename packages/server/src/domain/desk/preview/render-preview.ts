/**
 * A translation as a page to look at: HTML as it is, other text between `<pre>`, keys and values as
 * a list. The place of a segment is an element with the id `segment`, where its text may have one.
 * Pure, and run in a worker (preview-page.ts). The page is not safe by itself: it is only ever
 * shown in a frame without scripts and without a network.
 */
import { decode, type HtmlToken, htmlCharset, scanHtml } from '@dragoman/text/formats'

export type Previewed = {
  readonly content:
    | { readonly bytes: Uint8Array; readonly isHtml: boolean }
    | { readonly fields: readonly { readonly key: string; readonly value: string }[] }
  readonly language: string
  /** What stands before and behind the text of the segment. */
  readonly marks?: Marks
}
export type Marks = readonly [begin: string, end: string]

const begin = '<mark id="segment" style="background:#ffe58a;color:#171a21">'
const end = '</mark>'
/** Elements whose text is not laid out, or cannot hold an element. */
const plain = new Set(['title', 'textarea', 'option', 'script', 'style', 'select'])

/** Undefined if it is no text. */
export function renderPreview({ content, language, marks }: Previewed): string | undefined {
  if ('fields' in content) {
    const rows = content.fields.map(
      ({ key, value }) => `<dt>${escaped(key)}</dt><dd>${escaped(value)}</dd>`,
    )
    return pageOf(inText(`<dl>${rows.join('\n')}</dl>`, marks), language)
  }
  const { bytes, isHtml } = content
  // A ZIP, which documents of an office are.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) return undefined
  const { text } = decode(bytes, { fallsBack: true, ...(isHtml && { declared: htmlCharset }) })
  if (isHtml) return inHtml(text, marks)
  return pageOf(`<pre>${inText(escaped(text), marks)}</pre>`, language)
}

const pageOf = (body: string, language: string): string =>
  `<!doctype html><html lang="${escaped(language)}"><meta charset="utf-8"><title>Preview</title>${look}<body dir="auto">${body}</body></html>`

const look =
  '<style>body{font:15px/1.6 system-ui,sans-serif;margin:16px;background:#fff;color:#171a21}' +
  'pre{font:13px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}' +
  'dt{font:12px/1.6 ui-monospace,monospace;color:#4a5262}dd{margin:0 0 12px;white-space:pre-wrap}</style>'

/** A page that says one sentence. */
export const sentencePage = (sentence: string): string =>
  pageOf(`<p>${escaped(sentence)}</p>`, 'en')

/**
 * Text may be written in several places, such as the forms of a plural: the first one is marked.
 */
function inText(text: string, marks: Marks | undefined): string {
  if (!marks) return text
  const [from, to] = marks
  return without(text.replace(from, begin).replace(to, end), marks)
}

const without = (text: string, [from, to]: Marks): string =>
  text.replaceAll(from, '').replaceAll(to, '')

function inHtml(text: string, marks: Marks | undefined): string {
  if (!marks) return text
  const [from, to] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  if (from < 0 || to < 0) return without(text, marks)
  const place = placeIn(scanHtml(text), from)
  if (place === 'text') return inText(text, marks)
  const before = without(text.slice(0, place ?? from), marks)
  return (
    before +
    (place === undefined ? '' : `${begin}${end}`) +
    without(text.slice(place ?? from), marks)
  )
}

/** Where an element can be put: around the text, else before this offset, or nowhere. */
function placeIn(tokens: readonly HtmlToken[], at: number): 'text' | number | undefined {
  let isHead = false
  let around: string | undefined
  for (const token of tokens) {
    if (token.start > at) break
    if (token.kind === 'open' && token.end > at) return isHead ? undefined : token.start
    if (token.kind === 'open' && plain.has(token.name)) around = token.name
    if (token.kind === 'close' && token.name === around) around = undefined
    if (token.kind === 'open' || token.kind === 'close')
      isHead = token.name === 'head' ? token.kind === 'open' : isHead && token.name !== 'body'
    if (token.kind === 'text' && token.end > at)
      return around === undefined && !isHead ? 'text' : undefined
  }
  return undefined
}

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => names[mark] ?? mark)
