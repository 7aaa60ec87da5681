import type { Desired } from '../desired/desired.js'
import type { Finding, Subject } from '../findings/finding.js'
import { forAdministrator } from '../findings/notes/secrets.js'
import type { Observed } from '../observe/observed.js'

/** Whether the token of this run may write what needs Sys.Modify on `/`; if unknown, it tries. */
export function mayAdminister({ proxmox }: Pick<Observed, 'proxmox'>): boolean {
  return proxmox.mayAdminister !== false
}

/** A note on something that this token may not write, with the command that does. */
export function noteForAdministrator(desired: Desired, problem: string, subject: Subject, isEarly = false): Finding {
  const command = isLeaving(desired) ? 'ichor access --remove' : 'ichor access'
  return forAdministrator.note(
    `${problem}, and this token may not change that: run ${command} as an administrator${isEarly ? ' after this run' : ''}.`,
    { subject },
  )
}

/** The cluster is being deleted. */
export function isLeaving({ machines, away, vmFirewall, hostFirewall }: Desired): boolean {
  return machines.length === 0 && away.length === 0 && vmFirewall === undefined && hostFirewall === undefined
}
