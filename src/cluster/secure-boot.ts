import { parseVersion } from './version.js'

/** Images enrol the keys of Secure Boot since Talos 1.14; the ISO always does. */
export function imageLacksKeys(settings: {
  readonly talos_version: string
  readonly talos: { readonly secure_boot: boolean; readonly boot: 'image' | 'iso' | 'template' }
}): boolean {
  const { talos_version, talos } = settings
  return talos.secure_boot && talos.boot !== 'iso' && (parseVersion(talos_version)?.minor ?? 0) < 14
}
