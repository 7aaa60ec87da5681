import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { useTestFolder } from './tests/support/test-folder.js'

useTestFolder()

const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
  setupFiles: ['tests/support/fixed-seed.ts'],
}
/** Replaces a module for itself. */
const mocking = 'src/execute/execute.test.ts'

/** Files that take a minute begin first: at the end the other workers would wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(/\/disturbed-\w+\.test\.ts$/.test(moduleId))
    return (await super.sort(files)).toSorted((one, other) => isLong(other) - isLong(one))
  }
}

export default defineConfig({
  test: {
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Files share the modules of their worker: to load them again for each would take longer than most tests do.
        test: { ...shared, name: 'code', include: ['src/**/*.test.ts'], exclude: [mocking], isolate: false },
      },
      {
        test: {
          ...shared,
          name: 'stories',
          include: [mocking, 'tests/*.test.ts', 'tests/{scenarios,contract,fuzz,chaos}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'cli',
          include: ['tests/cli/**/*.test.ts'],
          globalSetup: ['tests/cli/build.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
