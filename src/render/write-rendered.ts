import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.js'
import type { RenderedFile } from './render-input.js'

/**
 * Writes each file whole or not at all. They can be rendered again at any time, so nothing waits for the disk; and one after the other
 * is the quickest for small files.
 */
export async function writeRendered(folder: string, files: readonly RenderedFile[]): Promise<void> {
  const folders = new Set(files.map(({ path }) => dirname(join(folder, path))))
  for (const one of folders) await makeFolder(one)
  for (const { path, content, mode } of files) writeWhole(join(folder, path), content, mode)
}

/** A killed run leaves its temporary file, which may hold secrets: it has the same name in every run, and the next one removes it. */
function writeWhole(path: string, content: RenderedFile['content'], mode: number): void {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`)
  try {
    rmSync(temporary, { force: true })
    writeFileSync(temporary, content, { mode, flag: 'wx' })
    chmodSync(temporary, mode)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}
