/**
 * Xcode's string catalogues: all languages in one file. A key without a text in the source language
 * is its own text. The translation is added as Xcode writes it: a copy of the source with its
 * variations, and the plural forms of the target language.
 */

import { languageTag, nameInFiles } from '../../plurals/plural-forms.ts'
import { aboutOf } from '../about.ts'
import { defineFormat, escapeId, type SegmentPlace } from '../define-format.ts'
import type { ReadOptions, Target } from '../format.ts'
import { FormatError } from '../format-error.ts'
import { endOfKey, placeString, spellJson } from './json-scan.ts'
import { type JsonShape, readShape } from './json-shape.ts'
import { newTarget } from './xcstrings-write.ts'

export const xcstrings = defineFormat({
  id: 'xcstrings',
  charset: { fallsBack: false },
  protects: { newlines: true },
  bilingual: true,
  multilingual: true,
  find: (text, options) => {
    const shape = readShape(text)
    if (!shape.members.has('#/strings'))
      throw new FormatError(
        'MALFORMED',
        'The file is not a string catalogue: it is no object with "strings" in it.',
      )
    const source = stringAt(shape, '#/sourceLanguage') ?? 'en'
    return (shape.members.get('#/strings') ?? []).flatMap((entry) =>
      readEntry(shape, entry, source, options),
    )
  },
})

const stringAt = ({ text, values }: JsonShape, path: string): string | undefined => {
  const span = values.get(path)
  return span && text[span.start] === '"'
    ? (JSON.parse(text.slice(span.start, span.end)) as string)
    : undefined
}

/** The values of string units below a localization, in order. */
function unitsIn(shape: JsonShape, path: string): string[] {
  return (shape.members.get(path) ?? []).flatMap((member) =>
    member.endsWith('/stringUnit') ? [`${member}/value`] : unitsIn(shape, member),
  )
}

function readEntry(
  shape: JsonShape,
  entry: string,
  source: string,
  options: ReadOptions,
): SegmentPlace[] {
  const { text } = shape
  const never = shape.values.get(`${entry}/shouldTranslate`)
  if (never && text.slice(never.start, never.end) === 'false') return []
  const all = `${entry}/localizations`
  const from = `${all}/${escapeId(source)}`
  const to = `${all}/${escapeId(languageKey(shape, all, nameInFiles(options.targetLanguage ?? '', options) ?? options.targetLanguage ?? ''))}`
  const units = unitsIn(shape, from)
  // Blank ones are copied unchanged.
  const found = units.filter((path) => stringAt(shape, path)?.trim())
  if (units.length > 0 && found.length === 0) return []
  const key = shape.keys.get(entry) ?? 0
  const places = found.length > 0 ? found : [undefined]
  const target = newTarget(shape, { entry, all, from, to, units: found })
  return places.map((unit, at): SegmentPlace => {
    const span = unit === undefined ? undefined : shape.values.get(unit)
    const [begin, end] = span ? [span.start + 1, span.end - 1] : [key + 1, endOfKey(text, key)]
    const string = placeString(text, '', begin, end)
    const [lead, trail] = string
      ? [text.slice(begin, string.start), text.slice(string.end, end)]
      : ['', '']
    const there = unit === undefined ? `${to}/stringUnit/value` : to + unit.slice(from.length)
    const held = stringAt(shape, there)
    const state = stringAt(shape, there.replace(/value$/, 'state'))
    const isKept =
      options.xliff?.targets !== 'replace' &&
      state === 'translated' &&
      held !== undefined &&
      held.trim() !== ''
    return {
      id:
        unit === undefined
          ? entry.slice('#/strings/'.length)
          : entry.slice('#/strings/'.length) + unit.slice(from.length, -'/stringUnit/value'.length),
      pieces: string?.pieces ?? [],
      target: held === undefined ? [] : [{ text: held.trim() }],
      held: isKept,
      start: at === 0 ? target.start : target.end,
      end: target.end,
      spell: (words) => spellJson(words, new Map()),
      around: [lead, trail],
      together: entry,
      about: () => aboutOf([stringAt(shape, `${entry}/comment`)]),
      compose: (_, { targetLanguage }: Target, group) =>
        at === 0 ? target.write(group, targetLanguage) : '',
    }
  })
}

/**
 * The language as the file spells it, or its base language if the file has only that; else as
 * requested.
 */
export function languageKey({ members }: JsonShape, all: string, language: string): string {
  const there = (members.get(all) ?? []).map((path) => path.slice(all.length + 1))
  const same = (one: string, other: string) =>
    one.toLowerCase().replaceAll('_', '-') === other.toLowerCase().replaceAll('_', '-')
  const base = language.split(/[-_]/, 1)[0] ?? ''
  return (
    there.find((one) => same(one, language)) ??
    there.find((one) => same(one, base)) ??
    languageTag(language)
  )
}
