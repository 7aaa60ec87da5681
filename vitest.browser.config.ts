import { defineConfig } from 'vitest/config'
import { useTestFolder } from './tests/support/test-folder.js'

useTestFolder()

/** The page in a real browser, against a lab. Needs Chromium, so it is not a part of `npm test`. */
export default defineConfig({
  test: {
    include: ['tests/browser/*.test.ts'],
    globalSetup: ['tests/cli/build.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    fileParallelism: false,
  },
})
