/**
 * YAML: every string value is a segment, with the path of keys as id. Numbers, dates, booleans,
 * keys, anchors and aliases stay. A Rails locale file, with a language as its only root key, gets
 * the target language as key and the plural forms it needs.
 */

import { smallCategories } from '../../plurals/plural-categories.ts'
import { languageTag } from '../../plurals/plural-forms.ts'
import { defineFormat, type Edit, escapeId, type SegmentPlace } from '../define-format.ts'
import type { ReadOptions, Target } from '../format.ts'
import { FormatError } from '../format-error.ts'
import { eolOf } from '../lines.ts'
import { scanYaml } from './yaml-scan.ts'
import { canBeInBlock, type FlowStyle, isText, spellBlock, spellFlow } from './yaml-spell.ts'
import { type Scalar, walkYaml } from './yaml-walk.ts'

export const yaml = defineFormat({
  id: 'yaml',
  charset: { fallsBack: false },
  protects: { newlines: true, names: true },
  quick: function* (text, options) {
    const [placeOf, waiting] = [placing(text, options), [] as SegmentPlace[]]
    let plural: readonly string[] | undefined
    for (const scalar of scanYaml(text)) {
      if (!scalar) return yield undefined
      // Which forms are missing is known when the last one was read.
      if (plural?.some((key, at) => key !== scalar.path[at])) {
        yield* waiting
        waiting.length = 0
        plural = undefined
      }
      const place = placeOf(scalar, 0)
      if (!place) continue
      if (scalar.path.at(-1) === 'other') plural ??= scalar.path.slice(0, -1)
      if (plural) waiting.push(place)
      else yield place
    }
    yield* waiting
  },
  find: (text, options) => placeAll(text, placing(text, options)),
  retarget: (text, target) => renameLocale(text, target),
})

/** The values under these keys, at any depth; for other formats that contain YAML. */
export function findValues(
  text: string,
  offset: number,
  keys: ReadonlySet<string>,
): SegmentPlace[] {
  return placeAll(text, (scalar, document) => {
    const place =
      scalar.path.some((key) => keys.has(key)) && placeScalar(text, scalar, document, false)
    return place ? { ...place, start: place.start + offset, end: place.end + offset } : undefined
  })
}

type PlaceOf = (scalar: Scalar, document: number) => SegmentPlace | undefined

/** The library finds the values. */
function placeAll(text: string, placeOf: PlaceOf): SegmentPlace[] {
  const places: SegmentPlace[] = []
  walkYaml(text, (scalar, document) => {
    const place = placeOf(scalar, document)
    if (place) places.push(place)
  })
  return places
}

function placing(text: string, { yaml: options }: ReadOptions): PlaceOf {
  const isLocale = localeKey(text) !== undefined
  const keys = options?.keys?.length && new Set(options.keys.map(escapeId))
  const skipKeys = new Set(options?.skipKeys?.map(escapeId))
  const plurals = new Map<string, string[]>()
  return (scalar, document) => {
    const { path } = scalar
    if (keys && !path.some((key) => keys.has(key))) return undefined
    if (skipKeys.size > 0 && path.some((key) => skipKeys.has(key))) return undefined
    // These words are for Rails.
    if (isLocale && path[1] === 'date' && path[2] === 'order') return undefined
    const place = placeScalar(text, scalar, document, isLocale)
    const last = path.at(-1) ?? ''
    if (!place || !isLocale || !categories.has(last)) return place
    const around = path.slice(0, -1).join('/')
    const there = plurals.get(around) ?? []
    if (there.length === 0) plurals.set(around, there)
    there.push(last)
    return last === 'other' ? withForms(text, place, scalar, there) : place
  }
}

/** Works for scalars without blanks at their ends, like most. */
const composeFlow = (style: FlowStyle) =>
  [false, true].map((inFlow) => (written: string) => spellFlow(written, style, inFlow))
const composes = {
  plain: composeFlow('plain'),
  single: composeFlow('single'),
  double: composeFlow('double'),
}
const same = (text: string): string => text

function placeScalar(
  text: string,
  scalar: Scalar,
  document: number,
  isLocale: boolean,
): SegmentPlace | undefined {
  const { style, start, end, value, inFlow, tag } = scalar
  const root = document === 0 ? '#' : `#${document}`
  const names = isLocale ? scalar.path.slice(1) : scalar.path
  const id = names.length === 0 ? root : `${root}/${names.join('/')}`
  if (tag !== undefined && tag !== '!!str' && tag !== '!') return undefined
  const inner = value.trim()
  if (inner === '') return undefined
  const pieces = [{ type: 'text', text: inner } as const]
  if (style === 'literal' || style === 'folded')
    return { id, pieces, spell: same, ...placeBlock(text, scalar, inner) }
  if (style === 'plain' && tag === undefined && !isText(value)) return undefined
  const compose =
    value === inner ? composes[style][Number(inFlow)] : composeWithin(value, inner, style, inFlow)
  return { id, pieces, spell: same, start, end, compose }
}

