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

/** Stories begin first, the longest of them before all: at the end the other workers would wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const lengthOf = ({ moduleId }: TestSpecification) =>
      Number(moduleId.includes('/tests/')) + Number(/\/disturbed-\w+\.test\.ts$/.test(moduleId))
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) =>
      one.project.name === other.project.name ? lengthOf(other) - lengthOf(one) : 0,
    )
  }
}

// Files share the modules of their worker: to load them again for each would take longer than most tests do.
const sharesModules = { ...shared, isolate: false }

export default defineConfig({
  test: {
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'alone', include: [mocking] } },
      {
        test: {
          ...sharesModules,
          name: 'cli',
          include: ['tests/cli/**/*.test.ts'],
          globalSetup: ['tests/cli/build.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...sharesModules,
          name: 'code',
          include: ['src/**/*.test.ts', 'tests/*.test.ts', 'tests/{scenarios,contract,fuzz,chaos}/**/*.test.ts'],
          exclude: [mocking],
        },
      },
    ],
  },
})
