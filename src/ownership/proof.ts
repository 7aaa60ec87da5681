import type { VmRef } from '../cluster/machine.js'
import type { VmConfig } from '../proxmox/client/port.js'
import { identityOfVm } from './identity-of-vm.js'
import { type Mark, readMark } from './mark.js'

export type Ownership =
  | { readonly owned: true; readonly mark: Mark }
  | { readonly owned: false; readonly because: NotOurs; readonly text: string; readonly mark?: Mark }

export type NotOurs = 'no-mark' | 'other-cluster' | 'copy' | 'identity-differs'

/**
 * Whether this VM is a machine of this cluster, from the VM alone: the mark names the cluster and the VMID it stands
 * under, and its UUID and MAC are those of the VM. A VMID alone proves nothing: it is reused within seconds.
 */
export function proveOwnership(config: Pick<VmConfig, 'options'>, vm: VmRef, cluster: string): Ownership {
  const mark = readMark(config.options.description)
  const subject = `VM ${vm.vmid} on ${vm.host}`
  if (mark === undefined) return { owned: false, because: 'no-mark', text: `${subject} carries no mark of ichor.` }
  const not = (because: NotOurs, text: string): Ownership => ({ owned: false, because, text, mark })
  if (mark.cluster !== cluster) {
    return not('other-cluster', `${subject} is ${mark.node} of another cluster. It is left alone.`)
  }
  if (mark.vmid !== vm.vmid) {
    const origin = `the mark of ${mark.node}, which is VM ${mark.vmid}`
    return not('copy', `${subject} is a copy: it carries ${origin}. It is left alone.`)
  }
  const difference = differenceOf(mark, config)
  if (difference !== undefined)
    return not('identity-differs', `${subject} is marked as ${mark.node}, but ${difference}.`)
  return { owned: true, mark }
}

/**
 * A machine that is still being made may lack a part; one that it has must be the right one. A clone that has not been
 * given its identity yet has that of its own making, and says so in its mark.
 */
function differenceOf(mark: Mark, config: Pick<VmConfig, 'options'>): string | undefined {
  if (mark.stage === 'making' && mark.more?.identity === 'pending') return undefined
  const seen = identityOfVm(config)
  for (const part of ['uuid', 'mac'] as const) {
    if (seen[part] === mark[part] || (seen[part] === undefined && mark.stage === 'making')) continue
    return `its ${part} is ${seen[part] ?? 'missing'} in place of ${mark[part]}`
  }
  return undefined
}
