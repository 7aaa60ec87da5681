import { groupBy } from '../cluster/lookup.js'
import type { VmRef } from '../cluster/machine.js'
import type { CollectedRefusals } from '../findings/refusals/collect-refusals.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { homeOf } from '../ownership/home.js'
import { allocateVmids } from '../placement/allocate.js'
import type { Facts, GuestFacts, HostFacts, MoveFacts } from '../placement/facts.js'
import { place } from '../placement/place.js'
import { disksOnStorages } from '../proxmox/model/disks-on-storages.js'
import { freeSpace } from '../proxmox/model/free-space.js'

/** The current or planned host of a machine. */
export interface Place extends VmRef {
  /** The host that it moves to. */
  readonly moveTo?: string
  /** The host that it left because of an evacuation. */
  readonly home?: string
}

/** Host and VMID of every wanted machine; what does not fit is refused, and has neither. */
export function placesOf(inventory: Inventory, observed: Observed, refusals: CollectedRefusals): Map<string, Place> {
  const facts = factsFrom(observed)
  // They use space on their current host, whatever the inventory specifies now, unless the host is evacuated.
  const hostOf = refusals.attempt(() => place(inventory, facts, { mayMove: false }).hostOf, new Map<string, string>())
  const vmids = refusals.attempt(() => allocateVmids(inventory, facts, skipped(observed)), new Map<string, number>())
  const machines = new Map(observed.machines.map((machine) => [machine.name, machine]))
  return new Map(
    inventory.machines.map(({ name }) => {
      const seen = machines.get(name)
      const host = hostOf.get(name) ?? seen?.host ?? ''
      const home = seen === undefined ? observed.proxmox.homes?.[name] : homeOf(seen.mark)
      if (seen === undefined)
        return [name, { host, vmid: vmids.get(name) ?? 0, ...(home === undefined ? {} : { home }) }]
      const move = { ...(host === seen.host ? {} : { moveTo: host }), ...(home === undefined ? {} : { home }) }
      return [name, { host: seen.host, vmid: seen.vmid, ...move }]
    }),
  )
}

/** The observed state as input for placement. */
export function factsFrom(observed: Observed): Facts {
  const { hosts, storages, pciMappings, homes = {} } = observed.proxmox
  const available = groupBy(
    storages.filter((storage) => storage.available),
    ({ host }) => host,
  )
  return {
    hosts: hosts.map((host) => hostFacts(host, available.get(host.name) ?? [], pciMappings)),
    guests: guestFacts(observed),
    homes,
  }
}

function hostFacts(
  { name, online, maintenance, cpus, memory, memoryUsed }: Observed['proxmox']['hosts'][number],
  storages: Observed['proxmox']['storages'],
  pciMappings: Observed['proxmox']['pciMappings'],
): HostFacts {
  return {
    name,
    online,
    maintenance,
    cpus: cpus ?? 0,
    memory: memory ?? 0,
    ...(memoryUsed === undefined ? {} : { memoryUsed }),
    storages: storages.map(({ storage, shared, content, total, ...space }) => ({
      id: storage,
      shared,
      total,
      free: freeSpace({ total, ...space }),
      content,
    })),
    pciMappings: pciMappings.filter(({ hosts }) => hosts.includes(name)).map(({ id }) => id),
  }
}

/** All guests of Proxmox; ours under the name of their machine, including planned ones. */
function guestFacts({ proxmox, machines, unverified }: Observed): GuestFacts[] {
  const shared = new Set(proxmox.storages.filter((storage) => storage.shared).map(({ storage }) => storage))
  const ours = machines.map((machine): GuestFacts => {
    const { name, vmid, host, options, status } = machine
    return {
      vmid,
      name,
      host,
      cpus: Number(options.cores ?? 1) * Number(options.sockets ?? 1),
      memory: Number(options.memory ?? 512) * 1024 ** 2,
      running: status === 'running',
      onboot: options.onboot === '1',
      isOurs: true,
      ...(isMovable(machine) ? { move: moveFacts(machine, shared) } : {}),
    }
  })
  const away = unverified.flatMap(({ because, holds, vmid, host }) =>
    because === 'away' && holds !== undefined ? [awayFacts(vmid, holds, host)] : [],
  )
  const own = new Set([...machines, ...away].map(({ vmid }) => vmid))
  const others = proxmox.guests
    .filter(({ vmid }) => !own.has(vmid))
    .map(
      ({ vmid, name, host, cpus, memory, status, onboot = false }): GuestFacts => ({
        vmid,
        ...(name === undefined ? {} : { name }),
        host,
        cpus,
        memory,
        running: status === 'running',
        onboot,
        isOurs: false,
      }),
    )
  return [...ours, ...away, ...others]
}

/**
 * A machine that is still being created is finished first; so is a mark without a seal, which may not be written yet.
 */
function isMovable({ mark, isSealed }: ObservedMachine): boolean {
  return mark.stage === 'made' && isSealed
}

function moveFacts({ mark, options }: ObservedMachine, shared: ReadonlySet<string>): MoveFacts {
  const home = homeOf(mark)
  const disks = disksOnStorages(options).map(({ storage, size }) => ({ storage, size: shared.has(storage) ? 0 : size }))
  return { disks, ...(home === undefined ? {} : { home }) }
}

/** A machine of ours on a silent host stays there. Its size is unknown, so it does not count as growing. */
function awayFacts(vmid: number, name: string, host: string): GuestFacts {
  const unknown = Number.POSITIVE_INFINITY
  return { vmid, name, host, cpus: unknown, memory: unknown, running: false, onboot: false, isOurs: true }
}

function skipped({ unverified, proxmox: { hidden = [] } }: Observed): number[] {
  return [...unverified.filter(({ because }) => because === 'stub'), ...hidden].map(({ vmid }) => vmid)
}
