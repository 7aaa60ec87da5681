import { seen } from '../cluster/seen.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { Observed, ObservedGuest, ObservedMachine } from '../observe/observed.js'

/** Guests and nodes here are those from before the first step: the model keeps its own. */
type Surroundings = Omit<Observed, 'machines'>

/** The predicted state after some steps: a working copy of the observed state, which step effects change one by one. */
export interface Model {
  /** Everything except machines, guests and nodes. */
  readonly around: Surroundings
  readonly machines: ReadonlyMap<string, ObservedMachine>
  /** The `machines` that are control planes. */
  readonly controlPlanes: ReadonlyMap<string, ObservedMachine>
  setMachine(machine: ObservedMachine): void
  removeMachine(name: string): void
  addGuest(guest: ObservedGuest): void
  removeGuest(vmid: number): void
  setGuestStatus(vmid: number, status: ObservedGuest['status']): void
  /** Identified by its system UUID. */
  setNode(node: NodeInfo): void
  removeNode(name: string): void
  change(how: (around: Surroundings) => Partial<Surroundings>): void
  observed(): Observed
}

export function createModel({ machines, ...rest }: Observed): Model {
  let around: Surroundings = rest
  const byName = new Map(machines.map((machine) => [machine.name, machine]))
  const controlPlanes = new Map([...byName].filter(([, machine]) => isControlPlane(machine)))
  const guests = new Map(rest.proxmox.guests.map((guest) => [guest.vmid, guest]))
  const nodes = createNodes(rest.kubernetes)
  return {
    get around() {
      return around
    },
    machines: byName,
    controlPlanes,
    setMachine: (machine) => {
      byName.set(machine.name, machine)
      if (isControlPlane(machine)) controlPlanes.set(machine.name, machine)
    },
    removeMachine: (name) => {
      byName.delete(name)
      controlPlanes.delete(name)
    },
    addGuest: (guest) => void guests.set(guest.vmid, guest),
    removeGuest: (vmid) => void guests.delete(vmid),
    setGuestStatus: (vmid, status) => {
      const guest = guests.get(vmid)
      if (guest !== undefined) guests.set(vmid, { ...guest, status })
    },
    setNode: nodes.set,
    removeNode: nodes.remove,
    change: (how) => {
      around = { ...around, ...how(around) }
    },
    observed: () => ({
      ...around,
      proxmox: { ...around.proxmox, guests: [...guests.values()] },
      kubernetes: nodes.within(around.kubernetes),
      machines: [...byName.values()],
    }),
  }
}

function isControlPlane({ mark }: ObservedMachine): boolean {
  return mark.role === 'controlplane'
}

/** The nodes of the model, which are seen only if Kubernetes is. */
function createNodes(before: Observed['kubernetes']) {
  const known = before.seen ? (before.value?.nodes ?? []) : []
  const byUuid = new Map(known.map((node) => [node.systemUuid, node]))
  const uuidOf = new Map(known.map(({ name, systemUuid }) => [name, systemUuid]))
  return {
    set: (node: NodeInfo) => {
      byUuid.delete(node.systemUuid)
      byUuid.set(node.systemUuid, node)
      uuidOf.set(node.name, node.systemUuid)
    },
    remove: (name: string) => {
      byUuid.delete(uuidOf.get(name) ?? '')
      uuidOf.delete(name)
    },
    within: (kubernetes: Observed['kubernetes']): Observed['kubernetes'] =>
      kubernetes.seen && kubernetes.value !== undefined
        ? seen({ ...kubernetes.value, nodes: [...byUuid.values()] })
        : kubernetes,
  }
}
