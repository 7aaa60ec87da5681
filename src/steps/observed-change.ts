import type { Desired } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { freshMark } from './mark-of.js'
import { machineOf } from './owned-vm.js'

/** The observed world with one machine changed; one that was not there appears as it is right after its claim. */
export function withMachine(
  observed: Observed,
  desired: Desired,
  name: string,
  change: Partial<ObservedMachine> | ((before: ObservedMachine) => Partial<ObservedMachine>),
): Observed {
  const before = observed.machines.find((machine) => machine.name === name) ?? claimed(desired, name)
  const after = { ...before, ...(typeof change === 'function' ? change(before) : change) }
  return { ...observed, machines: [...observed.machines.filter((machine) => machine.name !== name), after] }
}

export function withoutMachine(observed: Observed, name: string): Observed {
  const others = <V extends { name: string }>(vms: readonly V[]) => vms.filter((vm) => vm.name !== name)
  const gone = [...observed.machines, ...observed.templates].find((vm) => vm.name === name)?.vmid
  const guests = observed.proxmox.guests.filter(({ vmid }) => vmid !== gone)
  return {
    ...observed,
    machines: others(observed.machines),
    templates: others(observed.templates),
    proxmox: { ...observed.proxmox, guests },
  }
}

function claimed(desired: Desired, name: string): ObservedMachine {
  const wanted = machineOf(desired, name)
  const options = Object.fromEntries(Object.entries(wanted.options).map(([key, value]) => [key, optionText(value)]))
  return {
    name,
    host: wanted.host,
    vmid: wanted.vmid,
    mark: freshMark(wanted, desired),
    options: { ...options, ide2: 'none,media=cdrom' },
    status: 'stopped',
    pending: [],
    talos: { reach: 'off' },
    ...(wanted.address === undefined ? {} : { address: wanted.address }),
  }
}

function optionText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
}
