import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How two texts differ, as `git diff` shows it; empty if they do not. */
export function differencesBetween(before: string, after: string): string {
  if (before === after) return ''
  const folder = mkdtempSync(join(tmpdir(), 'ichor-golden-'))
  try {
    writeFileSync(join(folder, 'before'), before)
    writeFileSync(join(folder, 'after'), after)
    const words = ['diff', '--no-index', '--no-color', '--unified=2', 'before', 'after']
    const { stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' })
    return stdout.replace(/^[^@]*/, '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
