/**
 * The test files of the project `text`: those of @dragoman/text, which need no hub, no database and
 * no build of the console. `npx vitest run --project text` runs them. What is slow runs in the slow
 * part, as everywhere.
 */
import { slow } from './suites.ts'

const slowFormats = Object.keys(slow).flatMap(
  (row) => /^tests\/formats\/([\w-]+)\.test\.ts$/.exec(row)?.[1] ?? [],
)

/** In the form of vitest's `include` and `exclude`. */
export const textPatterns: readonly string[] = [
  'packages/text/src/**/*.test.ts',
  'tests/text/*.test.ts',
  `tests/formats/!(${slowFormats.join('|')}).test.ts`,
]
