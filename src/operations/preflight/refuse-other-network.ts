import type { Desired } from '../../desired/desired.js'
import { otherPodNetwork } from '../../findings/refusals/inventory.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import type { PlannedStep } from '../../plan/plan.js'
import { removeAddon } from '../../steps/install-addon.js'

/** Of configs up to 1.13, and of those that are documents. */
const cniField = /^(cluster\.network\.cni\.name$|KubeFlannelCNIConfig\b)/

/** Pods keep the network that they started with: two at once leave each half of them without the other. */
export function refuseOtherPodNetwork(
  { file, where }: Pick<Inventory, 'file' | 'where'>,
  { machines }: Pick<Desired, 'machines'>,
  observed: Pick<Observed, 'machines' | 'kubernetes'> & { readonly secrets: Pick<Observed['secrets'], 'bootstrapped'> },
  steps: readonly PlannedStep[],
): void {
  const { kubernetes, secrets } = observed
  if (kubernetes.seen ? kubernetes.value === undefined : !secrets.bootstrapped) return
  refuseRemoval(steps, { file, where })
  const seen = new Map(observed.machines.map((machine) => [machine.name, machine]))
  const changing = machines.flatMap(({ machine: { name }, talos: wanted }) => {
    const runs = seen.get(name)?.talos
    if (wanted === undefined || runs?.reach !== 'secured' || !runs.config.seen) return []
    const { fields } = wanted.differenceFrom(runs.config.value, runs.version)
    return fields.some((field) => cniField.test(field)) ? [name] : []
  })
  if (changing.length === 0) return
  throw otherPodNetwork.refuse(
    `The inventory has another pod network (CNI) than ${changing.join(', ')}: a running cluster cannot change it.`,
    {
      subject: { kind: 'inventory', name: file },
      where: where('addons'),
      fix: 'Put kubernetes.cni and the addons of the network back as they were. For another network make a new cluster from an inventory of its own, move the workloads there, and destroy this one.',
    },
  )
}

/** Addons that are the pod network. */
const networks = ['cilium', 'flannel']

/** With the CNI `none` the configs of the nodes do not change with it. */
function refuseRemoval(steps: readonly PlannedStep[], { file, where }: Pick<Inventory, 'file' | 'where'>): void {
  const removed = networks.find((name) =>
    steps.some(({ kind, args }) => kind === removeAddon.kind && args.addon === name),
  )
  if (removed === undefined) return
  throw otherPodNetwork.refuse(`The addon ${removed} is the pod network of a running cluster, and would be removed.`, {
    subject: { kind: 'inventory', name: file },
    where: where('addons'),
    fix: `Put addons.${removed} back. If something else installs it from now on, keep it with managed_by: gitops.`,
  })
}
