import { parse } from 'yaml'
import { type IsoVolume, readIsoVolume } from './iso9660.js'
import { findPlatformNetwork, type PlatformNetwork } from './network-config.js'

/** What a nocloud node reads from its seed volume. */
export interface Seed {
  /** The machine config; missing if user-data is empty or a `#cloud-config`. */
  readonly config?: Uint8Array
  /** Only set with a network-config: without one Talos ignores the metadata. */
  readonly hostname?: string
  readonly network?: PlatformNetwork
}

/**
 * Finds the volume labelled `cidata` among the drives and reads it by nocloud's rules. A host name in the SMBIOS serial
 * (`h=name`) overrides the one of the volume.
 */
export function findSeed(drives: readonly Drive[], serial = ''): Seed | undefined {
  const files = findVolume(drives, ['cidata', 'CIDATA'])
  if (files === undefined) return undefined
  const text = (name: string) => Buffer.from(files.get(name) ?? []).toString('utf8')
  const seed = seedOf(files.get('user-data') ?? new Uint8Array(), text('meta-data'), text('network-config'))
  const hostname = serial
    .split(';')
    .find((option) => option.startsWith('h='))
    ?.slice(2)
  return hostname === undefined || seed.network === undefined ? seed : { ...seed, hostname }
}

/** The config of a metal machine with `talos.config=metal-iso`: one file on the volume with that name. */
export function findMetalConfig(drives: readonly Drive[]): Uint8Array | undefined {
  return findVolume(drives, ['metal-iso'])?.get('config.yaml')
}

export interface Drive {
  bytes(): Uint8Array
}

function findVolume(drives: readonly Drive[], labels: readonly string[]): IsoVolume['files'] | undefined {
  const volumes = drives.map((drive) => readIsoVolume(drive.bytes()))
  return volumes.find((volume) => volume !== undefined && labels.includes(volume.label))?.files
}

function seedOf(userData: Uint8Array, metaData: string, networkConfig: string): Seed {
  const network = findPlatformNetwork(networkConfig)
  const hostname = network === undefined ? undefined : hostnameOf(metaData, Buffer.from(userData).toString('utf8'))
  return {
    ...(isMachineConfig(userData) ? { config: userData } : {}),
    ...(network === undefined ? {} : { network }),
    ...(hostname === undefined ? {} : { hostname }),
  }
}

function isMachineConfig(userData: Uint8Array): boolean {
  const start = Buffer.from(userData.subarray(0, 32)).toString('utf8')
  return userData.length > 0 && !start.startsWith('#cloud-config') && !start.startsWith('#include')
}

/** Proxmox's own drive has no hostname in its meta-data, so the one in user-data names the node. */
function hostnameOf(metaData: string, userData: string): string | undefined {
  const named = (text: string) => {
    const body = tryParse(text)
    return body?.hostname ?? body?.['local-hostname']
  }
  const hostname = named(metaData) ?? (userData.startsWith('#cloud-config') ? named(userData) : undefined)
  return typeof hostname === 'string' ? hostname : undefined
}

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
