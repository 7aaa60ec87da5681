import type { GuestResource } from '../proxmox/client/port.js'
import { ProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'

/** More than a large site ever starts at once. Beyond it, the list itself is at fault. */
const maxNameless = 1000

/** The statistics list the name of a new VM only after seconds; its config has it at once. */
export async function withNames(
  guests: readonly GuestResource[],
  { machines }: World['proxmox'],
  signal: AbortSignal,
): Promise<readonly GuestResource[]> {
  const isNameless = ({ name, kind }: GuestResource) => name === undefined && kind === 'qemu'
  const nameless = guests.filter(isNameless).length
  if (nameless > maxNameless) throw withoutNames(nameless)
  return Promise.all(
    guests.map(async (guest) => {
      if (!isNameless(guest)) return guest
      const config = await machines.findConfig(guest, signal).catch(() => undefined)
      return config?.options.name === undefined ? guest : { ...guest, name: config.options.name }
    }),
  )
}

function withoutNames(count: number): ProxmoxError {
  return new ProxmoxError({
    method: 'GET',
    path: '/cluster/resources',
    status: 200,
    reason: `${count} VMs have no name, and one of them may be a guest of this inventory`,
    outcome: 'failed',
  })
}
