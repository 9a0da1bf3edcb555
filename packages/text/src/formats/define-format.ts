/**
 * What all formats share. A format says where its segments are and how to write a text there;
 * decoding, limits, ids and splicing happen here. Everything outside the changed places is copied.
 */
import type { FormatId } from '@dragoman/contract/wire'
import { buildParts, hasText } from '../placeholders/parts.ts'
import type { ProtectOptions } from '../placeholders/protect.ts'
import { nameInFiles } from '../plurals/plural-forms.ts'
import { bounds, mustFitBytes, mustFitSegments } from './bounds.ts'
import { type CharsetRules, decode } from './charset.ts'
import { openEdits } from './edits.ts'
import type { Format, OpenFile, ReadOptions, Segment, Target, Translations } from './format.ts'
import { FormatError } from './format-error.ts'
import type { Edit, SegmentPlace } from './place.ts'
import { type SourceFile, save } from './save.ts'

export { type Edit, edgesOf, type SegmentPlace } from './place.ts'

export type FormatRules<Id extends FormatId = FormatId> = {
  readonly id: Id
  readonly charset: CharsetRules
  readonly protects?: ProtectOptions
  readonly bilingual?: boolean
  /** A file holds many languages; where a translation goes depends on its language. */
  readonly multilingual?: boolean
  /**
   * Writes a character that the charset of the file lacks. Without it, such a file is written as
   * UTF-8.
   */
  readonly refer?: (character: string) => string
  /**
   * A format of large files finds them one by one: what is used at once costs the garbage collector
   * nothing.
   */
  readonly find: (text: string, options: ReadOptions) => Iterable<SegmentPlace>
  /**
   * Finds the same sooner, or says undefined at last: then what it found does not count, and `find`
   * begins again.
   */
  readonly quick?: (text: string, options: ReadOptions) => Iterable<SegmentPlace | undefined>
  /** Edits that set the target language, and the charset if the file had to become UTF-8. */
  readonly retarget?: (text: string, target: Target, isUtf8Now: boolean) => readonly Edit[]
}

/** A format that other formats can embed: `find` returns the places in a text. */
export type OpenFormat<Id extends FormatId> = Format & Pick<FormatRules<Id>, 'id' | 'find'>

export function defineFormat<Id extends FormatId>(rules: FormatRules<Id>): OpenFormat<Id> {
  const start = (bytes: Uint8Array): SourceFile => {
    mustFitBytes(bytes.length, rules.id)
    return { ...decode(bytes, rules.charset), bytes }
  }
  /** Where a file has several languages, its places depend on the target. */
  const optionsFor = (options: ReadOptions, { targetLanguage }: Target): ReadOptions =>
    rules.multilingual ? { ...options, targetLanguage } : options
  const named = (target: Target, options: ReadOptions): Target => ({
    ...target,
    nameInFiles: nameInFiles(target.targetLanguage, options),
  })

  const open = (bytes: Uint8Array, options: ReadOptions = {}): OpenFile => {
    const file = start(bytes)
    const { places, segments } = eachSegment(rules, file.text, options, () => {
      const [places, segments]: [SegmentPlace[], Segment[]] = [[], []]
      const visit = (place: SegmentPlace, segment: Segment) => {
        places.push(place)
        segments.push(segment)
      }
      return { places, segments, visit, idOf: uniqueIds() }
    })
    return {
      segments,
      write: (translations, target) => {
        if (rules.multilingual && options.targetLanguage !== target.targetLanguage)
          return write(bytes, translations, target, options)
        mustHaveSegments(segments, translations)
        const called = named(target, options)
        const edits = openEdits(({ id }) => translations.get(id), called)
        for (const [at, place] of places.entries()) edits.visit(place, segments[at] as Segment)
        return save(rules, file, edits.finish(), called)
      },
    }
  }
  const write: Format['write'] = (bytes, translations, target, options = {}) =>
    open(bytes, optionsFor(options, target)).write(translations, target)
  return {
    id: rules.id,
    find: rules.find,
    open,
    read: (bytes, options) => open(bytes, options).segments,
    write,
    rewrite: (bytes, translate, target, options = {}) => {
      const file = start(bytes)
      // Nobody sees the ids, and telling equal ones apart is a good part of the work.
      const idOf = (base: string) => base
      const called = named(target, options)
      const { finish } = eachSegment(rules, file.text, optionsFor(options, target), () => ({
        ...openEdits(translate, called),
        idOf,
      }))
      return { bytes: save(rules, file, finish(), called), remarks: [] }
    },
  }
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

type Visitor = {
  readonly visit: (place: SegmentPlace, segment: Segment) => void
  readonly idOf: (base: string) => string
}

/** Shows each segment to a visitor and returns it; a new one, if the quick way gave up. */
function eachSegment<One extends Visitor>(
  rules: FormatRules,
  text: string,
  options: ReadOptions,
  begin: () => One,
): One {
  const isAsked = options.about === true
  const quick = rules.quick && visitAll(rules, rules.quick(text, options), begin(), isAsked)
  const visited = quick ?? visitAll(rules, rules.find(text, options), begin(), isAsked)
  if (!visited) throw new Error(`The reader of ${rules.id} gave up.`)
  return visited
}

function visitAll<One extends Visitor>(
  rules: FormatRules,
  places: Iterable<SegmentPlace | undefined>,
  visitor: One,
  isAsked: boolean,
): One | undefined {
  let number = 0
  for (const place of places) {
    if (!place) return undefined
    const { pieces, spell, start, end } = place
    const parts = buildParts(pieces, spell, rules.protects)
    if (!hasText(parts) && !(rules.bilingual && parts.some(({ type }) => type === 'code'))) continue
    number += 1
    mustFitSegments(number)
    const isNamed = place.id !== undefined && place.id.length <= bounds.idLength
    const id = visitor.idOf(isNamed ? place.id : `s${number}`)
    const target = place.target?.length
      ? buildParts(place.target, spell, rules.protects)
      : undefined
    const about = isAsked ? place.about?.() : undefined
    // Not spread: this is done for every text, and spreading takes several times as long.
    const segment: Mutable<Segment> = { id, parts, start, end }
    if (target) segment.target = target
    if (place.held) segment.held = true
    if (about) segment.about = about
    visitor.visit(place, segment)
  }
  return visitor
}

/** Numbers equal ids. */
function uniqueIds(): (base: string) => string {
  const seen = new Map<string, number>()
  return (base) => {
    const count = (seen.get(base) ?? 0) + 1
    seen.set(base, count)
    return count === 1 ? base : `${base}~~${count}`
  }
}

/** Escapes a name in an id, so that `~~`, which marks numbered duplicates, is never part of one. */
export const escapeId = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name

/** Unescapes the last name in an id. */
export const lastName = (id: string): string =>
  id
    .slice(id.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

/** A translation for a segment that the file does not have is an error. */
export function mustHaveSegments(segments: readonly Segment[], translations: Translations): void {
  const known = new Set(segments.map(({ id }) => id))
  for (const id of translations.keys())
    if (!known.has(id)) throw new FormatError('UNKNOWN_SEGMENT', `The file has no segment "${id}".`)
}
