/**
 * A delivered translation against its source, whatever their format: which keys, units,
 * placeholders and tags were lost or added. Pure; `judgeFile` of whole-files.ts calls it in a
 * worker. A new format gets it through its `read`.
 */

import type { CodePart, Part } from '../placeholders/part.ts'
import { buildParts } from '../placeholders/parts.ts'
import type { Segment } from './format.ts'

/**
 * `invalid` is why, and where, the delivery cannot be read; `warnings` are for the provider and the
 * reviewer.
 */
export type Judgement = { readonly invalid?: string; readonly warnings: readonly string[] }
export type KeyedText = { readonly key: string; readonly value: string }

/** Sentences of one delivery, and their length. */
const most = { warnings: 20, characters: 300, listed: 5, name: 80 } as const
export const notCompared = (because: string): string =>
  `It was not compared with its source: ${because}`

/** Compares key-value content, in either form of delivery. */
export function judgeFields(
  source: readonly KeyedText[],
  delivery: readonly KeyedText[],
): Judgement {
  const asUnits = (fields: readonly KeyedText[]): Unit[] =>
    fields.map(({ key, value }) => ({
      id: key,
      parts: buildParts([{ text: value }], (same) => same),
    }))
  return { warnings: bounded(compareUnits(asUnits(source), asUnits(delivery), 'key')) }
}

type Unit = { readonly id: string; readonly parts: readonly Part[] }

/** Without `codes`, tags and placeholders are compared only if the texts do not pair. */
export function compareSegments(
  before: readonly Segment[],
  after: readonly Segment[],
  { codes = true } = {},
): string[] {
  const isBilingual = after.some(({ target }) => target)
  const untranslated = isBilingual
    ? after.filter(({ target, held }) => !target && !held).map(({ id }) => id)
    : []
  const translated = after.map(({ id, parts, target }) => ({ id, parts: target ?? parts }))
  return bounded([
    ...sentenceOf('Without a translation', untranslated),
    ...(isNumbered(before) && before.length !== after.length
      ? [
          `The source has ${before.length} segments, the translation ${after.length}.`,
          ...compareCodes(
            '',
            [{ id: '', parts: before.flatMap(({ parts }) => parts) }],
            [{ id: '', parts: translated.flatMap(({ parts }) => parts) }],
          ),
        ]
      : compareUnits(
          withoutForms(before, translated),
          withoutForms(translated, before),
          'unit',
          codes,
        )),
  ])
}

const forms: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many'])

/**
 * Plural forms differ by language: if both sides have `other`, a form that only one side has is no
 * difference.
 */
function withoutForms(units: readonly Unit[], others: readonly Unit[]): readonly Unit[] {
  const [own, there] = [new Set(units.map(({ id }) => id)), new Set(others.map(({ id }) => id))]
  return units.filter(({ id }) => {
    const cut = Math.max(id.lastIndexOf('/'), id.lastIndexOf('_'))
    if (there.has(id) || !forms.has(id.slice(cut + 1))) return true
    const other = `${id.slice(0, cut + 1)}other`
    return !own.has(other) || !there.has(other)
  })
}

/** Numbered ids do not tell which segment was lost, so such a file is compared as a whole. */
const isNumbered = (segments: readonly Unit[]): boolean =>
  segments.length > 0 &&
  segments.every(
    ({ id }) => id !== '' && [...id].every((one, at) => isDigit(one) || (at === 0 && one === 's')),
  )
const isDigit = (character: string): boolean => character >= '0' && character <= '9'

function compareUnits(
  before: readonly Unit[],
  after: readonly Unit[],
  what: string,
  codes = true,
): string[] {
  const [was, is] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))]
  return [
    ...sentenceOf(
      `Lost ${what}s`,
      [...was].filter((id) => !is.has(id)),
    ),
    ...sentenceOf(
      `Added ${what}s`,
      [...is].filter((id) => !was.has(id)),
    ),
    ...(codes ? compareCodes(what, before, after) : []),
  ]
}

function compareCodes(what: string, before: readonly Unit[], after: readonly Unit[]): string[] {
  const translated = new Map(after.map(({ id, parts }) => [id, parts]))
  return before.flatMap(({ id, parts }) => {
    const other = translated.get(id)
    if (!other) return []
    const [was, is] = [tally(parts), tally(other)]
    const where = id === '' ? '' : ` in the ${what} "${short(id)}"`
    return [
      ...sentenceOf(`Lost${where}`, more(was, is)),
      ...sentenceOf(`Added${where}`, more(is, was)),
    ]
  })
}

/**
 * How often each code occurs. Plural branches differ by language, so in a plural each code counts
 * once.
 */
function tally(parts: readonly Part[]): Map<string, number> {
  const hasBranches = parts.some((part) => part.type === 'code' && part.kind === 'icu')
  const counts = new Map<string, number>()
  for (const part of parts) {
    const name = part.type === 'code' ? nameOf(part) : undefined
    if (name !== undefined) counts.set(name, hasBranches ? 1 : (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/**
 * Attributes may be translated, so a tag is compared by name and id. URLs, entities and line ends
 * are not compared.
 */
export function nameOf({ kind, raw }: CodePart): string | undefined {
  if (kind === 'placeholder') return raw === '#' ? undefined : raw
  if (kind === 'icu')
    return raw.includes(',') ? `${raw.slice(0, raw.indexOf(',')).trim()}, …}` : undefined
  if (!kind.startsWith('tag') || raw.startsWith('<!')) return undefined
  if (!raw.startsWith('<')) return inWords(kind, raw)
  if (raw.startsWith('</w:') || raw.startsWith('</a:') || raw.startsWith('</x:'))
    return 'a change of formatting'
  const name = raw.slice(0, endOfName(raw))
  const id = raw.indexOf(' id="')
  return id < 0 ? `${name}>` : `${name} id="${raw.slice(id + 5, raw.indexOf('"', id + 5))}">`
}

const emphasis: Readonly<Record<string, string>> = {
  '*': 'italics',
  _: 'italics',
  '**': 'bold',
  __: 'bold',
  '***': 'bold italics',
  '~~': 'strikethrough',
}

/** The marks of Markdown, which mean little by themselves. */
function inWords(kind: CodePart['kind'], raw: string): string {
  const name = emphasis[raw]
  if (name !== undefined) return `${name} (${raw})`
  const what = raw.startsWith('!') ? 'an image' : 'a link'
  if (raw === '[' || raw === '![') return `the start of ${what} (${raw})`
  return kind === 'tag-close' && raw.startsWith(']') ? `the end of a link (${raw})` : raw
}

function endOfName(raw: string): number {
  let at = raw.startsWith('</') ? 2 : 1
  while (at < raw.length && !' \t\r\n/>'.includes(raw.charAt(at))) at += 1
  return at
}

const more = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string[] =>
  [...one].filter(([name, count]) => count > (other.get(name) ?? 0)).map(([name]) => name)

function sentenceOf(says: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const listed = names.slice(0, most.listed).map(short)
  const rest = names.length - listed.length
  return [`${says}: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`]
}

const short = (name: string): string => cut(name, most.name)
const cut = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).toWellFormed()

export function bounded(sentences: readonly string[]): string[] {
  const kept = sentences.slice(0, most.warnings).map((one) => cut(one, most.characters))
  const rest = sentences.length - kept.length
  return rest > 0 ? [...kept.slice(0, -1), `And ${rest + 1} more differences.`] : kept
}
