import type { VirtualDisk } from '../../guest.js'
import { isMapping } from '../config/documents.js'
import { findText, mappingsOf, readerOf } from '../config/read-values.js'
import type { Boot } from './boot.js'
import { adoptConfig } from './config-sources.js'
import { type BlockDevice, blockDevices } from './drives.js'
import { durations } from './durations.js'
import type { TalosMachine } from './machine.js'
import { assetOf, type BootAsset, installSystem } from './system-disk.js'

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
  adoptConfig(machine)
  machine.record('machine.installed', { disk: disk.slot, talos: asset.talos }, true)
}

function findInstallImage({ config }: TalosMachine): string | undefined {
  if (config === undefined) return undefined
  const reader = readerOf(config)
  const installer = reader.document('UnattendedInstallConfig')?.installer
  return findText(isMapping(installer) ? installer.image : undefined) ?? findText(reader.v1('machine.install.image'))
}

/** By path, otherwise by the selector; supports the selectors that identify the disks of a VM: path, serial, size. */
function findInstallDisk({ config, hardware }: TalosMachine): BlockDevice | undefined {
  const disks = blockDevices(hardware).filter(({ isCd }) => !isCd)
  if (config === undefined) return undefined
  const reader = readerOf(config)
  const path = findText(reader.v1('machine.install.disk')) ?? pathInMatch(reader.document('UnattendedInstallConfig'))
  if (path !== undefined) return disks.find((device) => device.path === path)
  const selector = reader.v1('machine.install.diskSelector')
  const serial = isMapping(selector) ? findText(selector.serial) : undefined
  return serial === undefined ? disks[0] : disks.find((device) => device.serial === serial)
}

function pathInMatch(unattended: unknown): string | undefined {
  const [provisioning] = mappingsOf(isMapping(unattended) ? [unattended.provisioning] : [])
  const [selector] = mappingsOf([provisioning?.diskSelector])
  return /disk\.dev_path\s*==\s*["']([^"']+)["']/.exec(findText(selector?.match) ?? '')?.[1]
}
