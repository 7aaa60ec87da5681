import { useTestFolder } from '../../support/test-folder.js'

/** Counts checks and says each one; the exit code reports whether all passed. */
export interface Checks {
  check(title: string, isTrue: boolean, otherwise: string): void
  /** Runs a check that may throw: a throw is a failure. */
  attempt(title: string, run: () => Promise<void> | void): Promise<void>
  finish(): number
}

/** What a judge writes to the temporary directory from now on goes with its process. */
export function startChecks(): Checks {
  useTestFolder()
  let passed = 0
  let failed = 0
  const record = (title: string, problem: string | undefined) => {
    if (problem === undefined) passed++
    else failed++
    console.log(
      problem === undefined ? `ok    ${title}` : `FAIL  ${title}\n      ${problem.replaceAll('\n', '\n      ')}`,
    )
  }
  return {
    check: (title, isTrue, otherwise) => record(title, isTrue ? undefined : otherwise),
    attempt: async (title, run) => {
      try {
        await run()
        record(title, undefined)
      } catch (error) {
        record(title, error instanceof Error ? error.message : String(error))
      }
    },
    finish: () => {
      console.log(`${passed} passed, ${failed} failed`)
      return failed === 0 && passed > 0 ? 0 : 1
    },
  }
}
