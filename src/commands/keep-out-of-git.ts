import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const comment =
  '# Written by ichor: keys and history that should not be committed. secrets.sops.yaml is encrypted and should be.'

const patterns = [
  '.ichor/',
  'kubeconfig',
  'talosconfig',
  'secrets.yaml',
  'support-*.tar.gz',
  '*.lab',
  '*.lab.sops.yaml',
  'ichor.lab.lock.yaml',
]

/**
 * Adds missing lines to the `.gitignore` next to the inventory, if it can be written; returns the file if it changed.
 */
export async function keepOutOfGit(folder: string): Promise<string[]> {
  const path = join(folder, '.gitignore')
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  const known = new Set((existing ?? '').split('\n').map((line) => line.trim()))
  const missing = patterns.filter((pattern) => !known.has(pattern) && !known.has(`/${pattern}`))
  if (missing.length === 0) return []
  const block = `${[comment, ...missing].join('\n')}\n`
  const gap = existing === undefined || existing === '' ? '' : existing.endsWith('\n') ? '\n' : '\n\n'
  const written = existing === undefined ? writeFile(path, block, { flag: 'wx' }) : appendFile(path, `${gap}${block}`)
  return written.then(
    () => [path],
    () => [],
  )
}
