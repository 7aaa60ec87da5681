import type { Lab, LedgerEntry } from '../../src/simulator/index.js'
import { clusterName, drillName } from './shape.js'

type State = ReturnType<Lab['proxmox']['save']>['state']
export type SeenVm = State['vms'][string]

/** What Proxmox has, as the lab itself knows it. */
export function stateOf(lab: Lab): State {
  return lab.proxmox.save().state
}

/** VMs that look like machines of the cluster, by name; the machine of a drill and its template are none. */
export function clusterVms({ vms }: State): SeenVm[] {
  return Object.values(vms)
    .filter(({ config }) => (config.name ?? '').startsWith(`${clusterName}-`) && config.template !== '1')
    .filter((vm) => !nameOf(vm).startsWith(`${clusterName}-drill-`))
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other)) || one.vmid - other.vmid)
}

export function nameOf({ config }: Pick<SeenVm, 'config'>): string {
  return config.name ?? ''
}

/** Calls `listener` with every entry of the ledger until the result is called. */
export function watchLedger({ ledger }: Lab, listener: (entry: LedgerEntry) => void): () => void {
  const { record } = ledger
  Object.assign(ledger, {
    record: (entry: LedgerEntry) => {
      record(entry)
      listener(entry)
    },
  })
  return () => void Object.assign(ledger, { record })
}

/** Not of the machine of a drill. */
export function isOfCluster({ subject }: LedgerEntry): boolean {
  return subject !== drillName
}

/** An etcd of the cluster was made from a snapshot. */
export function isRecovered(entry: LedgerEntry): boolean {
  return entry.event === 'etcd.bootstrapped' && isOfCluster(entry) && entry.detail?.recovered === true
}
