import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['*.test.js'], hookTimeout: 30_000, testTimeout: 30_000 },
})
