import type { Need } from './define-finding.js'
import type { Facts } from './facts.js'
import type { Unknown } from './finding.js'
import * as examined from './unexamined.js'
import * as observed from './unobserved.js'

/** What of these could not be seen, with the reason, each once. */
export function unknownNeeds(needs: ReadonlySet<Need>, facts: Facts): Unknown[] {
  const all = [...needs].flatMap((need) => unseen[need](facts))
  return [...new Map(all.toReversed().map((one) => [one.what, one])).values()].reverse()
}

const unreadHosts = ({ observed: { proxmox } }: Facts): Unknown[] =>
  proxmox.unreadHosts.map(({ host, why }) => ({ what: `the VMs on host ${host}`, why }))
const silentMachines = ({ observed: { machines } }: Facts): Unknown[] =>
  machines.flatMap(({ name, talos }) => (talos.reach === 'silent' ? [{ what: name, why: talos.reason }] : []))
const etcd = (facts: Facts): Unknown[] => observed.unseenOf('etcd', facts.observed.etcd)
const kubernetes = (facts: Facts): Unknown[] => observed.unseenOf('Kubernetes', facts.observed.kubernetes)

/** Where a source does not answer at all, its parts were not even asked. */
const unseen: Readonly<Record<Need, (facts: Facts) => readonly Unknown[]>> = {
  proxmox: unreadHosts,
  'proxmox.backupJobs': observed.unreadBackupJobs,
  'proxmox.ha': observed.unreadHighAvailability,
  'proxmox.firewall': observed.unreadFirewall,
  'proxmox.contents': observed.unreadStorages,
  talos: (facts) => [...unreadHosts(facts), ...silentMachines(facts)],
  'talos.config': (facts) => [...unreadHosts(facts), ...silentMachines(facts), ...observed.unreadConfigs(facts)],
  etcd,
  kubernetes,
  alarms: (facts) => [...etcd(facts), ...observed.unseenOf('the alarms of etcd', facts.alarms)],
  backup: (facts) => observed.unseenOf('etcd snapshots', facts.backup),
  'examined.hosts': (facts) => [...unreadHosts(facts), ...examined.unexaminedHosts(facts)],
  'examined.load': examined.unexaminedLoad,
  'examined.storages': examined.unexaminedStorages,
  'examined.lease': examined.unexaminedLease,
  'examined.ha': examined.unexaminedHighAvailability,
  'examined.agents': (facts) => [...unreadHosts(facts), ...examined.unexaminedAgents(facts)],
  'examined.machines': (facts) => [
    ...unreadHosts(facts),
    ...silentMachines(facts),
    ...examined.unexaminedMachines(facts),
  ],
  'examined.controlPlanes': (facts) => [
    ...unreadHosts(facts),
    ...silentMachines(facts),
    ...examined.unexaminedControlPlanes(facts),
  ],
  'examined.kubernetes': (facts) => [...kubernetes(facts), ...examined.unexaminedKubernetes(facts)],
}
