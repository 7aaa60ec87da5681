import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'

/** Whether the token of this run may write what needs Sys.Modify on `/`; if unknown, it tries. */
export function mayAdminister({ proxmox }: Pick<Observed, 'proxmox'>): boolean {
  return proxmox.mayAdminister !== false
}

/** A note on something that this token may not write, with the command that does. */
export function forAdministrator(desired: Desired, problem: string, isEarly = false): string {
  const command = isLeaving(desired) ? 'ichor access --remove' : 'ichor access'
  return `${problem}, and this token may not change that: run ${command} as an administrator${isEarly ? ' after this run' : ''}.`
}

/** The cluster is being deleted. */
export function isLeaving({ machines, away, vmFirewall, hostFirewall }: Desired): boolean {
  return machines.length === 0 && away.length === 0 && vmFirewall === undefined && hostFirewall === undefined
}
