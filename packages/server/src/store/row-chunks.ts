/**
 * Splits the rows of a statement: by number, because a statement takes so many, and by length,
 * because it blocks the event loop.
 */

/** Far below SQLite's limit of bound values per statement, for any of our tables. */
const maxBound = 256
/** Padded sizes are powers of two up to this, then its multiples. */
const step = 32
/**
 * A statement with more characters takes long: its rows go in halves, so that others get in
 * between.
 */
export const maxCharacters = 1024 ** 2

/** `rows` rows from `from` on, in a statement for `size`. */
export type Size = { readonly from: number; readonly rows: number; readonly size: number }

/** The length of all texts. By index, because `for … of` makes an object for each value. */
export function lengthOf(columns: readonly (readonly unknown[])[]): number {
  let length = 0
  for (const values of columns)
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]
      if (typeof value === 'string') length += value.length
    }
  return length
}

/** Chunks of up to 256 rows, each padded to one of a few sizes by repeating its last row. */
export const padded = (many: number): Size[] =>
  Array.from({ length: Math.ceil(many / maxBound) }, (_, chunk) => {
    const from = chunk * maxBound
    const rows = Math.min(maxBound, many - from)
    return {
      from,
      rows,
      size: rows > step ? Math.ceil(rows / step) * step : powerOfTwo(Math.ceil(Math.log2(rows))),
    }
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
