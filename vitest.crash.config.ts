import { defineConfig } from 'vitest/config'
import { useTestFolder } from './tests/support/test-folder.js'

useTestFolder()

/** The verbs of a cluster's long life, and every call as the last one of its run: minutes, so not a part of `npm test`. */
export default defineConfig({
  test: {
    include: ['tests/{crash,life}/**/*.test.ts'],
    globalSetup: ['tests/cli/build.ts'],
    testTimeout: 1_500_000,
    hookTimeout: 300_000,
    pool: 'forks',
  },
})
