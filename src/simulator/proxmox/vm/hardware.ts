import type { Hardware, VirtualCd, VirtualDisk, VirtualNic } from '../../core/guest.js'
import type { Datacenter } from '../datacenter.js'
import type { VmState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import { bootOrderOf, coresOf, memoryOf } from './config.js'
import { isCdrom, isDiskKey, parseDrive } from './drive.js'
import { isNetKey, parseNet } from './net.js'

/** The guest's view of its VM. Read on demand: disks grow, media change, hosts change. */
export function hardwareOf(datacenter: Datacenter, vm: VmState, onPowerOff: () => void): Hardware {
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
    machineType: machineTypeOf(started.machine, datacenter.qemuVersion),
    scsiController: started.scsihw ?? 'lsi',
    get bootOrder() {
      return bootOrderOf(vm.config)
    },
    get disks() {
      return disksOf(datacenter, vm)
    },
    get cds() {
      return cdsOf(datacenter, vm)
    },
    get nics() {
      return nicsOf(datacenter, vm)
    },
    agentEnabled: isAgentEnabled(started),
    onPowerOff,
  }
}

/** A type without a version is the newest that QEMU has: it is chosen again at each start. */
function machineTypeOf(option: string | undefined, qemuVersion: string): string {
  const type = (option ?? 'pc').split(',')[0]?.replace(/^type=/, '') ?? 'pc'
  const newest = qemuVersion.split('.').slice(0, 2).join('.')
  const unversioned: Readonly<Record<string, string>> = { pc: 'pc-i440fx', q35: 'pc-q35', virt: 'virt' }
  return unversioned[type] === undefined ? type : `${unversioned[type]}-${newest}`
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

function drivesOf(datacenter: Datacenter, vm: VmState) {
  return Object.keys(vm.config)
    .filter(isDiskKey)
    .map((key) => parseDrive(datacenter.pve, key, vm.config[key] ?? ''))
}

function disksOf(datacenter: Datacenter, vm: VmState): VirtualDisk[] {
  return drivesOf(datacenter, vm).flatMap((drive) => {
    const volume = isCdrom(drive) ? undefined : findVolume(datacenter, drive.file, vm.host)
    if (volume === undefined) return []
    return [
      {
        slot: drive.key,
        get size() {
          return volume.size
        },
        ...(drive.options.serial === undefined ? {} : { serial: decodeURIComponent(drive.options.serial) }),
        isSsd: drive.options.ssd === '1',
        ...(drive.options.wwn === undefined ? {} : { wwn: drive.options.wwn }),
        content: volume.disk,
      },
    ]
  })
}

function cdsOf(datacenter: Datacenter, vm: VmState): VirtualCd[] {
  return drivesOf(datacenter, vm).flatMap((drive) => {
    const volume = isCdrom(drive) ? findVolume(datacenter, drive.file, vm.host) : undefined
    return volume === undefined
      ? []
      : [{ slot: drive.key, volid: volume.volid, bytes: () => volume.bytes ?? new Uint8Array() }]
  })
}

function nicsOf({ pve, state }: Datacenter, vm: VmState): VirtualNic[] {
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
