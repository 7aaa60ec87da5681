import { defineConfig } from 'vitest/config'

const shared = { testTimeout: 60_000, hookTimeout: 60_000, pool: 'forks' as const }

export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...shared,
          name: 'code',
          include: ['src/**/*.test.ts', 'tests/*.test.ts', 'tests/{scenarios,contract}/**/*.test.ts'],
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
