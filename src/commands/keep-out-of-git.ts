import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../durable-file.js'
import { privateMode, type RenderedFile } from '../render/render-input.js'

const comment =
  '# Written by ichor: keys and history that should not be committed. secrets.sops.yaml is encrypted and should be.'
const renderedComment = '# Written by ichor: files with keys, which should not be committed.'

const besideInventory = [
  '.ichor/',
  'kubeconfig',
  'talosconfig',
  'secrets.yaml',
  'patches/*.secret.yaml',
  'support-*.tar.gz',
  '*.lab',
  '*.lab.sops.yaml',
  'ichor.lab.lock.yaml',
  // What a killed write has left.
  '.*.tmp',
]

/**
 * Adds missing lines to the `.gitignore` next to the inventory, if it can be written; returns the file if it changed.
 */
export async function keepOutOfGit(folder: string): Promise<string[]> {
  return ignore(folder, besideInventory, comment)
}

/** The same for files that were rendered into a folder: those that only the user may read. */
export async function keepRenderedOutOfGit(
  folder: string,
  files: readonly Pick<RenderedFile, 'path' | 'mode'>[],
): Promise<string[]> {
  const hidden = files.filter(({ mode }) => mode === privateMode).map(({ path }) => `/${path}`)
  return hidden.length === 0 ? [] : ignore(folder, [...hidden, '.*.tmp'], renderedComment)
}

async function ignore(folder: string, patterns: readonly string[], heading: string): Promise<string[]> {
  const path = join(folder, '.gitignore')
  const existing = await findText(path)
  const known = new Set(existing.split('\n').map((line) => line.trim()))
  const missing = patterns.filter((pattern) => !known.has(pattern) && !known.has(`/${pattern}`))
  if (missing.length === 0) return []
  const block = `${[heading, ...missing].join('\n')}\n`
  const gap = existing === '' ? '' : existing.endsWith('\n') ? '\n' : '\n\n'
  return writeDurably(path, `${existing}${gap}${block}`, { mode: 0o644 }).then(
    () => [path],
    () => [],
  )
}

/** Git does not follow a link here, so neither what it leads to nor the link itself is kept. */
async function findText(path: string): Promise<string> {
  const isLink = await lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  return isLink ? '' : readFile(path, 'utf8').catch(() => '')
}
