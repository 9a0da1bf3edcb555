/**
 * The test files of the project `text`: those of @dragoman/text, which need no hub, no database and
 * no build of the console. `npx vitest run --project 'text*'` runs them.
 */
/** In the form of vitest's `include` and `exclude`. */
export const textPatterns: readonly string[] = [
  'packages/text/src/**/*.test.ts',
  'tests/text/*.test.ts',
  'tests/formats/*.test.ts',
]
