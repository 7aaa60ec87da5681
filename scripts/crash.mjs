// Kills stories at a sample of their calls, with --all at every one, and has the next run finish them.
//   node scripts/crash.mjs [--all] [--failed-again] [part of a file name]...
// --failed-again: files in which a test failed run once more, alone, and are named. Only what fails again is a failure.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const words = process.argv.slice(2)
const all = words.includes('--all') ? { ICHOR_CRASH_ALL: '1' } : {}
const parts = words.filter((word) => word !== '--all' && word !== '--failed-again')

function run(args) {
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'vitest.crash.config.ts', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...all },
  })
  return status ?? 1
}

if (words.includes('--failed-again')) {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-crash-'))
  const results = join(folder, 'results.json')
  process.exitCode = run(['--reporter=default', '--reporter=json', `--outputFile=${results}`, ...parts])
  const failed = process.exitCode === 0 ? [] : failedFiles(results)
  rmSync(folder, { recursive: true })
  if (failed.length > 0) {
    console.log(`crash: once more, alone: ${failed.join(', ')}`)
    process.exitCode = run(['--no-file-parallelism', ...failed])
    if (process.exitCode === 0) console.log(`crash: unstable, failed once and passed once: ${failed.join(', ')}`)
  }
} else process.exitCode = run(parts)

/** None if vitest itself failed before it could tell. */
function failedFiles(results) {
  try {
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'))
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  } catch {
    return []
  }
}
