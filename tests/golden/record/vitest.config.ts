import { defineConfig } from 'vitest/config'
import { useTestFolder } from '../../support/test-folder.js'

useTestFolder()

/** Runs any test with the planner wrapped: what it is asked is written into the folder ICHOR_RECORD_GOLDEN. */
export default defineConfig({
  test: {
    include: ['{src,tests}/**/*.test.ts'],
    testTimeout: 1_500_000,
    hookTimeout: 300_000,
    pool: 'forks',
    setupFiles: ['tests/support/fixed-seed.ts', 'tests/golden/record/wrap-planner.ts'],
  },
})