/** Keeps the blanks at the ends of a scalar. */
function composeWithin(
  value: string,
  inner: string,
  style: FlowStyle,
  inFlow: boolean,
): SegmentPlace['compose'] {
  const lead = value.indexOf(inner)
  const [before, after] = [value.slice(0, lead), value.slice(lead + inner.length)]
  return (written) => spellFlow(before + written + after, style, inFlow)
}

/** The lines of a block from the first word to the last; the header with its chomping stays. */
function placeBlock(
  text: string,
  { style, start: from, end }: Scalar,
  inner: string,
): Pick<SegmentPlace, 'start' | 'end' | 'compose'> {
  const body = text.slice(from, end)
  const lead = body.length - body.trimStart().length
  const start = from + lead
  const line = Math.max(body.lastIndexOf('\n', lead - 1), body.lastIndexOf('\r', lead - 1)) + 1
  const folds = style === 'folded'
  const eol = eolOf(body)
  return {
    start,
    end: from + body.trimEnd().length,
    compose: (written) => {
      if (!canBeInBlock(written))
        throw new FormatError(
          'UNREPRESENTABLE',
          `The translation of "${inner.slice(0, 40)}" contains a character that YAML does not allow in a block.`,
        )
      return spellBlock(written, { folds, indent: body.slice(line, lead), eol })
    },
  }
}

const categories = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** Writes copies of `other` for plural forms that only the target language has. */
function withForms(
  text: string,
  place: SegmentPlace,
  { style, start, inFlow }: Scalar,
  has: readonly string[],
): SegmentPlace {
  const before = text.slice(Math.max(0, start - 512), start)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1)
  const key = /^[ \t]{0,256}(?=["']?other["']?[ \t]{0,8}:)/.exec(line)
  if (!key || inFlow || style === 'literal' || style === 'folded') return place
  const behind = /^[^\r\n]*/.exec(text.slice(place.end, place.end + 1_024))?.[0] ?? ''
  const eol = eolOf(text)
  return {
    ...place,
    end: place.end + behind.length,
    compose: (written, target, group) => {
      const own = place.compose?.(written, target, group) ?? written
      const missing = has.includes('one')
        ? smallCategories(target.targetLanguage).filter((form) => !has.includes(form))
        : []
      return own + behind + missing.map((form) => `${eol}${key[0]}${form}: ${own}`).join('')
    },
  }
}

type LocaleKey = {
  readonly start: number
  readonly end: number
  readonly key: string
  readonly quote: string
}
/** Made when a file may be a locale file: it costs more than the rest of the reader's start. */
let names: Intl.DisplayNames | undefined

const localeLine =
  /^["']?([A-Za-z]{2,3}(?:[-_][A-Za-z\d]{2,8}){0,2})["']?[ \t]{0,8}:[ \t]{0,8}(?=[\r\n#])/

/** The only key at the left margin, if it is a language. */
function localeKey(text: string): LocaleKey | undefined {
  let found: LocaleKey | undefined
  const lineEnd = /[\r\n]/g
  for (let at = 0; at < text.length; ) {
    const first = text[at] ?? ''
    if (!/[\s#%]/.test(first) && !text.startsWith('---', at)) {
      const [whole, key = ''] = localeLine.exec(text.slice(at, at + 64)) ?? []
      if (whole === undefined || found || !isLanguage(key)) return undefined
      const quote = /["']/.test(first) ? first : ''
      found = { start: at, end: at + key.length + 2 * quote.length, key, quote }
    }
    lineEnd.lastIndex = at
    at = lineEnd.test(text) ? lineEnd.lastIndex : text.length
  }
  return found
}

function isLanguage(key: string): boolean {
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    return names.of(key.replaceAll('_', '-')) !== undefined
  } catch {
    return false
  }
}

function renameLocale(text: string, { targetLanguage, nameInFiles }: Target): Edit[] {
  const locale = localeKey(text)
  if (!locale) return []
  const tag = languageTag(targetLanguage)
  const joined = locale.key.includes('_') ? tag.replaceAll('-', '_') : tag
  const name =
    nameInFiles ?? (/^[a-z]{2,3}[-_][a-z]{2}$/.test(locale.key) ? joined.toLowerCase() : joined)
  const quote = locale.quote || (isText(name) ? '' : '"')
  return [{ start: locale.start, end: locale.end, text: `${quote}${name}${quote}` }]
}
