import type { VirtualDisk } from '../../core/guest.js'
import { isMapping } from '../config/documents.js'
import { findText, readerOf } from '../config/read-values.js'
import { findInstallDisk } from '../disks/install-disk.js'
import { assetOf, type BootAsset, installSystem } from '../disks/system-disk.js'
import type { Boot } from './boot.js'
import { adoptConfig } from './config-sources.js'
import { durations } from './durations.js'
import type { TalosMachine } from './machine.js'

/** Installs as configured if the machine runs from an ISO. Returns whether the new system must be booted. */
export async function installFromConfig(boot: Boot): Promise<'reboot' | 'stay'> {
  const { machine } = boot
  const { config, asset } = machine
  if (config === undefined || asset === undefined) return 'stay'
  const unattended = readerOf(config).document('UnattendedInstallConfig')
  const isAsked = unattended !== undefined || readerOf(config).v1('machine.install') !== undefined
  if (machine.minor >= 14 && !isAsked) return 'stay'
  if (unattended === undefined) machine.setStage('installing')
  const device = findInstallDisk(machine)
  if (device?.disk === undefined) {
    machine.log('[talos] install failed: no disk matches the config')
    return boot.rest()
  }
  await boot.pause(durations.install)
  const reference = findInstallImage(machine)
  const medium = reference === undefined ? undefined : machine.fleet.findInstaller(reference)
  if (reference !== undefined && medium === undefined) {
    machine.log(`[talos] install failed: image ${reference} cannot be pulled`)
    return boot.rest()
  }
  const isBroken = reference !== undefined && machine.fleet.brokenImages.has(reference)
  const fresh = medium === undefined ? asset : assetOf(medium)
  installOnDisk(machine, device.disk, isBroken ? { ...fresh, isBroken } : fresh)
  const staysUp = unattended !== undefined && reference === undefined && unattended.reboot !== true
  return staysUp ? 'stay' : 'reboot'
}

/** Writes a system to the disk, with the active config. */
export function installOnDisk(machine: TalosMachine, disk: VirtualDisk, asset: BootAsset): void {
  machine.system = installSystem(disk, asset)
  machine.system.state = { nodeId: machine.nodeId }
  if (asset.secureBoot) machine.system.hasKeys = true
  adoptConfig(machine)
  machine.record('machine.installed', { disk: disk.slot, talos: asset.talos }, true)
}

function findInstallImage({ config }: TalosMachine): string | undefined {
  if (config === undefined) return undefined
  const reader = readerOf(config)
  const installer = reader.document('UnattendedInstallConfig')?.installer
  return findText(isMapping(installer) ? installer.image : undefined) ?? findText(reader.v1('machine.install.image'))
}
