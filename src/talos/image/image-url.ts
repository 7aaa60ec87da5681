import { parseVersion } from '../../cluster/version.js'

export type Platform = 'nocloud' | 'metal'
export type Arch = 'amd64' | 'arm64'
/** Formats that Proxmox accepts: a disk image as it is, a compressed one, or a CD. */
export type ImageFormat = 'qcow2' | 'raw' | 'raw.gz' | 'raw.zst' | 'raw.xz' | 'iso'

const publicFactory = 'https://factory.talos.dev'

/** One image of a factory. */
export interface ImageChoice {
  readonly factoryUrl?: string
  readonly schematic: string
  /** With or without `v`. */
  readonly talosVersion: string
  readonly platform: Platform
  readonly arch: Arch
  readonly secureBoot?: boolean
}

/** The download URL of a boot image; its schematic must be registered first. */
export function imageUrl(choice: ImageChoice & { readonly format: ImageFormat }): string {
  const { schematic, talosVersion, platform, arch, format } = choice
  const base = (choice.factoryUrl ?? publicFactory).replace(/\/+$/, '')
  const secure = choice.secureBoot === true ? '-secureboot' : ''
  return `${base}/image/${schematic}/${withV(talosVersion)}/${platform}-${arch}${secure}.${format}`
}

/**
 * The container image that installs or upgrades a node of this platform. Until 1.10 there was one for all platforms.
 */
export function installerImage(choice: Omit<ImageChoice, 'arch'>): string {
  const registry = new URL(choice.factoryUrl ?? publicFactory).host
  const secure = choice.secureBoot === true ? '-secureboot' : ''
  const name = hasPlatformInstallers(choice.talosVersion) ? `${choice.platform}-installer` : 'installer'
  return `${registry}/${name}${secure}/${choice.schematic}:${withV(choice.talosVersion)}`
}

function hasPlatformInstallers(talosVersion: string): boolean {
  const version = parseVersion(talosVersion)
  return version === undefined || version.major > 1 || version.minor >= 10
}

function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`
}
