/**
 * The search of the docs: guides by their whole text first, then calls, then the rest. Whoever
 * types the whole name of a call, an error, a setting or a state gets it before the guides.
 */
import { findGuides, type GuideRow, prepareGuides } from './find-guides.ts'
import { findRows, prepareRows, type SearchRow } from './find-rows.ts'
import { findSentence } from './find-sentence.ts'
import { fitOf, folded, wordsOf } from './fold-text.ts'

type Found = {
  readonly title: string
  readonly of: string
  readonly line: string
  readonly path: string
}
export type FoundGroup = { readonly kind: string; readonly found: readonly Found[] }
export type Find = (typed: string) => FoundGroup[]

const kinds = ['Guides', 'Calls', 'Errors', 'Settings', 'States', 'Fields', 'Decisions']
/** Kinds whose names are often plain words. */
const plain = ['Fields', 'Decisions']
/** Maximum number of results of each kind. */
const most = 6

export function makeFind(rows: readonly SearchRow[], guideRows: readonly GuideRow[]): Find {
  const reference = prepareRows(rows)
  const guides = prepareGuides(guideRows)
  return (typed) => {
    const words = wordsOf(typed)
    if (words.length === 0) return []
    const all = [
      ...findGuides(guides, words).map((found) => ({ ...found, kind: 'Guides', says: '' })),
      ...findRows(reference, typed).map(
        ({ row: [kind, title, says, path, text = ''], isNamed }) => {
          return { kind, title, of: '', says, text, path, isNamed }
        },
      ),
    ]
    const groups = kinds
      .map((kind) => all.filter((one) => one.kind === kind).slice(0, most))
      .filter(([one]) => one)
    const isNamed = ([first]: typeof all): boolean =>
      first?.isNamed === true && !plain.includes(first.kind)
    return [...groups.filter(isNamed), ...groups.filter((group) => !isNamed(group))].map(
      (group) => ({
        kind: group[0]?.kind ?? '',
        found: group.map((one) => ({ ...one, line: lineOf(one, words) })),
      }),
    )
  }
}

type Lines = { readonly title: string; readonly says: string; readonly text: string }

/** The line about it, or the sentence of its text if the line lacks a word. */
function lineOf({ title, says, text }: Lines, words: readonly string[]): string {
  const shown = folded(`${title} ${says}`)
  return text === '' || (says !== '' && words.every((word) => fitOf(shown, word) > 0))
    ? says
    : findSentence(text, words)
}

/** Loads what the search reads, from the hub under this path. */
export async function loadFind(prefix: string): Promise<Find> {
  const load = async <T>(name: string): Promise<T> => {
    const answer = await fetch(`${prefix}/docs/${name}.json`)
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
    return (await answer.json()) as T
  }
  return makeFind(
    ...(await Promise.all([load<SearchRow[]>('search'), load<GuideRow[]>('search-guides')])),
  )
}
