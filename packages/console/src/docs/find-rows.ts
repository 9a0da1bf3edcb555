/** Which names of the reference match the typed words, best first. Pure. */
import { type Folded, fitOf, fold, folded, wordsOf } from './fold-text.ts'

export type SearchRow = readonly [
  kind: string,
  title: string,
  says: string,
  path: string,
  text?: string,
]
type Prepared = {
  readonly row: SearchRow
  readonly title: string
  readonly words: readonly string[]
  readonly says: string
  readonly text: Folded
}
export type FoundRow = { readonly row: SearchRow; readonly isNamed: boolean }

/** Maximum number of results with the same title. */
const same = 3

export const prepareRows = (rows: readonly SearchRow[]): Prepared[] =>
  rows.map((row) => ({
    row,
    title: fold(row[1]),
    words: wordsOf(row[1].replace(/([a-z])([A-Z])/g, '$1 $2')),
    says: fold(row[2]),
    text: folded(row[4] ?? ''),
  }))

/** A row is named if the whole of its title was typed, or for a call the name of its operation. */
export function findRows(prepared: readonly Prepared[], typed: string): FoundRow[] {
  const whole = fold(typed.trim())
  const words = wordsOf(typed)
  const found = prepared
    .map((one) => ({ one, scores: words.map((word) => scoreOf(one, word)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ one, scores }) => {
      const isNamed = one.title === whole || one.says.endsWith(` · ${whole}`)
      return { one, isNamed, score: scores.reduce((sum, score) => sum + score, isNamed ? 300 : 0) }
    })
    .sort((a, b) => b.score - a.score || a.one.title.length - b.one.title.length)
  return varied(found.map(({ one, isNamed }) => ({ row: one.row, isNamed })))
}

/** Many schemas have a field of the same name: a few of them are enough. */
function varied(rows: readonly FoundRow[]): FoundRow[] {
  const seen = new Map<string, number>()
  return rows.filter(({ row: [kind, title] }) => {
    const count = (seen.get(`${kind} ${title}`) ?? 0) + 1
    seen.set(`${kind} ${title}`, count)
    return count <= same
  })
}

function scoreOf({ title, words, says, text }: Prepared, word: string): number {
  if (title === word) return 100
  if (title.startsWith(word)) return 60
  if (words.some((one) => one.startsWith(word))) return 40
  if (title.includes(word)) return 25
  if (says.includes(word)) return 8
  if (fitOf(text, word) > 0) return 6
  return word.length > 3 && words.some((one) => isNear(one.slice(0, word.length + 1), word)) ? 4 : 0
}

/**
 * Whether one word is the beginning of the other after one letter is inserted, deleted or replaced,
 * or two are swapped.
 */
export function isNear(a: string, b: string): boolean {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const rests = [
    [a.slice(at + 1), b.slice(at)],
    [a.slice(at), b.slice(at + 1)],
    [a.slice(at + 1), b.slice(at + 1)],
    ...(a[at] === b[at + 1] && a[at + 1] === b[at] ? [[a.slice(at + 2), b.slice(at + 2)]] : []),
  ] as const
  return rests.some(([one = '', other = '']) => one.startsWith(other) || other === one)
}
