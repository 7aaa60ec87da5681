import { parseAllDocuments } from 'yaml'
import type { Facts } from '../findings/facts.js'
import type { ObservedMachine } from '../observe/observed.js'
import type { Sample } from './families.js'

/** What etcd uses without `quota-backend-bytes`; its status does not report it. */
const defaultQuota = 2 * 1024 ** 3

/** The database of every member, and the size at which etcd stops writing. */
export function etcdSamples(cluster: string, { observed, examined }: Facts): Sample[] {
  const found = new Map(observed.machines.map((machine) => [machine.name, machine]))
  return (examined?.machines ?? []).flatMap(({ name, controlPlane }): Sample[] => {
    if (controlPlane?.etcd.seen !== true) return []
    const labels = { cluster, machine: name }
    return [
      { name: 'etcd_db_size_bytes', labels, value: controlPlane.etcd.value.dbSize },
      { name: 'etcd_db_quota_bytes', labels, value: quotaOf(found.get(name)) },
    ]
  })
}

/** From its active config: `cluster.etcd.extraArgs`. */
function quotaOf(machine: ObservedMachine | undefined): number {
  if (machine?.talos.reach !== 'secured' || !machine.talos.config.seen) return defaultQuota
  for (const document of parseAllDocuments(machine.talos.config.value)) {
    const quota = Number(document.getIn?.(['cluster', 'etcd', 'extraArgs', 'quota-backend-bytes']))
    if (Number.isFinite(quota) && quota > 0) return quota
  }
  return defaultQuota
}
