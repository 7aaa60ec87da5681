import { lookupBy, oncePer } from '../cluster/lookup.js'
import type { VmRef } from '../cluster/machine.js'
import type { Desired, DesiredTemplate } from '../desired/desired.js'
import { goneVm, unreadableVm } from '../findings/refusals/machines.js'
import type { ObservedTemplate } from '../observe/observed.js'
import type { Mark } from '../ownership/mark.js'
import { type Authority, proveOwnership } from '../ownership/proof.js'
import type { GuestResource, VmConfig, VmOptions } from '../proxmox/client/port.js'
import { findSeen, findWanted, isOurFirstWork } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'

/** A VM that was proven to be ours when it was read. */
export interface OwnedVm extends VmRef {
  readonly config: VmConfig
  readonly mark: Mark
}

const maxMoves = 3
const wantedTemplate = lookupBy(({ name }: DesiredTemplate) => name)
const seenTemplate = lookupBy(({ name }: ObservedTemplate) => name)
const guestByVmid = lookupBy(({ vmid }: GuestResource) => vmid)
/** This run recorded the VMIDs of all wanted machines before the first claim. */
const wantedVmids = oncePer((machines: Desired['machines']) => machines.map(({ vmid }) => vmid))

/** The current VM of a machine, by proof, on any host. `undefined` only if it certainly does not exist. */
export async function findOwned(name: string, context: WorkContext): Promise<OwnedVm | undefined> {
  const seen = findSeen(context.observed, name) ?? seenTemplate(context.observed.templates, name)
  const here = seen ?? wantedPlace(name, context)
  if (here === undefined) return undefined
  const owned = await readOwned(name, here, context)
  return owned !== undefined || seen === undefined ? owned : findMoved(name, seen, context)
}

/** It may move again during the search. A VM that is listed and cannot be read still exists. */
async function findMoved(name: string, last: VmRef, context: WorkContext): Promise<OwnedVm | undefined> {
  for (let moves = 1; moves <= maxMoves; moves++) {
    const { guests } = await context.proxmox.cluster.resources(context.signal)
    const listed = guestByVmid(guests, last.vmid)
    if (listed?.kind !== 'qemu') return undefined
    const config = await context.proxmox.machines.findConfig(listed, context.signal)
    if (config !== undefined) return provenVm(name, listed, config, context)
    await context.clock.sleep(1000, context.signal)
  }
  throw unreadableVm.refuse(`VM ${last.vmid} of ${name} is listed by Proxmox and cannot be read.`, {
    subject: { kind: 'machine', name },
    where: `Proxmox, machine ${name}`,
    fix: 'It may be migrating. Wait until the migration has finished, then run the same command again.',
  })
}

function wantedPlace(name: string, { desired }: WorkContext): VmRef | undefined {
  return findWanted(desired, name) ?? wantedTemplate(desired.templates, name)
}

/** Like `findOwned`, for a step that cannot continue without it. */
export async function getOwned(name: string, context: WorkContext): Promise<OwnedVm> {
  const place = wantedPlace(name, context)
  const owned =
    (await findOwned(name, context)) ?? (place === undefined ? undefined : await findMoved(name, place, context))
  if (owned !== undefined) return owned
  throw goneVm.refuse(`The VM of ${name} is gone, or it no longer carries our mark, UUID and MAC.`, {
    subject: { kind: 'machine', name },
    where: `Proxmox, machine ${name}`,
    fix: 'Run ichor plan to see the current state. Nothing was changed.',
  })
}

async function readOwned(name: string, { host, vmid }: VmRef, context: WorkContext): Promise<OwnedVm | undefined> {
  const config = await context.proxmox.machines.findConfig({ host, vmid }, context.signal)
  return config === undefined ? undefined : provenVm(name, { host, vmid }, config, context)
}

function provenVm(name: string, { host, vmid }: VmRef, config: VmConfig, context: WorkContext): OwnedVm | undefined {
  const authority = authorityOf(context)
  const proof = authority === undefined ? undefined : proveOwnership(config, { host, vmid }, authority)
  if (proof?.owned !== true || proof.mark.node !== name) return undefined
  return { host, vmid, config, mark: proof.mark }
}

