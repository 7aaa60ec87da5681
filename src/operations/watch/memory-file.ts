import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import { makeOwnFolder } from '../../make-folder.js'
import { type Memory, parseMemory } from '../../watch/memory.js'

/** Of the lab and of the real cluster apart. */
function fileIn(folder: string, isLab: boolean): string {
  return join(folder, '.ichor', isLab ? 'watch.lab.json' : 'watch.json')
}

/** `undefined` if there is none: then everything is new. */
export async function readMemory(folder: string, isLab: boolean): Promise<Memory | undefined> {
  return readFile(fileIn(folder, isLab), 'utf8').then(parseMemory, () => undefined)
}

/** Whether it could be written: a folder that is mounted read-only is remembered only until the next start. */
export async function writeMemory(folder: string, isLab: boolean, memory: Memory): Promise<boolean> {
  try {
    makeOwnFolder(folder)
    await writeDurably(fileIn(folder, isLab), `${JSON.stringify(memory, null, 2)}\n`)
    return true
  } catch {
    return false
  }
}
