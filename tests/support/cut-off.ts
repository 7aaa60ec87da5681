import type { World } from '../../src/world.js'
import { aStub } from './stub.js'

const refused = () => Promise.reject(new Error('connect EHOSTUNREACH'))

/** A world whose Proxmox answers and whose nodes cannot be reached, as where a firewall stands between. */
export function withoutNodes(world: World): World {
  const { talos, kubernetes } = aStub<World>({
    talos: {
      node: () => ({
        version: refused,
        services: refused,
        resources: { machineStatus: refused, machineConfig: refused, systemUuid: refused },
        etcd: { status: refused, members: refused },
      }),
      maintenance: () => ({ findIdentity: refused }),
    },
    kubernetes: { at: () => ({ version: refused, nodes: refused }) },
  })
  return { ...world, talos, kubernetes }
}

/** A world whose Kubernetes does not list its nodes the first so many times that it is asked to. */
export function withoutNodeLists(times: number, world: World): World {
  let left = times
  const { at } = world.kubernetes
  const kubernetes: World['kubernetes'] = {
    ...world.kubernetes,
    at: (endpoints) => {
      const api = at(endpoints)
      return { ...api, nodes: (signal) => (left-- > 0 ? refused() : api.nodes(signal)) }
    },
  }
  return { ...world, kubernetes }
}
