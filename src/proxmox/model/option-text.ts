import { flag } from './options/codec.js'

/** An option of a VM as Proxmox prints it. */
export function optionText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? flag.write(value) : String(value)
}

/** Proxmox's default for a VM without this option. */
export const defaultMemoryMiB = 512
export const defaultCores = 1
