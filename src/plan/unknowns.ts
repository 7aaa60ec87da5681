import type { Desired } from '../desired/desired.js'
import { wasBootstrapped } from '../machine/was-bootstrapped.js'
import type { Observed } from '../observe/observed.js'
import type { Unknown } from './plan.js'

/** What should be judged and could not be seen: as long as there is any, nothing is called finished. */
export function unknownsOf(
  { away, cluster, machines, backupJob, highAvailability, vmFirewall }: Desired,
  observed: Observed,
): Unknown[] {
  const { etcd, kubernetes, unverified, proxmox } = observed
  const isInside = cluster.until !== 'vms' && wasBootstrapped(observed) && machines.length > 0
  const { backupJobs, ha, firewall } = observed.proxmox
  const held = new Set(away.map(({ vmid }) => vmid))
  return [
    ...away.map(({ machine, host, vmid }) => ({
      what: machine.name,
      why: `VM ${vmid} is on ${host}, which does not answer`,
    })),
    ...unverified
      .filter(({ because, vmid }) => because === 'away' && !held.has(vmid))
      .map(({ vmid, host }) => ({ what: `VM ${vmid}`, why: `it is on ${host}, which does not answer` })),
    ...(backupJob !== undefined && backupJobs?.seen === false ? [{ what: 'the backup job', why: backupJobs.why }] : []),
    ...(highAvailability !== undefined && ha?.seen === false ? [{ what: 'high availability', why: ha.why }] : []),
    ...(vmFirewall !== undefined && firewall?.seen === false
      ? [{ what: 'the firewall of Proxmox', why: firewall.why }]
      : []),
    // They are asked only where a seed with the keys of the cluster may have been forgotten, or an image is needed.
    ...proxmox.contents.flatMap(({ host, storage, volumes }) =>
      volumes.seen ? [] : [{ what: `storage ${storage} on ${host}`, why: volumes.why }],
    ),
    ...(isInside ? unreadConfigs(observed) : []),
    ...(isInside && !etcd.seen ? [{ what: 'etcd', why: etcd.why }] : []),
    ...(isInside && !kubernetes.seen ? [{ what: 'Kubernetes', why: kubernetes.why }] : []),
  ]
}

/** Whether they have the config that is wanted cannot be said. */
function unreadConfigs({ machines }: Observed): Unknown[] {
  return machines.flatMap(({ name, talos }) =>
    talos.reach === 'secured' && !talos.config.seen ? [{ what: `config of ${name}`, why: talos.config.why }] : [],
  )
}
