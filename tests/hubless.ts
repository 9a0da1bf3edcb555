/**
 * The test files that need no hub, no database and no build of the console, in the form of vitest's
 * `include` and `exclude`.
 */

/**
 * The project `text`: the tests of @dragoman/text. `npx vitest run --project 'text*'` runs them.
 */
export const textPatterns: readonly string[] = [
  'packages/text/src/**/*.test.ts',
  'tests/text/*.test.ts',
  'tests/formats/*.test.ts',
]

/**
 * The project `lint`: what is written in the sources and the pages, read in one process: names,
 * words, prose, imports and regular expressions. `npx vitest run --project lint` runs them.
 */
export const lintPatterns: readonly string[] = [
  'packages/console/src/words/words.test.ts',
  'packages/console/src/zone.test.ts',
  'packages/docs/src/**/*.test.ts',
  'tests/console/colours.test.ts',
  'tests/doc-blocks.test.ts',
  'tests/docs.test.ts',
  'tests/prose.test.ts',
  'tests/regexes/linear.test.ts',
  'tests/suites.test.ts',
  'tests/walls.test.ts',
]

/** The project `connectors`: the walker and the rules of every connector, which need no hub. */
export const connectorPatterns: readonly string[] = ['connectors/*/src/**/*.test.ts']
