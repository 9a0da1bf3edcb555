/**
 * What all formats share. A format says where its segments are and how to write a text there; decoding, limits, ids and splicing
 * happen here. Everything outside the changed places is copied.
 */
import type { FormatId } from '@dragoman/contract/wire'
import { bounds, mustFitBytes, mustFitSegments } from './bounds.ts'
import { type Charset, type CharsetRules, type Decoded, decode, encode, utf8 } from './charset.ts'
import type { Format, OpenFile, Part, ReadOptions, Segment, Target, Translations } from './format.ts'
import { FormatError } from './format-error.ts'
import { buildParts, hasText, isPlainPart, sameParts } from './parts.ts'
import type { Piece, ProtectOptions } from './protect.ts'

export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** A segment as found by its format. */
export type Place = {
  /** By default the number of the segment. */
  readonly id?: string
  readonly pieces: readonly Piece[]
  /** The existing translation in a bilingual file; empty if there is none. */
  readonly target?: readonly Piece[]
  /** Keep the existing translation. */
  readonly held?: boolean
  readonly start: number
  readonly end: number
  /** Escapes a text for this place. */
  readonly spell: (text: string) => string
  /** Text to write before and after the translation, such as a missing element. */
  readonly around?: readonly [before: string, after: string]
  /** Places with the same value are written all or none, because together they make one element. */
  readonly together?: string
  /** Changes the escaped translation as a last step. `group` holds the texts of all places that are written together, including this one. */
  readonly compose?: ((written: string, target: Target, group: readonly string[]) => string) | undefined
  /** Character references are not possible here (CDATA). */
  readonly verbatim?: boolean
  /** Further edits when this place is written. Equal edits from several places are made once. */
  readonly also?: (target: Target, written: string) => readonly Edit[]
}

export type FormatRules<Id extends FormatId = FormatId> = {
  readonly id: Id
  readonly charset: CharsetRules
  readonly protects?: ProtectOptions
  readonly bilingual?: boolean
  /** A file holds many languages; where a translation goes depends on its language. */
  readonly multilingual?: boolean
  /** Writes a character that the charset of the file lacks. Without it, such a file is written as UTF-8. */
  readonly refer?: (character: string) => string
  readonly find: (text: string, options: ReadOptions) => Place[]
  /** Edits that set the target language, and the charset if the file had to become UTF-8. */
  readonly retarget?: (text: string, target: Target, isUtf8Now: boolean) => readonly Edit[]
}

/** A format that other formats can embed: `find` returns the places in a text. */
export type OpenFormat<Id extends FormatId> = Format & Pick<FormatRules<Id>, 'id' | 'find'>

export function defineFormat<Id extends FormatId>(rules: FormatRules<Id>): OpenFormat<Id> {
  const open = (bytes: Uint8Array, options: ReadOptions = {}): OpenFile => {
    mustFitBytes(bytes.length, rules.id)
    const decoded = decode(bytes, rules.charset)
    const found = findSegments(rules, decoded.text, options)
    return {
      segments: found.segments,
      write: (translations, target) => {
        const { targetLanguage } = target
        if (rules.multilingual && options.targetLanguage !== targetLanguage)
          return open(bytes, { ...options, targetLanguage }).write(translations, target)
        const edits = editsOf(found, translationsOf(found.segments, translations), target)
        if (edits.length === 0) return bytes
        return save(rules, decoded, edits, target)
      },
    }
  }
  return {
    id: rules.id,
    find: rules.find,
    open,
    read: (bytes, options) => open(bytes, options).segments,
    write: (bytes, translations, target, options) => open(bytes, options).write(translations, target),
  }
}

/** Each place with its segment at the same index: a large file has hundreds of thousands, and an object for each pair costs time. */
type Found = { readonly places: Place[]; readonly segments: Segment[] }

function findSegments(rules: FormatRules, text: string, options: ReadOptions): Found {
  const seen = new Map<string, number>()
  const places: Place[] = []
  const segments: Segment[] = []
  for (const place of rules.find(text, options)) {
    const { pieces, spell } = place
    const parts = isPlainPart(pieces) ? pieces : buildParts(pieces, spell, rules.protects)
    if (!hasText(parts) && !(rules.bilingual && parts.some(({ type }) => type === 'code'))) continue
    mustFitSegments(segments.length + 1)
    const isNamed = place.id !== undefined && place.id.length <= bounds.idLength
    const base = isNamed ? place.id : `s${segments.length + 1}`
    const count = (seen.get(base) ?? 0) + 1
    seen.set(base, count)
    const id = count === 1 ? base : `${base}~~${count}`
    const { start, end } = place
    const target = place.target?.length ? buildParts(place.target, spell, rules.protects) : undefined
    const held = place.held && ({ held: true } as const)
    places.push(place)
    segments.push(
      target || held ? { id, parts, ...(target && { target }), ...held, start, end } : { id, parts, start, end },
    )
  }
  return { places, segments }
}

