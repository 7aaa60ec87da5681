import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'vitest'

test('three random lives of a cluster keep every promise', { timeout: 240_000 }, async () => {
  await promisify(execFile)(process.execPath, ['scripts/chaos.mjs', '--fixed', 'few', '--no-shrink'])
})
