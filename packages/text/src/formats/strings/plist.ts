/**
 * Apple's property lists with texts: `.strings` as XML, and `.stringsdict` with plural forms. Forms
 * that only the target language has are added as copies of `other`.
 */

import { pluralCategories } from '../../plurals/plural-categories.ts'
import { defineFormat, escapeId, type SegmentPlace } from '../define-format.ts'
import { insideOf, layoutBefore, placesOf } from '../xml/xml-content.ts'
import { childrenOf, type Element, eachOfRoot } from '../xml/xml-elements.ts'
import { scanXml, type Xml } from '../xml/xml-scan.ts'
import { readCharacters, refer, sourceOf, xmlCharset } from '../xml/xml-text.ts'

const rules = {
  charset: { declared: xmlCharset, fallsBack: false },
  protects: { newlines: true },
  refer,
  find: function* (text: string): Generator<SegmentPlace> {
    const xml = scanXml(text)
    for (const value of eachOfRoot(xml)) yield* read(xml, '', value)
  },
}
export const applePlist = defineFormat({ ...rules, id: 'apple-plist' })
export const stringsdict = defineFormat({ ...rules, id: 'stringsdict' })

/** Keys that define the format of a variable. */
const types = new Set(['NSStringFormatSpecTypeKey', 'NSStringFormatValueTypeKey'])

function* read(xml: Xml, path: string, value: Element): Generator<SegmentPlace> {
  if (value.local === 'string') yield* placesOf(xml, { id: path.slice(1) }, insideOf(value))
  if (value.local === 'array')
    for (const [at, one] of childrenOf(xml, value).entries()) yield* read(xml, `${path}/${at}`, one)
  if (value.local !== 'dict') return
  const entries = entriesOf(xml, value)
  const keys = entries.map(({ key }) => key)
  const isVariable = keys.some((key) => types.has(key))
  for (const entry of entries) {
    if (types.has(entry.key)) continue
    const found = read(xml, `${path}/${escapeId(entry.key)}`, entry.value)
    const isPlural = isVariable && entry.key === 'other' && entry.value.local === 'string'
    yield* isPlural ? withForms(xml, entry, keys, [...found]) : found
  }
}

/** The forms go where the text of `other` is one place. */
function withForms(
  xml: Xml,
  entry: Entry,
  keys: readonly string[],
  places: readonly SegmentPlace[],
): readonly SegmentPlace[] {
  const [place] = places
  return place && places.length === 1
    ? [{ ...place, also: addForms(xml, entry, keys, place) }]
    : places
}

type Entry = { readonly key: string; readonly name: Element; readonly value: Element }

function entriesOf(xml: Xml, dict: Element): Entry[] {
  const entries: Entry[] = []
  let name: Element | undefined
  for (const child of childrenOf(xml, dict)) {
    if (child.local === 'key') name = child
    else if (name) {
      entries.push({ key: textOf(xml, name), name, value: child })
      name = undefined
    }
  }
  return entries
}

function textOf({ text, tokens }: Xml, { open, close }: Element): string {
  if (open === close) return ''
  return sourceOf(readCharacters(text.slice(tokens[open]?.end, tokens[close]?.start), new Map()))
}

/** Goes before `other`, with the same line ends and indentation. */
function addForms(
  { text, tokens }: Xml,
  { name, value }: Entry,
  keys: readonly string[],
  { start, end }: SegmentPlace,
): NonNullable<SegmentPlace['also']> {
  return ({ targetLanguage }, written) => {
    const [begin, stop] = [tokens[name.open]?.start ?? 0, tokens[value.close]?.end ?? 0]
    const layout = layoutBefore(text, begin)
    const other = text.slice(begin, start) + written + text.slice(end, stop)
    const missing = pluralCategories(targetLanguage).filter((category) => !keys.includes(category))
    if (missing.length === 0) return []
    const forms = missing.map(
      (category) => other.replace(/^(<key>)\s*other\s*/, `$1${category}`) + layout,
    )
    return [{ start: begin, end: begin, text: forms.join('') }]
  }
}
