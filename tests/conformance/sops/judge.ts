import { ageChecks } from './age-checks.js'
import { certificateChecks } from './certificate-checks.js'
import type { Check } from './check.js'
import { sopsChecks } from './sops-checks.js'
import { storeChecks } from './store-checks.js'
import { withWorkshop } from './workshop.js'

/** Runs every check, says which failed and why, and ends with a count. */
async function judge(checks: readonly Check[]): Promise<number> {
  let failed = 0
  for (const { title, run } of checks) {
    try {
      await withWorkshop(run)
    } catch (error) {
      failed++
      console.log(`FAILED  ${title}\n        ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  console.log(`sops: ${checks.length - failed} passed, ${failed} failed`)
  return failed
}

const failed = await judge([...sopsChecks, ...storeChecks, ...ageChecks, ...certificateChecks])
process.exitCode = failed === 0 ? 0 : 1
