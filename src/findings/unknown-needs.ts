import type { Need } from './define-finding.js'
import type { Facts } from './facts.js'
import type { Unknown } from './finding.js'
import { unexamined } from './unexamined.js'

/** What of these could not be seen, with the reason. */
export function unknownNeeds(needs: ReadonlySet<Need>, facts: Facts): Unknown[] {
  return [...needs].flatMap((need) => unseen[need](facts))
}

const unseen: Readonly<Record<Need, (facts: Facts) => readonly Unknown[]>> = {
  proxmox: ({ observed: { proxmox } }) =>
    proxmox.unreadHosts.map(({ host, why }) => ({ what: `the VMs on host ${host}`, why })),
  talos: ({ observed: { machines } }) =>
    machines.flatMap(({ name, talos }) => (talos.reach === 'silent' ? [{ what: name, why: talos.reason }] : [])),
  etcd: ({ observed: { etcd } }) => (etcd.seen ? [] : [{ what: 'etcd', why: etcd.why }]),
  kubernetes: ({ observed: { kubernetes } }) => (kubernetes.seen ? [] : [{ what: 'Kubernetes', why: kubernetes.why }]),
  examined: unexamined,
  alarms: ({ alarms }) =>
    alarms === undefined || alarms.seen ? [] : [{ what: 'the alarms of etcd', why: alarms.why }],
  backup: ({ backup }) => (backup.seen ? [] : [{ what: 'etcd snapshots', why: backup.why }]),
}
