import type { World } from '../world.js'
import { findAddress } from './node-address.js'
import type { WorkContext } from './work-context.js'

/** The API through the control planes, one after another: it must work before the VIP does. */
export async function kubernetesApi(world: World, context: WorkContext) {
  const controlPlanes = context.desired.machines.filter(({ machine }) => machine.role === 'controlplane')
  const addresses = await Promise.all(controlPlanes.map(({ machine }) => findAddress(machine.name, world, context)))
  const known = addresses.filter((address) => address !== undefined)
  if (known.length === 0) throw new Error('no control plane has an address yet')
  return world.kubernetes.at(known.map((host) => ({ host, port: 6443 })))
}
