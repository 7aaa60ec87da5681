import { createHash } from 'node:crypto'
import { hostname } from 'node:os'

const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/** For the name of a temporary file or folder: who writes it. */
export function writerTag(): string {
  return `${computer}-${process.pid}`
}

/** Whether its writer is gone; for one of another computer, whether it has not changed for long. */
export function isLeftBehind(tag: string, modifiedMs: number, patienceMs: number): boolean {
  const [where, pid] = tag.split('-')
  const isGone = where === computer && !isRunning(Number(pid))
  return isGone || Date.now() - modifiedMs > patienceMs
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    // It exists, and belongs to another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
