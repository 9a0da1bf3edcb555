/**
 * Android's `strings.xml`: strings, the items of plurals and of string arrays. References to other
 * resources stay; what is `translatable="false"` is in no translation. Quantities that only the target
 * language has are added as copies of `other`.
 */

import type { Piece } from '../../placeholders/protect.ts'
import { pluralCategories } from '../../plurals/plural-categories.ts'
import { type About, aboutOf, lengthOf } from '../about.ts'
import { defineFormat, type Edit, escapeId, type SegmentPlace } from '../define-format.ts'
import { layoutBefore, markup, raw } from '../xml/xml-content.ts'
import { childrenOf, type Element, eachOfRoot } from '../xml/xml-elements.ts'
import { commentsBefore } from '../xml/xml-notes.ts'
import { scanXml, type Xml } from '../xml/xml-scan.ts'
import { attributeOf, attributesOf, nameOf } from '../xml/xml-tags.ts'
import {
  readCdata,
  readCharacters,
  refer,
  type Spellings,
  spellCdata,
  spellText,
  xmlCharset,
} from '../xml/xml-text.ts'
import { type Escapes, readEscapes, spellEscapes } from './android-text.ts'

export const android = defineFormat({
  id: 'android',
  charset: { declared: xmlCharset, fallsBack: false },
  refer,
  find: function* (text) {
    const xml = scanXml(text)
    for (const child of eachOfRoot(xml)) yield* placesIn(xml, child)
  },
  /** A translation that repeats what is not translatable is an error to Android's lint. */
  retarget: (text): Edit[] => {
    if (!text.includes('translatable')) return []
    const xml = scanXml(text)
    const edits: Edit[] = []
    for (const child of eachOfRoot(xml)) {
      const [open, close] = [xml.tokens[child.open], xml.tokens[child.close]]
      if (!open || !close || !isFixed(child)) continue
      const start = open.start - layoutBefore(text, open.start).length
      edits.push({ start, end: close.end, text: '' })
    }
    return edits
  },
})

const isFixed = ({ tag }: Element): boolean => attributeOf(tag, 'translatable') === 'false'

/**
 * The comments before it. A limit is an attribute `maxLength`, or `[CHAR LIMIT=30]` in a comment.
 */
