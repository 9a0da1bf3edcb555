/** Which rows of the search index match the typed words, best first. Pure. */
export type SearchRow = readonly [kind: string, title: string, says: string, path: string]
type Prepared = {
  readonly row: SearchRow
  readonly title: string
  readonly words: readonly string[]
  readonly says: string
}
type FoundGroup = { readonly kind: string; readonly rows: readonly SearchRow[] }

/** Maximum number of results of each kind. */
const most = 6
/** Maximum number of those with the same title. */
const same = 3

export function prepare(rows: readonly SearchRow[]): Prepared[] {
  return rows.map((row) => ({
    row,
    title: row[1].toLowerCase(),
    words: wordsOf(row[1].replace(/([a-z])([A-Z])/g, '$1 $2')),
    says: row[2].toLowerCase(),
  }))
}

export function findRows(prepared: readonly Prepared[], typed: string): FoundGroup[] {
  const whole = typed.trim().toLowerCase()
  const words = wordsOf(whole)
  if (words.length === 0) return []
  const scored = prepared
    .map((one) => ({ one, scores: words.map((word) => scoreOf(one, word)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ one, scores }) => ({
      one,
      score: scores.reduce((sum, score) => sum + score, one.title === whole ? 300 : 0),
    }))
    .sort((a, b) => b.score - a.score || a.one.title.length - b.one.title.length)
    .map(({ one }) => one.row)
  const kinds = [...new Set(scored.map(([kind]) => kind))]
  return kinds.map((kind) => ({ kind, rows: varied(scored.filter((row) => row[0] === kind)).slice(0, most) }))
}

/** Many schemas have a field of the same name: a few of them are enough. */
function varied(rows: readonly SearchRow[]): SearchRow[] {
  const seen = new Map<string, number>()
  return rows.filter(([, title]) => {
    const count = (seen.get(title) ?? 0) + 1
    seen.set(title, count)
    return count <= same
  })
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

function scoreOf({ title, words, says }: Prepared, word: string): number {
  if (title === word) return 100
  if (title.startsWith(word)) return 60
  if (words.some((one) => one.startsWith(word))) return 40
  if (title.includes(word)) return 25
  if (says.includes(word)) return 8
  return word.length > 3 && words.some((one) => isNear(one.slice(0, word.length + 1), word)) ? 4 : 0
}

/** Whether one word is the beginning of the other after one letter is inserted, deleted or replaced, or two are swapped. */
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
