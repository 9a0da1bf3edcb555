import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

/** The campaigns alone, one after another, with what they print as it is. */
export default defineConfig({
  ...usual,
  root: join(import.meta.dirname, '../..'),
  test: {
    ...usual.test,
    projects: undefined,
    include: ['tests/campaigns/*.campaign.ts'],
    globalSetup: ['tests/global-setup.ts'],
    setupFiles: ['tests/each-file.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    testTimeout: 6 * 3_600_000,
    hookTimeout: 600_000,
  },
})
