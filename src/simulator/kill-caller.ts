import type { ServedRequest } from './proxmox/index.js'

/**
 * A fault wants the death of whoever called. Callers tell their process to Proxmox, which every run asks before anything
 * else; one that lives in this very process, or reported nothing, is left to `otherwise`.
 */
export function killCaller(requests: readonly ServedRequest[], otherwise: (() => void) | undefined): void {
  const pid = requests.findLast((request) => request.pid !== undefined)?.pid
  if (pid === undefined || pid === process.pid) return void otherwise?.()
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already gone, which is what was wanted.
  }
}
