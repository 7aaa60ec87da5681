import { defineConfig } from 'vitest/config'
import { useTestFolder } from './tests/support/test-folder.js'

useTestFolder()

/** Every call of a cluster's life is the last one of its run, or loses its answer: minutes, so not a part of `npm test`. */
export default defineConfig({
  test: {
    include: ['tests/crash/**/*.test.ts'],
    globalSetup: ['tests/cli/build.ts'],
    testTimeout: 1_500_000,
    hookTimeout: 300_000,
    pool: 'forks',
  },
})
