/**
 * What all formats share. A format says where its segments are and how to write a text there; decoding, limits, ids and splicing
 * happen here. Everything outside the changed places is copied.
 */
import type { FormatId } from '@dragoman/contract/wire'
import { bounds, mustFitBytes, mustFitSegments } from './bounds.ts'
import { type Charset, type CharsetRules, type Decoded, decode, encode, utf8 } from './charset.ts'
import type { Format, OpenFile, Part, ReadOptions, Segment, Target, Translations } from './format.ts'
import { FormatError } from './format-error.ts'
import { buildParts, hasText, sameParts } from './parts.ts'
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
      segments: found.map(({ segment }) => segment),
      write: (translations, target) => {
        const { targetLanguage } = target
        if (rules.multilingual && options.targetLanguage !== targetLanguage)
          return open(bytes, { ...options, targetLanguage }).write(translations, target)
        mustKnow(found, translations)
        const edits = editsOf(found, translations, target)
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

type Found = { readonly place: Place; readonly segment: Segment }

function findSegments(rules: FormatRules, text: string, options: ReadOptions): Found[] {
  const seen = new Map<string, number>()
  const found: Found[] = []
  for (const place of rules.find(text, options)) {
    const parts = buildParts(place.pieces, place.spell, rules.protects)
    if (!hasText(parts) && !(rules.bilingual && parts.some(({ type }) => type === 'code'))) continue
    mustFitSegments(found.length + 1)
    const isNamed = place.id !== undefined && place.id.length <= bounds.idLength
    const base = isNamed ? place.id : `s${found.length + 1}`
    const count = (seen.get(base) ?? 0) + 1
    seen.set(base, count)
    const target = place.target?.length ? buildParts(place.target, place.spell, rules.protects) : undefined
    const id = count === 1 ? base : `${base}~~${count}`
    const { start, end } = place
    const held = place.held && ({ held: true } as const)
    found.push({ place, segment: { id, parts, ...(target && { target }), ...held, start, end } })
  }
  return found
}

/** Escapes a name in an id, so that `~~`, which marks numbered duplicates, is never part of one. */
export const escapeId = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function mustKnow(found: readonly Found[], translations: Translations): void {
  // Ids are unique, so counting those that have a translation tells whether another is named.
  let count = 0
  for (const { segment } of found) if (translations.has(segment.id)) count += 1
  if (count === translations.size) return
  const known = new Set(found.map(({ segment }) => segment.id))
  for (const id of translations.keys())
    if (!known.has(id)) throw new FormatError('UNKNOWN_SEGMENT', `The file has no segment "${id}".`)
}

function editsOf(found: readonly Found[], translations: Translations, target: Target): Edit[] {
  const changes = ({ place, segment }: Found): boolean => {
    const translation = translations.get(segment.id)
    if (!translation) return false
    return !sameParts(translation, place.target === undefined ? segment.parts : (segment.target ?? []))
  }
  const groups = new Set(found.flatMap((one) => (one.place.together && changes(one) ? [one.place.together] : [])))
  const written = found
    .filter((one) => (one.place.together ? groups.has(one.place.together) : changes(one)))
    .map(({ place, segment }) => {
      const [before, after] = place.around ?? ['', '']
      return { place, text: before + render(place, segment.id, translations.get(segment.id) ?? segment.parts) + after }
    })
  const together = new Map<string, string[]>()
  for (const { place, text } of written) {
    if (!place.together) continue
    const group = together.get(place.together)
    if (group) group.push(text)
    else together.set(place.together, [text])
  }
  const also = new Map<string, Edit>()
  const own = written.map(({ place, text: said }) => {
    const text = place.compose?.(said, target, together.get(place.together ?? '') ?? [said]) ?? said
    for (const edit of place.also?.(target, text) ?? []) also.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
    return { start: place.start, end: place.end, text, verbatim: place.verbatim }
  })
  return [...own, ...also.values()]
}

function render(place: Place, id: string, parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.type === 'code') return part.raw
      const spelled = place.spell(part.text)
      if (spelled.isWellFormed()) return spelled
      throw new FormatError('UNREPRESENTABLE', `The translation of "${id}" holds half a character (a lone surrogate).`)
    })
    .join('')
}

type Spelled = Edit & { readonly verbatim?: boolean | undefined }

function save(rules: FormatRules, decoded: Decoded, edits: readonly Spelled[], target: Target): Uint8Array {
  const { charset, text, bom } = decoded
  const isUtf8Now = !rules.refer && edits.some((edit) => !canWrite(charset, edit.text))
  const all = [...edits, ...(rules.retarget?.(text, target, isUtf8Now) ?? [])]
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
  const sorted = [...edits].sort((one, other) => one.start - other.start || one.end - other.end)
  const out: string[] = []
  let from = 0
  for (const edit of sorted) {
    out.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  out.push(text.slice(from))
  return out.join('')
}
