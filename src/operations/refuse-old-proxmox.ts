import { oldProxmox } from '../findings/refusals/proxmox.js'
import type { ProxmoxVersion } from '../proxmox/client/port.js'

/** The oldest supported version. */
const oldestMajor = 8

const subject = { kind: 'cluster', name: 'Proxmox' } as const

/** Reports what a Proxmox is too old for, before anything is changed. */
export function refuseOldProxmox(
  { version, major, canImportImages }: ProxmoxVersion,
  boot: 'image' | 'iso' | 'template',
): void {
  if (major < oldestMajor) {
    throw oldProxmox.refuse(`Proxmox VE ${version} is too old: ichor needs 8.0, and 8.4 to boot from images.`, {
      subject,
      where: 'the Proxmox cluster',
      fix: 'Upgrade Proxmox VE to 8.4 or later.',
    })
  }
  if (boot === 'iso' || canImportImages) return
  throw oldProxmox.refuse(`Proxmox VE ${version} cannot import disk images: that came with 8.4.`, {
    subject,
    where: 'talos.boot',
    fix: 'Set talos.boot to iso, which works with this version, or upgrade Proxmox VE to 8.4 or later.',
  })
}
