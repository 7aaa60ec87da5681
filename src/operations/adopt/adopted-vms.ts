import { mapLimit } from '../../cluster/map-limit.js'
import { adoptedMachine, findDoubt } from '../../observe/ask-adoptable.js'
import { readMark } from '../../ownership/mark.js'
import type { Session } from '../session.js'

/** The VM of an adopted machine, by the UUID and MAC of the inventory. */
export interface AdoptedVm {
  readonly name: string
  readonly vmid: number
  readonly pool?: string
  /** `ichor up` has taken it over. */
  readonly isMarked: boolean
  /** Why it is not certain that it is that machine. */
  doubt(signal: AbortSignal): Promise<string | undefined>
}

const atOnce = 8

/** Wherever they are. Two VMs with one identity are both found, and doubted. */
export async function adoptedVms(
  { world, inventory: { machines } }: Pick<Session, 'world' | 'inventory'>,
  signal: AbortSignal,
): Promise<AdoptedVm[]> {
  const { guests } = await world.proxmox.cluster.resources(signal)
  const found = await mapLimit(
    guests.filter(({ kind, template }) => kind === 'qemu' && !template),
    atOnce,
    async (guest) => {
      const config = await world.proxmox.machines.findOptions(guest, signal)
      const machine = config === undefined ? undefined : adoptedMachine(guest, config, machines)
      if (config === undefined || machine === undefined) return []
      return [{ guest, machine, isMarked: readMark(config.options.description) !== undefined }]
    },
  )
  const all = found.flat().toSorted((one, other) => one.guest.vmid - other.guest.vmid)
  return all.map(({ guest, machine, isMarked }) => ({
    name: machine.name,
    vmid: guest.vmid,
    ...(guest.pool === undefined ? {} : { pool: guest.pool }),
    isMarked,
    doubt: async (signal) => {
      const twin = all.find((one) => one.machine === machine && one.guest.vmid !== guest.vmid)
      if (twin !== undefined) return `VM ${twin.guest.vmid} has the same UUID and MAC`
      return findDoubt(machine, guest, world, signal)
    },
  }))
}
