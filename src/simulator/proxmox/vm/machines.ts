import type { Guest, GuestKind } from '../../core/guest.js'
import type { Datacenter } from '../datacenter.js'
import type { VmState } from '../state.js'
import { hardwareOf } from './hardware.js'

/** The running VMs. */
export interface Machines {
  powerOn(vm: VmState): void
  powerOff(vm: VmState): Promise<void>
  find(vmid: number): Guest | undefined
  /** The state of each running guest, for the saved lab. */
  save(): Record<string, unknown>
  /** Every running VM of the state continues from there. */
  resume(saved: Readonly<Record<string, unknown>>): void
  close(): Promise<void>
}

/** `onGuestGone` is called when a guest has powered off. */
export function createMachines(
  datacenter: () => Datacenter,
  kind: GuestKind,
  onGuestGone: (vm: VmState) => void,
): Machines {
  const guests = new Map<number, Guest>()

  const start = (vm: VmState, resumed?: unknown) => {
    const hardware = hardwareOf(datacenter(), vm, () => {
      if (guests.get(vm.vmid) !== guest) return
      guests.delete(vm.vmid)
      onGuestGone(vm)
    })
    const guest = resumed === undefined ? kind.powerOn(hardware) : kind.powerOn(hardware, resumed)
    guests.set(vm.vmid, guest)
  }

  const stop = async (vmid: number) => {
    const guest = guests.get(vmid)
    guests.delete(vmid)
    await guest?.powerOff()
  }

  return {
    powerOn: (vm) => start(vm),
    powerOff: (vm) => stop(vm.vmid),
    find: (vmid) => guests.get(vmid),
    save: () => Object.fromEntries([...guests].map(([vmid, guest]) => [vmid, guest.save()])),
    resume: (saved) => {
      for (const vm of Object.values(datacenter().state.vms)) if (vm.running) start(vm, saved[String(vm.vmid)])
    },
    close: async () => {
      await Promise.all([...guests.keys()].map(stop))
    },
  }
}
