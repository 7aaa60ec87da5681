import type { PlannedAddon } from '../addons/planned-addon.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { wasBootstrapped } from '../etcd/was-bootstrapped.js'
import type { Finding } from '../findings/finding.js'
import { perhapsNoNode } from '../findings/notes/addons.js'
import { noNodeForPods, volumeless } from '../findings/refusals/addons.js'
import type { Observed } from '../observe/observed.js'

/**
 * New addons whose pods would wait for a volume for ever. One that is installed has found a StorageClass, and a custom
 * addon may bring one.
 */
export function refuseWithoutVolumes(desired: Desired, observed: Observed): void {
  if (desired.addons.some(({ volumes }) => volumes === 'brings' || volumes === 'may-bring')) return
  const waiting = newAddons(desired, observed).filter(({ volumes }) => volumes === 'needs')
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

/** New addons whose pods would wait for a node for ever. */
export function refuseWithoutNodes(desired: Desired, observed: Observed): void {
  if (hasPlainNode(desired, observed)) return
  const waiting = newAddons(desired, observed).filter((addon) => tolerance(addon) === 'none')
  const [first] = waiting
  if (first === undefined) return
  const names = waiting.map(({ name }) => name).join(', ')
  throw noNodeForPods.refuse(
    `No node takes the pods of ${names}: every worker has a taint, and control planes take no ordinary pods.`,
    {
      subject: { kind: 'addon', name: names },
      where: `addons.${first.name}`,
      fix: 'Add a worker without a taint, set kubernetes.schedule_on_control_planes: true, or set tolerations in the values of the addon.',
    },
  )
}

/** What a chart of others tolerates is known to itself alone. */
export function toleranceNotes(desired: Desired, observed: Observed): Finding[] {
  if (hasPlainNode(desired, observed)) return []
  const unknown = newAddons(desired, observed).filter((addon) => tolerance(addon) === 'unknown')
  const names = unknown.map(({ name }) => name)
  if (names.length === 0) return []
  return [
    perhapsNoNode.note(
      `No node takes the pods of ${names.join(', ')} unless they tolerate a taint: every worker has one, and control planes take no ordinary pods.`,
      { subject: { kind: 'addon', name: names.join(', ') } },
    ),
  ]
}

/** Those that this plan installs; none while it is not known what is there. */
function newAddons({ addons, cluster }: Desired, observed: Observed): PlannedAddon[] {
  const { kubernetes } = observed
  if (cluster.until === 'vms' || cluster.until === 'bootstrap') return []
  if (!kubernetes.seen && wasBootstrapped(observed)) return []
  const installed = new Set(ifSeen(kubernetes)?.addons.map(({ name }) => name))
  return addons.filter(({ name, managedBy }) => managedBy === 'ichor' && !installed.has(name))
}

/** Also nodes that are not of the inventory. */
function hasPlainNode({ machines, away, cluster }: Desired, { kubernetes }: Observed): boolean {
  const ours = [...machines, ...away].map(({ machine }) => machine)
  const names = new Set(ours.map(({ name }) => name))
  const others = (ifSeen(kubernetes)?.nodes ?? []).filter(({ name }) => !names.has(name))
  const taking = ours.filter(({ role }) => role === 'worker' || cluster.controlPlanesTakePods === true)
  return [...taking, ...others].some(({ taints }) => taints.every(({ effect }) => effect === 'PreferNoSchedule'))
}

/** A DaemonSet that has no node waits for none. Tolerations may be anywhere in the values of a chart. */
function tolerance({ source, checks, toleratesTaints }: PlannedAddon): 'some' | 'none' | 'unknown' {
  if (toleratesTaints === true || JSON.stringify(source).includes('"tolerations"')) return 'some'
  if (toleratesTaints === undefined && source.kind === 'chart') return 'unknown'
  return checks.some((check) => check.kind === 'rollout' && check.workload !== 'DaemonSet') ? 'none' : 'some'
}
