import * as real from 'node:fs'
import { refusedByDisk, type Syscall } from '../disk.js'

// Whatever does not change the disk is the real one.
export * from 'node:fs'

/** For the operator whose disk is full or read-only. */
function orRefused<Args extends [unknown, ...unknown[]], Result>(
  syscalls: readonly Syscall[],
  call: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    for (const syscall of syscalls) {
      if (syscall === 'mkdir' && real.existsSync(String(args[0]))) continue
      const refused = refusedByDisk(syscall, syscall === 'write' ? undefined : String(args[0]))
      if (refused !== undefined) throw refused
    }
    return call(...args)
  }
}

type AnyCall = (...args: [unknown, ...unknown[]]) => undefined

export const appendFileSync = orRefused(['open', 'write'], real.appendFileSync as AnyCall)
export const writeFileSync = orRefused(['open', 'write'], real.writeFileSync as AnyCall)
export const mkdirSync = orRefused(['mkdir'], real.mkdirSync as AnyCall)
export const renameSync = orRefused(['rename'], real.renameSync as AnyCall)
export const chmodSync = orRefused(['chmod'], real.chmodSync as AnyCall)
