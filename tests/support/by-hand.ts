import type { VmRef } from '../../src/cluster/machine.js'
import type { TaskRef } from '../../src/proxmox/port.js'
import type { World } from '../../src/world.js'
import type { Stage } from './lab.js'

/** Somebody who works on the lab beside ichor: with the web interface, talosctl or kubectl. */
export interface Hand {
  readonly world: World
  readonly signal: AbortSignal
  /** Where the VM of that name stands. */
  vm(name: string): Promise<VmRef>
  options(name: string): Promise<Readonly<Record<string, string>>>
  set(name: string, set: Readonly<Record<string, string | number>>): Promise<void>
  stop(name: string): Promise<void>
  /** Stops and deletes it. */
  remove(name: string): Promise<void>
  wait(task: Promise<TaskRef>): Promise<void>
}

export async function byHand(stage: Stage): Promise<Hand> {
  const { world } = await stage.connect()
  const signal = AbortSignal.timeout(600_000)
  const { machines, tasks, cluster } = world.proxmox
  const wait = async (task: Promise<TaskRef>) => void (await tasks.wait(await task, signal))
  const vm = async (name: string): Promise<VmRef> => {
    const found = (await cluster.resources(signal)).guests.find((guest) => guest.name === name)
    if (found === undefined) throw new Error(`the lab has no VM ${name}`)
    return { host: found.host, vmid: found.vmid }
  }
  const stop = async (name: string) => wait(machines.stop(await vm(name), signal))
  return {
    world,
    signal,
    vm,
    options: async (name) => (await machines.findConfig(await vm(name), signal))?.options ?? {},
    set: async (name, set) => machines.setOptions(await vm(name), { set }, signal),
    stop,
    remove: async (name) => {
      await stop(name)
      await wait(machines.remove(await vm(name), signal))
    },
    wait,
  }
}
