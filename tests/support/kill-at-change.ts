import type { ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'

/**
 * Kills a process by signal at the nth name that is made, renamed or deleted in a folder. What is killed between two
 * changes leaves whatever there is between them. The result says whether it was.
 */
export function killAtChange(child: ChildProcess, folder: string, nth: number, which = /./): () => boolean {
  let seen = 0
  let isKilled = false
  const watcher = watch(folder, (_event, name) => {
    if (name === null || !which.test(name) || ++seen < nth || isKilled) return
    isKilled = child.kill('SIGKILL')
  })
  child.on('close', () => watcher.close())
  return () => isKilled
}
