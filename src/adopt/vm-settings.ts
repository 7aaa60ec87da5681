import { MiB } from '../cluster/machine.js'
import { defaultCores, defaultMemoryMiB } from '../proxmox/model/option-text.js'
import { parseDisk } from '../proxmox/model/options/disk.js'
import { parseAgent } from '../proxmox/model/options/hardware.js'
import { parseNet } from '../proxmox/model/options/net.js'
import { mostCommon } from './agreed.js'

/** The options of a VM for which the inventory has keys. */
export interface VmShape {
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  /** Bytes of the system disk. */
  readonly disk: number
  readonly datastore?: string
  /** On scsi1 and up, without a gap. */
  readonly disks: readonly { readonly size: number; readonly datastore?: string }[]
  readonly bridge?: string
  readonly vlan?: number
  readonly hasAgent: boolean
  readonly cloudInit?: { readonly address: string; readonly gateway?: string }
  /** By the keys of `vm`. */
  readonly hardware: Readonly<Record<string, string | number | boolean>>
  readonly diskFlags: Readonly<Record<string, boolean>>
}

type Options = Readonly<Record<string, string>>

export function shapeOf(options: Options): VmShape {
  const net = parseNet(options.net0 ?? '')
  const system = parseDisk(options.scsi0 ?? '')
  const [, address, gateway] = /(?:^|,)ip=([^,]+\/\d+)(?:,gw=([^,]+))?/.exec(options.ipconfig0 ?? '') ?? []
  const datastore = datastoreIn(options.scsi0)
  return {
    cpu: Number(options.cores ?? defaultCores) * Number(options.sockets ?? 1),
    memory: Number(options.memory ?? defaultMemoryMiB) * MiB,
    disk: system.size ?? 0,
    ...(datastore === undefined ? {} : { datastore }),
    disks: dataDisks(options),
    ...(net.bridge === undefined ? {} : { bridge: net.bridge }),
    ...(net.vlan === undefined ? {} : { vlan: net.vlan }),
    hasAgent: parseAgent(options.agent ?? '').enabled === true,
    ...(address === undefined ? {} : { cloudInit: { address, ...(gateway === undefined ? {} : { gateway }) } }),
    hardware: hardwareOf(options),
    diskFlags: {
      discard: system.discard === true,
      ssd: system.ssd === true,
      iothread: system.ioThread === true,
    },
  }
}

function hardwareOf(options: Options): VmShape['hardware'] {
  const isOn = (key: string) => options[key] === '1'
  return {
    cpu_type: cpuType(options.cpu),
    bios: options.bios ?? 'seabios',
    machine: options.machine ?? 'pc',
    scsihw: options.scsihw ?? 'lsi',
    balloon: Number(options.balloon ?? 0),
    numa: isOn('numa'),
    tpm: options.tpmstate0 !== undefined,
    onboot: isOn('onboot'),
    serial: options.serial0 === 'socket',
  }
}

function cpuType(option = 'kvm64'): string {
  const [first = '', ...others] = option.split(',')
  const named = [first, ...others].find((part) => part.startsWith('cputype='))
  return named?.slice('cputype='.length) ?? first
}

/** What most VMs have. */
export function vmSettings(shapes: readonly VmShape[]): Readonly<Record<string, unknown>> {
  const keys = Object.keys(shapes[0]?.hardware ?? {})
  const flags = Object.keys(shapes[0]?.diskFlags ?? {})
  return {
    ...Object.fromEntries(keys.map((key) => [key, mostCommon(shapes.map(({ hardware }) => hardware[key]))])),
    disk: Object.fromEntries(flags.map((key) => [key, mostCommon(shapes.map(({ diskFlags }) => diskFlags[key]))])),
  }
}

function dataDisks(options: Options): VmShape['disks'] {
  const disks: { size: number; datastore?: string }[] = []
  for (let slot = 1; ; slot++) {
    const option = options[`scsi${slot}`]
    const size = option === undefined ? undefined : parseDisk(option).size
    if (option === undefined || size === undefined || option.includes('media=cdrom')) return disks
    const datastore = datastoreIn(option)
    disks.push({ size, ...(datastore === undefined ? {} : { datastore }) })
  }
}

function datastoreIn(option: string | undefined): string | undefined {
  const [storage = '', volume] = (option ?? '').split(',')[0]?.split(':') ?? []
  return volume === undefined ? undefined : storage
}
