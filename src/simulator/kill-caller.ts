import type { ServedRequest } from './proxmox/index.js'

/**
 * A fault kills the caller. Clients report their PID to Proxmox, which every run contacts first. A caller in this
 * process, or one that reported none, is left to `otherwise`.
 */
export function killCaller(requests: readonly ServedRequest[], otherwise: (() => void) | undefined): void {
  const pid = requests.findLast((request) => request.pid !== undefined)?.pid
  if (pid === undefined || pid === process.pid) return void otherwise?.()
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It no longer exists, as intended.
  }
}
