import { flag } from './options/codec.js'

/** An option of a VM as Proxmox prints it. */
export function optionText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? flag.write(value) : String(value)
}

/** What Proxmox takes for an option that a VM does not have. */
export const defaultMemoryMiB = 512
export const defaultCores = 1
