/**
 * How much of a large table or a property is tested: a fixed part in `npm test`, everything in
 * `npm run test:all`. A file that uses this is listed in the table `drawn` or `slow` of suites.ts.
 */
/** Whether this run tests everything. */
export const drawsAll = process.env.DRAGOMAN_TEST_PART === 'all'
/** Whether this run is the gate, not one of named files. */
export const isGate = process.env.DRAGOMAN_TEST_PART === 'gate'

/** The size of a test in `npm test`, and where everything is tested. */
export const sized = <T>(few: T, all: T): T => (drawsAll ? all : few)

/** The number of runs of a property. */
export const draws = (all: number): number =>
  sized(Math.min(all, Math.max(20, Math.ceil(all / 10))), all)

/** About this many rows, spread evenly over the table, including the first and the last. */
export function sampled<T>(rows: readonly T[], few = 12): readonly T[] {
  const about = sized(few, rows.length)
  if (rows.length <= about) return rows
  const step = (rows.length - 1) / (about - 1)
  return Array.from({ length: about }, (_, at) => rows[Math.round(at * step)] as T)
}