function aboutResource(xml: Xml, element: Element): About {
  const notes = commentsBefore(xml, element)
  const said = attributesOf(element.tag).find(({ name }) =>
    /^(?:\w{1,32}:)?max_?length$/i.test(name),
  )?.value
  const noted = notes.map(
    (note) => /\[\s{0,4}CHAR[ _]LIMIT\s{0,4}[=:]\s{0,4}(\d{1,7})/i.exec(note)?.[1],
  )
  return aboutOf(notes, lengthOf(said) ?? lengthOf(noted.findLast((one) => one)))
}

function placesIn(xml: Xml, element: Element): SegmentPlace[] {
  const name = escapeId(attributeOf(element.tag, 'name') ?? '')
  if (isFixed(element)) return []
  const about = () => aboutResource(xml, element)
  if (element.local === 'string') return placesOf(xml, { id: `string/${name}`, about }, element)
  const items = childrenOf(xml, element).filter(({ local }) => local === 'item')
  if (element.local === 'string-array')
    return items.flatMap((item, at) => placesOf(xml, { id: `array/${name}/${at}`, about }, item))
  if (element.local !== 'plurals') return []
  const quantities = items.map(({ tag }) => attributeOf(tag, 'quantity') ?? '')
  return items.flatMap((item, at) => {
    const quantity = quantities[at] ?? ''
    const places = placesOf(xml, { id: `plurals/${name}/${escapeId(quantity)}`, about }, item)
    const [place] = places
    if (quantity !== 'other' || !place || places.length > 1) return places
    return [{ ...place, also: addItems(xml, item, quantities, place) }]
  })
}

/** Goes before `other`, each on its own line if `other` is. */
function addItems(
  { text, tokens }: Xml,
  item: Element,
  quantities: readonly string[],
  { start, end }: SegmentPlace,
): NonNullable<SegmentPlace['also']> {
  return ({ targetLanguage }, written) => {
    const [open, close] = [tokens[item.open], tokens[item.close]]
    const missing = pluralCategories(targetLanguage).filter(
      (category) => !quantities.includes(category),
    )
    if (!open || !close || missing.length === 0) return []
    const content = text.slice(open.end, start) + written + text.slice(end, close.start)
    const layout = layoutBefore(text, open.start)
    const tagOf = (category: string) =>
      item.tag.replace(/(\squantity\s*=\s*["'])other/, `$1${category}`)
    const items = missing.map((category) => tagOf(category) + content + raw(text, close) + layout)
    return [{ start: open.start, end: open.start, text: items.join('') }]
  }
}

type Named = Required<Pick<SegmentPlace, 'id' | 'about'>>

/** One place for the whole content, or one for each run of text around CDATA. */
function placesOf(xml: Xml, named: Named, element: Element): SegmentPlace[] {
  const { tokens } = xml
  const places: SegmentPlace[] = []
  let begun = element.open + 1
  for (let at = begun; at <= element.close; at++) {
    const isCdata = tokens[at]?.kind === 'cdata'
    if (at < element.close && !isCdata) continue
    const stretch = placeOf(xml, named, begun, at)
    if (stretch) places.push(stretch)
    const cdata = isCdata ? placeOf(xml, named, at, at + 1) : undefined
    if (cdata) places.push(cdata)
    begun = at + 1
  }
  return places
}

function placeOf(
  { text, tokens, closing }: Xml,
  { id, about }: Named,
  from: number,
  to: number,
): SegmentPlace | undefined {
  const [first, last] = [tokens[from], tokens[to - 1]]
  if (!first || !last || from >= to) return undefined
  const verbatim = first.kind === 'cdata'
  const whole = text.slice(first.start + (verbatim ? 9 : 0), last.end - (verbatim ? 3 : 0))
  let words = whole.trim()
  let start = first.start + (verbatim ? 9 : 0) + whole.indexOf(words)
  if (words === '' || isReference(words)) return undefined
  if (first.kind === 'text' && to - from === 1 && !/[\\"&\t\r\n]| {2}/.test(words))
    return {
      id,
      pieces: [{ type: 'text', text: words }],
      start,
      end: start + words.length,
      spell: spellPlain,
      compose: guardStart,
      about,
    }
  const quoted = isQuoted(words)
  if (quoted) {
    start += 1
    words = words.slice(1, -1)
  }
  const end = start + words.length
  const [spellings, escapes]: [Spellings, Escapes] = [new Map(), new Map()]
  const read = (pieces: readonly Piece[]) =>
    pieces.flatMap((piece) =>
      'text' in piece ? readEscapes(piece.text, quoted, escapes) : [piece],
    )
  const pieces: Piece[] = verbatim ? read([{ text: readCdata(words) }]) : []
  for (let at = from; at < to && !verbatim; at++) {
    const token = tokens[at]
    const [begin, stop] = [Math.max(token?.start ?? 0, start), Math.min(token?.end ?? 0, end)]
    if (!token || begin >= stop) continue
    if (token.kind === 'text')
      for (const one of read(readCharacters(text.slice(begin, stop), spellings))) pieces.push(one)
    else if (token.kind === 'open' && nameOf(raw(text, token)) === 'xliff:g') {
      at = closing[at] ?? at
      pieces.push({ kind: 'tag-empty', raw: text.slice(token.start, tokens[at]?.end) })
    } else pieces.push(markup(text, token))
  }
  const withEscapes = (said: string) => spellEscapes(said, quoted, escapes)
  const spell = verbatim
    ? (said: string) => spellCdata(withEscapes(said))
    : (said: string) => spellText(withEscapes(said), spellings)
  return {
    id,
    pieces,
    start,
    end,
    spell,
    verbatim,
    compose: quoted ? undefined : guardStart,
    about,
  }
}

const none: ReadonlyMap<string, string> = new Map()
/** Most strings: without escapes, references, tags and blanks that collapse. */
const spellPlain = (said: string) => spellText(spellEscapes(said, false, none), none)

/** Escapes a text that starts like a reference. */
const guardStart = (written: string): string => (/^[@?]/.test(written) ? `\\${written}` : written)

const isReference = (words: string): boolean =>
  /^@(?:\+?[\w.:*]{1,128}\/|null$|empty$)|^\?[\w.:]{1,128}\/\w/.test(words)

/** Whether it starts and ends with a quote and has no unescaped quote in between. */
function isQuoted(words: string): boolean {
  if (words.length < 2 || !words.startsWith('"') || !words.endsWith('"')) return false
  for (let at = 1; at < words.length - 1; at++) {
    if (words[at] === '\\') at += 1
    else if (words[at] === '"' || words[at] === '<') return false
  }
  return words[words.length - 2] !== '\\' || words[words.length - 3] === '\\'
}
