import type { VmRef } from '../cluster/machine.js'
import type { VmConfig } from '../proxmox/client/port.js'
import { isOfAnotherBirth } from './born.js'
import { identityOfVm } from './identity-of-vm.js'
import { lacksIdentity, type Mark, readMark, type WrittenMark } from './mark.js'
import { withoutOldRequests } from './requests.js'
import type { Sealer } from './seal.js'

export type Ownership =
  | { readonly owned: true; readonly mark: Mark; readonly isSealed: boolean }
  | { readonly owned: false; readonly because: NotOurs; readonly text: string; readonly mark?: Mark }

export type NotOurs = 'no-mark' | 'other-cluster' | 'copy' | 'identity-differs' | 'broken-seal'

/** What a VM is checked against. */
export interface Authority {
  /** `clusterMarkId` of the bundle. */
  readonly cluster: string
  /** Absent if the secrets are lost: then seals cannot be checked. */
  readonly sealer?: Sealer
  /** All marks of the cluster have been sealed, so one without a seal is forged or damaged. */
  readonly requiresSeal: boolean
  /** VMIDs that our runs may have claimed: only these may be clones that still wait for their identity. */
  readonly intent: ReadonlySet<number>
  /** Leases whose runs may have left requests in marks. */
  readonly unfinished: ReadonlySet<number>
}

/**
 * Whether this VM is a machine of this cluster, from the VM alone: the mark is sealed with the cluster secrets,
 * contains the VM's VMID and creation time, and its UUID and MAC match the VM. A VMID alone proves nothing: it can be
 * reused within seconds.
 */
export function proveOwnership(config: Pick<VmConfig, 'options'>, vm: VmRef, authority: Authority): Ownership {
  const written = readMark(config.options.description)
  const subject = `VM ${vm.vmid} on ${vm.host}`
  if (written === undefined) return { owned: false, because: 'no-mark', text: `${subject} carries no mark of ichor.` }
  const { mark } = written
  const not = (because: NotOurs, text: string): Ownership => ({ owned: false, because, text, mark })
  if (mark.cluster !== authority.cluster) {
    return not('other-cluster', `${subject} is ${mark.node} of another cluster. It is not changed.`)
  }
  if (mark.vmid !== vm.vmid) {
    const origin = `the mark of ${mark.node}, which is VM ${mark.vmid}`
    return not('copy', `${subject} is a copy: it carries ${origin}. It is not changed.`)
  }
  const broken = brokenSeal(written, authority)
  if (broken !== undefined) return not('broken-seal', `${subject} is marked as ${mark.node}, but ${broken}.`)
  if (isOfAnotherBirth(mark, config)) {
    return not('copy', `${subject} carries the mark of ${mark.node}, and was made later than that. It is left alone.`)
  }
  const difference = differenceOf(mark, config, authority)
  if (difference !== undefined)
    return not('identity-differs', `${subject} is marked as ${mark.node}, but ${difference}.`)
  return { owned: true, mark: withoutOldRequests(mark, authority.unfinished), isSealed: written.seal !== undefined }
}

function brokenSeal({ seal, lines }: WrittenMark, { sealer, requiresSeal }: Authority): string | undefined {
  if (sealer === undefined) return undefined
  if (seal === undefined) return requiresSeal ? 'its mark has no seal' : undefined
  return sealer.isSealed(lines, seal)
    ? undefined
    : 'the seal of its mark is invalid: it was not written by this cluster'
}

/**
 * A machine that is still being created may lack a part, but existing parts must match. A clone without its final
 * identity has a generated one, and its mark records that.
 */
function differenceOf(mark: Mark, config: Pick<VmConfig, 'options'>, { intent }: Authority): string | undefined {
  if (mark.stage === 'making' && lacksIdentity(mark)) {
    return intent.has(mark.vmid) ? undefined : 'no run of ichor recorded that it would create it'
  }
  const seen = identityOfVm(config)
  for (const part of ['uuid', 'mac'] as const) {
    if (seen[part] === mark[part] || (seen[part] === undefined && mark.stage === 'making')) continue
    return `its ${part} is ${seen[part] ?? 'missing'} in place of ${mark[part]}`
  }
  return undefined
}
