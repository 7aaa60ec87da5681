import { ifSeen } from '../../cluster/seen.js'
import type { ExaminedControlPlane } from '../../examine/examined.js'
import type { Facts } from '../facts.js'

type Status = Extract<ExaminedControlPlane['etcd'], { readonly seen: true }>['value']

/** etcd's own limit, unless the config of the control plane sets another. */
const defaultQuota = 2 * 1024 ** 3

/** The members that were asked, by the name of their machine. */
export function etcdStatuses({ examined }: Facts): { readonly name: string; readonly status: Status }[] {
  return (examined?.machines ?? []).flatMap(({ name, controlPlane }) => {
    const status = ifSeen(controlPlane?.etcd)
    return status === undefined ? [] : [{ name, status }]
  })
}

/** Bytes that the database of that machine may have. Talos does not report it, so it is read in its config. */
export function quotaOf(name: string, { observed }: Facts): number {
  const machine = observed.machines.find((one) => one.name === name)
  const config = machine?.talos.reach === 'secured' ? (ifSeen(machine.talos.config) ?? '') : ''
  const quota = Number(/^\s*quota-backend-bytes:\s*["']?(\d+)/m.exec(config)?.[1] ?? 0)
  return quota > 0 ? quota : defaultQuota
}
