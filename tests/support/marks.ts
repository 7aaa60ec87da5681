import { deriveIdentity } from '../../src/cluster/identity.js'
import { type Mark, writeMark } from '../../src/ownership/mark.js'
import { createSealer } from '../../src/ownership/seal.js'

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

/** Seals marks as the cluster of `aMark` does. */
export const aSealer = createSealer({ id: 'c1', secret: 'secret of c1' })

/** The description of a VM with that mark. */
export function described(mark: Mark, notes = ''): string {
  return writeMark(notes, mark, aSealer)
}
