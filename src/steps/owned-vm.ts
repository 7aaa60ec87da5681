import type { VmRef } from '../cluster/machine.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Mark } from '../ownership/mark.js'
import { proveOwnership } from '../ownership/proof.js'
import type { VmConfig, VmOptions } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import type { StepContext } from './step.js'

/** A VM that was proven to be ours in the moment it was read. */
export interface OwnedVm extends VmRef {
  readonly config: VmConfig
  readonly mark: Mark
}

/** The machine of that name; planning and doing never ask for one that is not wanted. */
export function machineOf(desired: Desired, name: string | undefined): DesiredMachine {
  const found = desired.machines.find(({ machine }) => machine.name === name)
  if (found === undefined) throw new Error(`no machine ${name} is wanted`)
  return found
}

/** The VM of a machine as it is now, looked for where it was seen, where it is wanted, and then everywhere. */
export async function findOwned(name: string, world: World, context: StepContext): Promise<OwnedVm | undefined> {
  const seen = [...context.observed.machines, ...context.observed.templates].find((vm) => vm.name === name)
  const wanted = wantedPlace(name, context)
  const here = seen ?? wanted
  if (here === undefined) return undefined
  const owned = await readOwned(name, here, world, context)
  if (owned !== undefined || seen === undefined) return owned
  const { guests } = await world.proxmox.cluster.resources(context.signal)
  const moved = guests.find((guest) => guest.kind === 'qemu' && guest.vmid === seen.vmid && guest.host !== seen.host)
  return moved === undefined ? undefined : readOwned(name, moved, world, context)
}

function wantedPlace(name: string, { desired }: StepContext): VmRef | undefined {
  return (
    desired.machines.find(({ machine }) => machine.name === name) ??
    desired.templates.find((template) => template.name === name)
  )
}

/** As `findOwned`, for a step that cannot go on without it. */
export async function getOwned(name: string, world: World, context: StepContext): Promise<OwnedVm> {
  const owned = await findOwned(name, world, context)
  if (owned !== undefined) return owned
  throw new PlanRefused(`The VM of ${name} is gone, or it no longer carries our mark, UUID and MAC.`, {
    where: `Proxmox, machine ${name}`,
    fix: 'Run ichor plan to see what is there now. Nothing was changed.',
  })
}

async function readOwned(name: string, vm: VmRef, world: World, context: StepContext): Promise<OwnedVm | undefined> {
  const cluster = context.desired.cluster.id
  const config = await world.proxmox.machines.findConfig(vm, context.signal)
  if (config === undefined || cluster === undefined) return undefined
  const proof = proveOwnership(config, vm, cluster)
  if (!proof.owned || proof.mark.node !== name) return undefined
  return { host: vm.host, vmid: vm.vmid, config, mark: proof.mark }
}

const mostWrites = 5

/** New values by key; `undefined` takes the option away. */
export type OptionChange = Readonly<Record<string, VmOptions[string] | undefined>>

/**
 * Sets options of a VM of ours, worked out from what it has in this moment: whoever else wrote in between (often another
 * step of the same run) makes us read again. Nothing is written when `change` gives nothing.
 */
export async function setOwned(
  name: string,
  change: (owned: OwnedVm) => OptionChange | undefined,
  world: World,
  context: StepContext,
): Promise<OwnedVm> {
  for (let attempt = 1; ; attempt++) {
    const owned = await getOwned(name, world, context)
    const changed = change(owned)
    if (changed === undefined) return owned
    context.assertLease()
    try {
      const { digest } = owned.config
      await world.proxmox.machines.setOptions(owned, { ...sortedOut(changed), digest }, context.signal)
      return owned
    } catch (thrown) {
      if ((thrown as { kind?: unknown }).kind !== 'changed' || attempt === mostWrites) throw thrown
    }
  }
}

function sortedOut(change: OptionChange): { set: VmOptions; delete?: string[] } {
  const set: Record<string, VmOptions[string]> = {}
  const gone: string[] = []
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) gone.push(key)
    else set[key] = value
  }
  return { set, ...(gone.length > 0 ? { delete: gone } : {}) }
}

/** Workers that still run about this VM (ours, from before a kill or a lost answer) are waited for, not raced. */
export async function settle(vm: VmRef, world: World, context: StepContext): Promise<void> {
  const running = await world.proxmox.tasks.running(vm.host, context.signal)
  for (const task of running.filter(
    ({ id, type }) => type === 'qmclone' || (id === String(vm.vmid) && type.startsWith('qm')),
  )) {
    context.note(`waiting for ${task.type} of VM ${vm.vmid} that is still running`)
    await world.proxmox.tasks.wait(task, context.signal).catch(ignoreVerdict)
  }
}

/** Whether that worker succeeded is asked of the VM afterwards. */
function ignoreVerdict(): void {}
