// Kills stories at a sample of their calls, with --all at every one, and has the next run finish them.
//   node scripts/crash.mjs [--all] [part of a file name]...
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const all = words.includes('--all') ? { ICHOR_CRASH_ALL: '1' } : {}
const rest = words.filter((word) => word !== '--all')
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'vitest.crash.config.ts', ...rest], {
  stdio: 'inherit',
  env: { ...process.env, ...all },
})
process.exitCode = status ?? 1
