/**
 * How much of a large table or a property is tested: a fixed part in `npm test`, more in `npm run
 * test:slow`, and everything in `npm run test:all`. The two set DRAGOMAN_TEST_DRAWS. A file that
 * uses this is listed in the table `drawn` of suites.ts.
 */
export const isSlowPart = process.env.DRAGOMAN_TEST_PART === 'slow'
const size = process.env.DRAGOMAN_TEST_DRAWS
/** Whether this run tests everything. */
export const drawsAll = size === 'all'

/** The size of a test in `npm test`, in the slow part, and where everything is tested. */
export const sized = <T>(few: T, more: T, all: T): T =>
  drawsAll ? all : size === 'more' ? more : few

/** The number of runs of a property. */
export const draws = (all: number): number =>
  sized(Math.min(all, Math.max(20, Math.ceil(all / 10))), all, all)

/**
 * About this many rows, three times as many in the slow part, spread evenly over the table,
 * including the first and the last.
 */
export function sampled<T>(rows: readonly T[], few = 12, more = 3 * few): readonly T[] {
  const about = sized(few, more, rows.length)
  if (rows.length <= about) return rows
  const step = (rows.length - 1) / (about - 1)
  return Array.from({ length: about }, (_, at) => rows[Math.round(at * step)] as T)
}
