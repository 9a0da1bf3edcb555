/** Adds a localization to an entry of a string catalogue, in the style of the file. */

import { pluralCategories } from '../../plurals/plural-categories.ts'
import { type Edit, lastName } from '../define-format.ts'
import { layoutBefore } from '../xml/xml-content.ts'
import type { JsonShape } from './json-shape.ts'

type Paths = {
  readonly entry: string
  /** The localizations, and among them those of the source and the target language. */
  readonly all: string
  readonly from: string
  readonly to: string
  /** The values of the source. */
  readonly units: readonly string[]
}
export type NewTarget = {
  readonly start: number
  readonly end: number
  write(texts: readonly string[], language: string): string
}

export function newTarget(shape: JsonShape, paths: Paths): NewTarget {
  const { text, values } = shape
  const { entry, all, to } = paths
  const key = JSON.stringify(lastName(to))
  const indent = lineIndent(text, shape.keys.get(entry) ?? 0)
  const step = indent === '' ? '  ' : indent.slice(0, Math.max(1, indent.length / 2))
  const made = (texts: readonly string[], language: string) =>
    localization(shape, paths, { indent: indent + step + step, step }, { texts, language })
  const there = values.get(to)
  if (there) return { ...there, write: made }
  if (values.has(all)) {
    const place = insertion(shape, all, to, { indent: indent + step, step })
    return { ...place, write: (...of) => place.around(`${key} : ${made(...of)}`) }
  }
  const place = insertion(shape, entry, all, { indent, step })
  const wrapped = (inner: string) => {
    const end = newline(text)
    return `"localizations" : {${end}${indent}${step}${step}${key} : ${inner}${end}${indent}${step}}`
  }
  return { ...place, write: (...of) => place.around(wrapped(made(...of))) }
}

type Layout = { readonly indent: string; readonly step: string }

/** Where to insert the member `path` into a sorted object; an empty object is rewritten. */
function insertion(
  { text, keys, values, members }: JsonShape,
  object: string,
  path: string,
  { indent, step }: Layout,
): { start: number; end: number; around: (member: string) => string } {
  const there = members.get(object) ?? []
  const next = there.find((member) => member > path)
  const last = there.at(-1)
  const { start, end } = values.get(object) ?? { start: 0, end: 0 }
  if (next !== undefined) {
    const at = keys.get(next) ?? start
    return { start: at, end: at, around: (member) => `${member},${layoutBefore(text, at)}` }
  }
  if (last !== undefined) {
    const at = values.get(last)?.end ?? end
    const layout = layoutBefore(text, keys.get(last) ?? at)
    return { start: at, end: at, around: (member) => `,${layout}${member}` }
  }
  return {
    start,
    end,
    around: (member) => `{${newline(text)}${indent}${step}${member}${newline(text)}${indent}}`,
  }
}

/**
 * A copy of the source's localization with the translated texts, or a single text if the source has
 * none.
 */
function localization(
  shape: JsonShape,
  { from, units }: Paths,
  { indent, step }: Layout,
  { texts, language }: { readonly texts: readonly string[]; readonly language: string },
): string {
  const { text } = shape
  const end = newline(text)
  const source = shape.values.get(from)
  if (!source || units.length === 0) {
    const [outer, inner] = [`${end}${indent}${step}`, `${end}${indent}${step}${step}`]
    return `{${outer}"stringUnit" : {${inner}"state" : "translated",${inner}"value" : "${texts[0] ?? ''}"${outer}}${end}${indent}}`
  }
  const edits = units.flatMap((unit, at): Edit[] => {
    const [value, state] = [
      shape.values.get(unit),
      shape.values.get(unit.replace(/value$/, 'state')),
    ]
    return [
      ...(value ? [{ ...value, text: `"${texts[at] ?? ''}"` }] : []),
      ...(state ? [{ ...state, text: '"translated"' }] : []),
    ]
  })
  return apply(text, source.start, source.end, [
    ...edits,
    ...newForms(shape, from, edits, language),
  ])
}

/** Copies of "other" for forms that only the target language has. */
function newForms(
  shape: JsonShape,
  path: string,
  edits: readonly Edit[],
  language: string,
): Edit[] {
  const { text } = shape
  return (shape.members.get(path) ?? []).flatMap((member): Edit[] => {
    const forms = shape.members.get(member) ?? []
    const other = `${member}/other`
    const [at, value] = [shape.keys.get(other), shape.values.get(other)]
    if (!member.endsWith('/plural') || at === undefined || !value)
      return newForms(shape, member, edits, language)
    const missing = pluralCategories(language).filter(
      (category) => !forms.includes(`${member}/${category}`),
    )
    const copy = apply(text, at + '"other"'.length, value.end, edits)
    const layout = layoutBefore(text, at)
    return [
      {
        start: at,
        end: at,
        text: missing.map((category) => `"${category}"${copy},${layout}`).join(''),
      },
    ]
  })
}

function apply(text: string, from: number, to: number, edits: readonly Edit[]): string {
  let out = ''
  let at = from
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    if (edit.start < at || edit.end > to) continue
    out += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return out + text.slice(at, to)
}

const newline = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** The indentation of a key. */
function lineIndent(text: string, at: number): string {
  const layout = layoutBefore(text, at)
  return layout.slice(Math.max(layout.lastIndexOf('\n'), layout.lastIndexOf('\r')) + 1)
}
