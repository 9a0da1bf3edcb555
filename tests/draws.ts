/**
 * How much of a large table or a property is tested: a fixed part in `npm test`, everything in `npm run test:slow`, which sets
 * DRAGOMAN_TEST_DRAWS=full. A file that uses this is listed in the table `drawn` of suites.ts.
 */
export const isSlowPart = process.env.DRAGOMAN_TEST_PART === 'slow'
/** Whether this run tests everything. */
export const drawsAll = process.env.DRAGOMAN_TEST_DRAWS === 'full'

/** The number of runs of a property. */
export const draws = (all: number): number => (drawsAll ? all : Math.min(all, Math.max(20, Math.ceil(all / 10))))

/** About this many rows, spread evenly over the table, including the first and the last. */
export function sampled<T>(rows: readonly T[], about = 12): readonly T[] {
  if (drawsAll || rows.length <= about) return rows
  const step = (rows.length - 1) / (about - 1)
  return Array.from({ length: about }, (_, at) => rows[Math.round(at * step)] as T)
}
