import type { Machine } from '../cluster/machine.js'
import { reasonOf } from '../errors.js'
import { identityOfVm } from '../ownership/identity-of-vm.js'
import type { Mark } from '../ownership/mark.js'
import type { GuestResource, SeenOptions } from '../proxmox/client/port.js'
import type { World } from '../world.js'

/** The machine that something else made and whose VM this is by UUID and MAC, as the inventory records them. */
export function adoptedMachine(
  guest: GuestResource,
  config: SeenOptions,
  machines: readonly Machine[],
): Machine | undefined {
  const { uuid, mac } = identityOfVm(config)
  if (guest.template || uuid === undefined) return undefined
  return machines.find(
    ({ adopted, identity }) => adopted !== undefined && identity.uuid === uuid && identity.mac === mac,
  )
}

/** Why its node has not shown that it is that machine; `undefined` if it has. */
export async function findDoubt(
  { name, address, identity }: Machine,
  guest: GuestResource,
  { talos }: World,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (guest.status !== 'running') return 'it is off'
  if (address === undefined) return 'the inventory has no address of its node'
  try {
    // The connection is refused unless the CA of the cluster has signed what the node shows.
    const uuid = await talos.node({ machine: name, address }).resources.systemUuid(signal)
    return uuid.toLowerCase() === identity.uuid ? undefined : `the node at ${address} has another UUID`
  } catch (thrown) {
    signal.throwIfAborted()
    return reasonOf(thrown)
  }
}

/** The mark of a machine before it has one: enough to compare it with the inventory. */
export function markToGive({ name, role, identity }: Machine, cluster: string, vmid: number): Mark {
  return {
    cluster,
    node: name,
    role,
    vmid,
    uuid: identity.uuid,
    mac: identity.mac,
    stage: 'made',
    spec: '',
    image: '',
    talos: '',
    kubernetes: '',
  }
}