function authorityOf({ desired, observed }: WorkContext): Authority | undefined {
  const { id, sealer } = desired.cluster
  if (id === undefined) return undefined
  return {
    cluster: id,
    ...(sealer === undefined ? {} : { sealer }),
    // No mark without a seal was ever written with secrets that this run creates.
    requiresSeal: observed.secrets.sealed || !observed.secrets.present,
    // An interrupted run may have created a VM under a VMID that is not wanted any more.
    intent: new Set([...wantedVmids(desired.machines), ...observed.proxmox.intent]),
    unfinished: new Set([...(observed.proxmox.unfinished ?? []), desired.cluster.lease ?? []].flat()),
  }
}

/** Like `findOwned`, without values that a failed task left pending: Proxmox lists them like applied ones. */
export async function findApplied(name: string, context: WorkContext): Promise<OwnedVm | undefined> {
  const owned = await findOwned(name, context)
  if (owned === undefined || isOurFirstWork(name, context)) return owned
  const waiting = await pendingKeys(owned, context)
  const options = Object.entries(owned.config.options).filter(([key]) => !waiting.includes(key))
  return { ...owned, config: { ...owned.config, options: Object.fromEntries(options) } }
}

/** Any write to a VM that is off applies its pending values. */
export async function applyPending(name: string, context: WorkContext): Promise<void> {
  if (isOurFirstWork(name, context)) return
  const waiting = await pendingKeys(await getOwned(name, context), context)
  if (waiting.length === 0) return
  context.note(`applying ${waiting.join(', ')}, which an interrupted change has left pending`)
  await setOwned(name, ({ config: { options } }) => ({ description: options.description ?? '' }), context)
}

/** Options that are pending on a VM. */
async function pendingKeys(owned: OwnedVm, { proxmox, signal }: WorkContext): Promise<string[]> {
  const changes = await proxmox.machines.pending(owned, signal)
  return changes.filter(({ value, pending }) => value === undefined && pending !== undefined).map(({ key }) => key)
}

const maxWrites = 5

/** New values by key; `undefined` removes the option. */
export type OptionChange = Readonly<Record<string, VmOptions[string] | undefined>>

/**
 * Sets options of one of our VMs, computed from its current ones. If anything else wrote in between (often another step
 * of the same run), it reads again. Writes nothing if `change` returns nothing.
 */
export async function setOwned(
  name: string,
  change: (owned: OwnedVm) => OptionChange | undefined,
  context: WorkContext,
  { deleteDisks = false }: { readonly deleteDisks?: boolean } = {},
): Promise<OwnedVm> {
  for (let attempt = 1; ; attempt++) {
    const owned = await getOwned(name, context)
    const changed = change(owned)
    if (changed === undefined) return owned
    context.assertLease()
    try {
      const { digest } = owned.config
      const sorted = sortedOut(changed)
      const isDeleting = deleteDisks && sorted.delete !== undefined
      await context.proxmox.machines.setOptions(
        owned,
        { ...sorted, digest, ...(isDeleting ? { deletesDisks: true } : {}) },
        context.signal,
      )
      return owned
    } catch (thrown) {
      if ((thrown as { kind?: unknown }).kind !== 'changed' || attempt === maxWrites) throw thrown
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

/** Like `settle`, for a VM that this round creates: before the first attempt no task of an earlier run concerns it. */
export async function settleKnown(name: string, vm: VmRef, context: WorkContext): Promise<void> {
  if (!isOurFirstWork(name, context)) await settle(vm, context)
}

/** Waits for tasks that still run on this VM (ours, from before a kill or a lost response) instead of racing them. */
export async function settle(vm: VmRef, context: WorkContext): Promise<void> {
  const running = await context.proxmox.tasks.running(vm.host, context.signal)
  for (const task of running.filter(
    ({ id, type }) => type === 'qmclone' || (id === String(vm.vmid) && type.startsWith('qm')),
  )) {
    context.note(`waiting for ${task.type} of VM ${vm.vmid} that is still running`)
    await context.proxmox.tasks.wait(task, context.signal).catch(ignoreVerdict)
  }
}

/** Whether that task succeeded is checked on the VM afterwards. */
function ignoreVerdict(): void {}
