/**
 * What all formats share: a format says where its segments lie and how a text is spelled there; decoding, limits, ids and
 * the splice are done here once. Everything outside the changed places is copied.
 */
import type { FormatId } from '@dragoman/contract/wire'
import { bounds, mustFitBytes, mustFitSegments } from './bounds.ts'
import { type Charset, type CharsetRules, type Decoded, decode, encode, utf8 } from './charset.ts'
import type { Format, OpenFile, Part, ReadOptions, Segment, Target, Translations } from './format.ts'
import { FormatError } from './format-error.ts'
import { buildParts, hasText, sameParts } from './parts.ts'
import type { Piece, ProtectOptions } from './protect.ts'

export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** One segment as its format finds it. */
export type Place = {
  /** Absent: the number of the segment. */
  readonly id?: string
  readonly pieces: readonly Piece[]
  /** What stands there as the translation, in a bilingual file; empty where there is none yet. */
  readonly target?: readonly Piece[]
  /** What stands there as the translation is good and stays. */
  readonly held?: boolean
  readonly start: number
  readonly end: number
  /** Spells a text for this place. */
  readonly spell: (text: string) => string
  /** Written around the translation: the element that holds it, where there is none yet. */
  readonly around?: readonly [before: string, after: string]
  /** Places that are written all or none, because together they make one element. */
  readonly together?: string
  /** Has the last word on what is written here; `group` is what the places written together with it say, itself included. */
  readonly compose?: ((written: string, target: Target, group: readonly string[]) => string) | undefined
  /** A character reference means nothing here (CDATA). */
  readonly verbatim?: boolean
  /** What else changes when this place is written, and with what; the same change of several places is made once. */
  readonly also?: (target: Target, written: string) => readonly Edit[]
}

export type FormatRules<Id extends FormatId = FormatId> = {
  readonly id: Id
  readonly charset: CharsetRules
  readonly protects?: ProtectOptions
  readonly bilingual?: boolean
  /** A file holds many languages, and where a translation goes follows from its language. */
  readonly multilingual?: boolean
  /** Spells a character that the charset of the file lacks. Without it such a file is written as UTF-8. */
  readonly refer?: (character: string) => string
  readonly find: (text: string, options: ReadOptions) => Place[]
  /** Says the target language in the file itself, and that it is UTF-8 now, where its charset lacks a character of a translation. */
  readonly retarget?: (text: string, target: Target, isUtf8Now: boolean) => readonly Edit[]
}

/** A format that others may look into: `find` says where its segments lie in a text. */
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

/** For ids made of names: `~~` is then never part of one, and marks what is counted. */
export const escapeId = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function mustKnow(found: readonly Found[], translations: Translations): void {
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
  if (isUtf8Now) return encode(splice(text, all), { charset: utf8, bom })
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

/** Puts the edits in; what is put in at a point stands before what is replaced there, and keeps its order. */
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
