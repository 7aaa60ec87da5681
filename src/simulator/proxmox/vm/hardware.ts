import type { Hardware, VirtualCd, VirtualDisk, VirtualNic } from '../../guest.js'
import type { Datacentre } from '../datacentre.js'
import type { VmState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import { bootOrderOf, coresOf, memoryOf } from './config.js'
import { isCdrom, isDiskKey, parseDrive } from './drive.js'
import { isNetKey, parseNet } from './net.js'

/** The guest's view of its VM. Read on demand: disks grow, media change, hosts change. */
export function hardwareOf(datacentre: Datacentre, vm: VmState, onPowerOff: () => void): Hardware {
  const { config: started } = vm
  const smbios = smbiosOf(started)
  return {
    get host() {
      return vm.host
    },
    vmid: vm.vmid,
    get name() {
      return vm.config.name ?? `VM ${vm.vmid}`
    },
    uuid: smbios.uuid ?? '',
    ...(smbios.serial === undefined ? {} : { serial: smbios.serial }),
    cores: coresOf(started),
    memory: memoryOf(started),
    firmware: started.bios === 'ovmf' ? 'ovmf' : 'seabios',
    tpm: started.tpmstate0 !== undefined,
    get bootOrder() {
      return bootOrderOf(vm.config)
    },
    get disks() {
      return disksOf(datacentre, vm)
    },
    get cds() {
      return cdsOf(datacentre, vm)
    },
    get nics() {
      return nicsOf(datacentre, vm)
    },
    agentEnabled: isAgentEnabled(started),
    onPowerOff,
  }
}

export function isAgentEnabled(config: Readonly<Record<string, string>>): boolean {
  const [first = ''] = (config.agent ?? '').split(',')
  return /^(enabled=)?(1|on|yes|true)$/i.test(first)
}

function smbiosOf(config: Readonly<Record<string, string>>): Record<string, string> {
  const parsed = Object.fromEntries(
    (config.smbios1 ?? '').split(',').map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string]),
  )
  if (parsed.base64 !== '1') return parsed
  for (const [name, value] of Object.entries(parsed))
    if (name !== 'uuid' && name !== 'base64') parsed[name] = Buffer.from(value, 'base64').toString('utf8')
  return parsed
}

function drivesOf(datacentre: Datacentre, vm: VmState) {
  return Object.keys(vm.config)
    .filter(isDiskKey)
    .map((key) => parseDrive(datacentre.pve, key, vm.config[key] ?? ''))
}

function disksOf(datacentre: Datacentre, vm: VmState): VirtualDisk[] {
  return drivesOf(datacentre, vm).flatMap((drive) => {
    const volume = isCdrom(drive) ? undefined : findVolume(datacentre, drive.file, vm.host)
    if (volume === undefined) return []
    return [
      {
        slot: drive.key,
        get size() {
          return volume.size
        },
        ...(drive.options.serial === undefined ? {} : { serial: decodeURIComponent(drive.options.serial) }),
        content: volume.disk,
      },
    ]
  })
}

function cdsOf(datacentre: Datacentre, vm: VmState): VirtualCd[] {
  return drivesOf(datacentre, vm).flatMap((drive) => {
    const volume = isCdrom(drive) ? findVolume(datacentre, drive.file, vm.host) : undefined
    return volume === undefined
      ? []
      : [{ slot: drive.key, volid: volume.volid, bytes: () => volume.bytes ?? new Uint8Array() }]
  })
}

function nicsOf({ pve, state }: Datacentre, vm: VmState): VirtualNic[] {
  const interfaces = state.hosts[vm.host]?.interfaces
  return Object.keys(vm.config)
    .filter(isNetKey)
    .map((slot) => {
      const net = parseNet(pve, vm.config[slot] ?? '')
      return {
        slot,
        mac: (net.macaddr ?? '').toUpperCase(),
        bridge: net.bridge ?? '',
        ...(net.tag === undefined ? {} : { vlan: Number(net.tag) }),
        linkDown: net.link_down === '1',
        ...(interfaces?.[net.bridge ?? '']?.bridge_ports === '' ? { isIsolated: true } : {}),
      }
    })
}
