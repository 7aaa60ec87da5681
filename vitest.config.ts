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

/** Stories begin first: at the end the other workers would wait for them. */
class StoriesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isStory = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/tests/'))
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) =>
      one.project.name === other.project.name ? isStory(other) - isStory(one) : 0,
    )
  }
}

// Files share the modules of their worker: to load them again for each would take longer than most tests do.
const sharesModules = { ...shared, isolate: false }

export default defineConfig({
  test: {
    maxWorkers: '100%',
    sequence: { sequencer: StoriesFirst },
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
          include: [
            'src/**/*.test.ts',
            'tests/*.test.ts',
            'tests/{scenarios,contract,fuzz,chaos}/**/*.test.ts',
            'tests/golden/*.test.ts',
          ],
          exclude: [mocking],
        },
      },
    ],
  },
})
