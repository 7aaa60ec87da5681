import type { Seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { wasBootstrapped } from '../etcd/was-bootstrapped.js'
import type { Observed } from '../observe/observed.js'
import type { Unknown } from './plan.js'

/** What the plan needs and could not observe: while there is any, nothing counts as finished. */
export function unknownsOf(desired: Desired, observed: Observed): Unknown[] {
  const { away, cluster, machines } = desired
  const { etcd, kubernetes, unverified } = observed
  const isInside = cluster.until !== 'vms' && wasBootstrapped(observed) && machines.length > 0
  const held = new Set(away.map(({ vmid }) => vmid))
  return [
    ...away.map(({ machine, host, vmid, doubt }) => ({
      what: machine.name,
      why:
        doubt === undefined
          ? `VM ${vmid} is on ${host}, which does not answer`
          : `VM ${vmid} is not taken over yet: ${doubt.replace(/\.$/, '')}`,
    })),
    ...unverified
      .filter(({ because, vmid }) => because === 'away' && !held.has(vmid))
      .map(({ vmid, host }) => ({ what: `VM ${vmid}`, why: `it is on ${host}, which does not answer` })),
    ...unverified
      .filter(({ mayBeTemplate }) => mayBeTemplate)
      .map(({ vmid, host }) => ({ what: `template VM ${vmid}`, why: `it is on ${host}, which does not answer` })),
    ...whatProxmoxHides(observed),
    ...whatStoragesHide(observed),
    ...(isInside ? whatNodesHide(desired, observed) : []),
    ...(isInside && !etcd.seen ? [{ what: 'etcd', why: etcd.why }] : []),
    ...(isInside && !kubernetes.seen ? [{ what: 'Kubernetes', why: kubernetes.why }] : []),
  ]
}

/** Other than its VMs. What a narrow token may not see and the inventory does not use is not queried. */
export function whatProxmoxHides({ proxmox: { backupJobs, ha, firewall }, machines }: Observed): Unknown[] {
  return [
    ...hidden('the backup job', backupJobs),
    ...hidden('high availability', ha),
    ...hidden('the firewall of Proxmox', firewall),
    ...machines.flatMap(({ name, rules }) => hidden(`firewall rules of ${name}`, rules)),
  ]
}

/** Queried only if a seed with cluster keys may have been left there, or if an image is needed. */
export function whatStoragesHide({ proxmox }: Observed): Unknown[] {
  return proxmox.contents.flatMap(({ host, storage, volumes }) => hidden(`storage ${storage} on ${host}`, volumes))
}

/** Whether they match the wanted state is unknown. */
function whatNodesHide({ machines: wanted }: Desired, { machines }: Observed): Unknown[] {
  const compared = new Set(wanted.filter(({ installer }) => installer.isCompared).map(({ machine }) => machine.name))
  return machines.flatMap(({ name, talos }) =>
    talos.reach !== 'secured'
      ? []
      : [
          ...hidden(`config of ${name}`, talos.config),
          ...hidden(`saved config of ${name}`, talos.persisted),
          ...(compared.has(name) ? hidden(`schematic of ${name}`, talos.schematic) : []),
        ],
  )
}

function hidden(what: string, part: Seen<unknown> | undefined): Unknown[] {
  return part === undefined || part.seen ? [] : [{ what, why: part.why }]
}