/** Escapes a name in an id, so that `~~`, which marks numbered duplicates, is never part of one. */
export const escapeId = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name

type Given = readonly (readonly Part[] | undefined)[]

/** The translation of each segment. */
function translationsOf(segments: readonly Segment[], translations: Translations): Given {
  // Ids are unique, so counting those that have a translation tells whether another is named.
  let count = 0
  const given = segments.map(({ id }) => {
    const translation = translations.get(id)
    if (translation) count += 1
    return translation
  })
  if (count === translations.size) return given
  const known = new Set(segments.map(({ id }) => id))
  for (const id of translations.keys())
    if (!known.has(id)) throw new FormatError('UNKNOWN_SEGMENT', `The file has no segment "${id}".`)
  return given
}

function editsOf({ places, segments }: Found, given: Given, target: Target): Spelled[] {
  const changed = segments.map((segment, at) => {
    const translation = given[at]
    if (!translation) return false
    return !sameParts(translation, places[at]?.target === undefined ? segment.parts : (segment.target ?? []))
  })
  const groups = new Map<string, string[]>()
  places.forEach(({ together }, at) => {
    if (together && changed[at]) groups.set(together, [])
  })
  const texts = places.map((place, at) => {
    const group = place.together ? groups.get(place.together) : undefined
    const segment = segments[at]
    if (!segment || !(group ?? changed[at])) return undefined
    const said = render(place, segment.id, given[at] ?? segment.parts)
    const text = place.around ? place.around[0] + said + place.around[1] : said
    group?.push(text)
    return text
  })
  const edits: Spelled[] = []
  const also = new Map<string, Edit>()
  places.forEach((place, at) => {
    const said = texts[at]
    if (said === undefined) return
    const group = place.compose && ((place.together && groups.get(place.together)) || [said])
    const text = place.compose && group ? place.compose(said, target, group) : said
    for (const edit of place.also?.(target, text) ?? []) also.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
    edits.push({ start: place.start, end: place.end, text, verbatim: place.verbatim })
  })
  for (const edit of also.values()) edits.push(edit)
  return edits
}

function render(place: Place, id: string, parts: readonly Part[]): string {
  const only = parts[0]
  if (parts.length === 1 && only?.type === 'text') return spelled(place, id, only.text)
  return parts.map((part) => (part.type === 'code' ? part.raw : spelled(place, id, part.text))).join('')
}

function spelled(place: Place, id: string, text: string): string {
  const written = place.spell(text)
  if (written.isWellFormed()) return written
  throw new FormatError('UNREPRESENTABLE', `The translation of "${id}" holds half a character (a lone surrogate).`)
}

type Spelled = Edit & { readonly verbatim?: boolean | undefined }

function save(rules: FormatRules, decoded: Decoded, edits: readonly Spelled[], target: Target): Uint8Array {
  const { charset, text, bom } = decoded
  const isUtf8Now = !rules.refer && edits.some((edit) => !canWrite(charset, edit.text))
  const more = rules.retarget?.(text, target, isUtf8Now) ?? []
  const all = more.length > 0 ? [...edits, ...more] : edits
  if (isUtf8Now || !charset.has) return encode(splice(text, all), { charset: isUtf8Now ? utf8 : charset, bom })
  return encode(
    splice(
      text,
      all.map((edit) => ({ ...edit, text: fit(charset, edit, rules.refer) })),
    ),
    decoded,
  )
}

const canWrite = ({ has }: Charset, text: string): boolean => !has || [...text].every(has)

function fit({ has, name }: Charset, edit: Spelled, refer?: (character: string) => string): string {
  if (!has || !refer) return edit.text
  return Array.from(edit.text, (character) => {
    if (has(character)) return character
    if (!edit.verbatim) return refer(character)
    throw new FormatError('UNREPRESENTABLE', `"${character}" cannot be written inside CDATA in ${name}; use UTF-8.`)
  }).join('')
}

/** Applies the edits. Insertions at a position come before a replacement there, in their order. */
function splice(text: string, edits: readonly Edit[]): string {
  const inOrder = (one: Edit, other: Edit): number => one.start - other.start || one.end - other.end
  const isSorted = edits.every((edit, at) => {
    const before = edits[at - 1]
    return !before || inOrder(before, edit) <= 0
  })
  const out: string[] = []
  let from = 0
  for (const edit of isSorted ? edits : [...edits].sort(inOrder)) {
    out.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  out.push(text.slice(from))
  return out.join('')
}
