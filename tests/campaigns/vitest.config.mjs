import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

/** The campaigns alone, one after another, with what they print as it is. */
export default defineConfig({
  ...usual,
  root: join(import.meta.dirname, '../..'),
  test: {
    ...usual.test,
    include: ['tests/campaigns/*.campaign.ts'],
    fileParallelism: false,
    // Growth is judged by the time a reader takes. With room for all that a reading makes, no collection of garbage falls into it.
    execArgv: ['--min-semi-space-size=512', '--max-semi-space-size=512'],
    disableConsoleIntercept: true,
    testTimeout: 6 * 3_600_000,
    hookTimeout: 600_000,
  },
})
