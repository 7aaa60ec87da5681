import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { wasBootstrapped } from '../etcd/was-bootstrapped.js'
import { volumeless } from '../findings/refusals/addons.js'
import type { Observed } from '../observe/observed.js'

/**
 * New addons whose pods would wait for a volume for ever. One that is installed has found a StorageClass, and a custom
 * addon may bring one.
 */
export function refuseWithoutVolumes({ addons, cluster }: Desired, observed: Observed): void {
  const { kubernetes } = observed
  if (cluster.until === 'vms' || cluster.until === 'bootstrap') return
  if (!kubernetes.seen && wasBootstrapped(observed)) return
  if (addons.some(({ volumes }) => volumes === 'brings' || volumes === 'may-bring')) return
  const installed = new Set(ifSeen(kubernetes)?.addons.map(({ name }) => name))
  const waiting = addons.filter(
    ({ name, volumes, managedBy }) => volumes === 'needs' && managedBy === 'ichor' && !installed.has(name),
  )
  const [first] = waiting
  if (first === undefined) return
  const names = waiting.map(({ name }) => name).join(', ')
  const title = waiting.length === 1 ? `${names} needs volumes` : `${names} need volumes`
  throw volumeless.refuse(`${title}, and nothing in the inventory brings a default StorageClass.`, {
    subject: { kind: 'addon', name: names },
    where: `addons.${first.name}`,
    fix: `Add addons.proxmox_csi or addons.longhorn. If the cluster has a StorageClass of yours, name it in the values: ${first.volumeValue ?? ''}.`,
  })
}
