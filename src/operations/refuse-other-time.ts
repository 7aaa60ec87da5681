import { otherTime } from '../findings/refusals/proxmox.js'
import type { ProxmoxVersion } from '../proxmox/client/port.js'

/** Reported first: without it every node seems to refuse our certificate for no reason. */
export function refuseOtherTime({ clockOffsetMs }: Pick<ProxmoxVersion, 'clockOffsetMs'>): void {
  if (clockOffsetMs === undefined) return
  const direction = clockOffsetMs > 0 ? 'behind' : 'ahead of'
  const hours = Math.round(Math.abs(clockOffsetMs) / 3_600_000)
  const apart = hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`
  throw otherTime.refuse(`The clock of this computer is ${apart} ${direction} that of Proxmox.`, {
    subject: { kind: 'cluster', name: 'Proxmox' },
    where: 'the clock of this computer',
    fix: 'Set the clock of this computer, or that of the Proxmox hosts if it is the wrong one; then run the same command again.',
  })
}
