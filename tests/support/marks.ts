import { deriveIdentity } from '../../src/cluster/identity.js'
import type { Mark } from '../../src/ownership/mark.js'

/** What stands on the VM of a machine of cluster `c1`: a control plane where its name says so. */
export function aMark(node: string, vmid: number, change: Partial<Mark> = {}): Mark {
  return {
    cluster: 'c1',
    node,
    role: node.includes('cp-') ? 'controlplane' : 'worker',
    vmid,
    ...deriveIdentity('dev', node),
    stage: 'made',
    spec: 's',
    image: 'i',
    talos: 'v1.13.9',
    kubernetes: 'v1.34.1',
    ...change,
  }
}

/** The options that prove the mark, as Proxmox reports them. */
export function hardwareOf(node: string) {
  const { uuid, mac } = deriveIdentity('dev', node)
  return { smbios1: `uuid=${uuid}`, net0: `virtio=${mac},bridge=vmbr0` }
}
