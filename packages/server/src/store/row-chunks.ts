/** Splits the rows of a statement: by number, because a statement takes so many, and by length, because it blocks the event loop. */

/** Far below SQLite's limit of bound values per statement, for any of our tables. */
const maxBound = 256
/** Padded sizes are powers of two up to this, then its multiples. */
const step = 32
const maxCharacters = 1024 ** 2

/** `rows` rows from `from` on, in a statement for `size`. */
export type Size = { readonly from: number; readonly rows: number; readonly size: number }

/** Rows of about a megabyte at most, so that no statement takes long: others get in between. */
export function* byLength<R extends Readonly<Record<string, unknown>>>(
  rows: readonly R[],
  names: readonly string[],
): Iterable<readonly R[]> {
  let [from, length] = [0, 0]
  for (const [at, row] of rows.entries()) {
    for (const name of names) {
      const value = row[name]
      if (typeof value === 'string') length += value.length
    }
    if (length < maxCharacters) continue
    yield rows.slice(from, at + 1)
    from = at + 1
    length = 0
  }
  if (from < rows.length) yield from === 0 ? rows : rows.slice(from)
}

/** Chunks of up to 256 rows, each padded to one of a few sizes by repeating its last row. */
export const padded = (many: number): Size[] =>
  Array.from({ length: Math.ceil(many / maxBound) }, (_, chunk) => {
    const from = chunk * maxBound
    const rows = Math.min(maxBound, many - from)
    return { from, rows, size: rows > step ? Math.ceil(rows / step) * step : powerOfTwo(Math.ceil(Math.log2(rows))) }
  })

/** Chunks whose sizes are powers of two, each row once: for inserts. */
export function exact(many: number): Size[] {
  const sizes: Size[] = []
  for (let from = 0; from < many; ) {
    const rows = Math.min(maxBound, powerOfTwo(Math.floor(Math.log2(many - from))))
    sizes.push({ from, rows, size: rows })
    from += rows
  }
  return sizes
}

const powerOfTwo = (exponent: number): number => 2 ** exponent

export function inChunks<T>(rows: readonly T[], size: number): (readonly T[])[] {
  const many = Math.ceil(rows.length / size)
  return Array.from({ length: many }, (_, at) => rows.slice(at * size, (at + 1) * size))
}
