import { execFileSync } from 'node:child_process'

/** The tests of the command line run what a user would run. */
export default function build(): void {
  execFileSync(process.execPath, ['scripts/build-if-needed.mjs'], { stdio: 'inherit' })
}
