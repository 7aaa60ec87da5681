import { missingMedium } from '../../findings/refusals/inventory.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import type { MissingName } from './unfit-site.js'

/** Media that the user provides, on no storage that was read: where nothing can be placed, no host is chosen yet. */
export function missingMedia(
  { settings: { talos, guests } }: Inventory,
  { proxmox }: Pick<Observed, 'proxmox'>,
): MissingName[] {
  const there = new Set(proxmox.guests.flatMap(({ name, vmid }) => [name, vmid]))
  const named = [
    ...(talos.iso === undefined ? [] : [{ volid: talos.iso, path: 'talos.iso' }]),
    ...guests.flatMap(({ name, vmid, iso, create }, index) =>
      iso === undefined || !create || there.has(name) || there.has(vmid)
        ? []
        : [{ volid: iso, path: `guests[${index}].iso` }],
    ),
  ]
  return named
    .filter(({ volid }) => isNowhere(volid, proxmox))
    .map(({ volid, path }) => ({
      refusal: missingMedium,
      path,
      message: `${volid} is on no host.`,
      fix: path === 'talos.iso' ? 'Upload it, or leave talos.iso out: ichor then fetches one.' : 'Upload it.',
    }))
}

function isNowhere(volid: string, { contents }: Observed['proxmox']): boolean {
  const looked = contents.filter(({ storage, content }) => storage === volid.split(':')[0] && content === 'iso')
  return (
    looked.length > 0 &&
    looked.every(({ volumes }) => volumes.seen && !volumes.value.some((volume) => volume.volid === volid))
  )
}
