import type { Inventory } from '../inventory/inventory.js'
import type { SimFile } from '../simulator/index.js'

const MiB = 1024 ** 2

/** The ISO files that an inventory expects on storages: Talos to boot from, and installation media of guests. */
export function filesFor({ settings }: Pick<Inventory, 'settings'>): SimFile[] {
  const media = settings.guests.flatMap(({ iso }) => (iso === undefined ? [] : [{ volid: iso }]))
  const { iso } = settings.talos
  return [...(iso === undefined ? [] : [talosIso(iso, settings)]), ...media].filter(isOnce)
}

function isOnce({ volid }: SimFile, index: number, all: readonly SimFile[]): boolean {
  return all.findIndex((other) => other.volid === volid) === index
}

/** As downloaded from the factory for this inventory. */
function talosIso(volid: string, { talos, talos_version }: Inventory['settings']): SimFile {
  return {
    volid,
    medium: {
      kind: 'iso',
      talos: talos_version,
      schematic: talos.schematic ?? '',
      platform: talos.platform,
      arch: talos.arch,
      extensions: talos.extensions,
      kernelArgs: talos.kernel_args,
      secureBoot: talos.secure_boot,
      nominalSize: 100 * MiB,
      virtualSize: 100 * MiB,
    },
  }
}
