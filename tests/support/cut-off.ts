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
