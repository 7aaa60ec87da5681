import { changeOf } from '../addons/installed-addons.js'
import { kubeletCsrApprover } from '../addons/kubelet-csr-approver.js'
import { combineMachineNeeds, type PlannedAddon } from '../addons/planned-addon.js'
import type { Observed, ObservedAddon } from '../observe/observed.js'
import type { Draft } from './draft.js'
import type { PlannedStep } from './plan.js'

/** Addons as early as their needs allow: the network first, then everything else as the nodes turn Ready. */
export function planAddons(draft: Draft, observed: Observed): void {
  const installed = observed.kubernetes?.addons ?? []
  const firstNodes = draft.desired.machines.flatMap(({ machine }) => [
    `join-node:${machine.name}`,
    `label-node:${machine.name}`,
  ])
  for (const addon of draft.desired.addons) {
    const reason = reasonFor(
      addon,
      installed.find(({ name }) => name === addon.name),
    )
    if (reason === undefined) continue
    const needs = addon.needs.map((name) => `install-addon:${name}`)
    draft.add('install-addon', { addon: addon.name }, reason, [
      'await-kubernetes',
      ...needs,
      ...(addon.delivery === 'inline' ? draft.steps.filter(bringsConfig).map(({ id }) => id) : []),
      ...(isNetwork(addon) ? [] : firstNodes),
    ])
  }
  planReadiness(draft, observed)
  planCertificates(draft, observed)
  planLeavingJobs(draft, observed)
  for (const { name } of installed) {
    if (draft.desired.addons.some((addon) => addon.name === name)) continue
    const reason = 'the inventory does not want it any more'
    draft.add(
      'remove-addon',
      { addon: name },
      reason,
      draft.steps.filter(bringsConfig).map(({ id }) => id),
    )
  }
}

/** A part that somebody took away is brought again; what is only unhealthy is shown by `status`, not reinstalled. */
function reasonFor(wanted: PlannedAddon, installed: ObservedAddon | undefined): string | undefined {
  if (installed === undefined) return 'it is not installed yet'
  const missing = installed.missing === undefined ? [] : [installed.missing]
  if (changeOf(wanted, { hash: installed.spec }, missing) === 'none') return undefined
  if (installed.spec === wanted.hash) return `${installed.missing} any more`
  return installed.version === wanted.version
    ? 'its values changed'
    : `version ${installed.version} -> ${wanted.version}`
}

/** What Talos brings, it brings with its config, and may bring again as long as it is in there. */
function bringsConfig({ kind }: PlannedStep): boolean {
  return kind === 'change-config' || kind === 'reboot-with-config' || kind === 'await-back'
}

function isNetwork({ name }: PlannedAddon): boolean {
  return name === 'cilium' || name === 'flannel'
}

/** Without a network of any kind nodes stay NotReady, and nobody waits for them. */
function planReadiness(draft: Draft, observed: Observed): void {
  if (!draft.desired.cluster.hasNetwork) return
  const network = draft.desired.addons.filter(isNetwork).map(({ name }) => `install-addon:${name}`)
  for (const { machine } of draft.desired.machines) {
    const node = observed.machines.find(({ name }) => name === machine.name)?.node
    if (node?.ready) continue
    draft.add('await-ready', { machine: machine.name }, 'it takes no work yet', [
      'await-kubernetes',
      `join-node:${machine.name}`,
      ...network,
    ])
  }
}

/** Kubelets that ask for certificates before the approver inside the cluster runs, and those of new machines. */
function planCertificates(draft: Draft, observed: Observed): void {
  if (!combineMachineNeeds(draft.desired.addons).rotateServerCertificates) return
  const hasApprover = observed.kubernetes?.addons.some(({ name }) => name === kubeletCsrApprover.name) ?? false
  for (const { machine } of draft.desired.machines) {
    const isNode = observed.machines.some(({ name, node }) => name === machine.name && node !== undefined)
    if (hasApprover && isNode) continue
    draft.add('approve-certificate', { machine: machine.name }, 'its kubelet asks for one', [
      'await-kubernetes',
      `join-node:${machine.name}`,
      `change-config:${machine.name}`,
      `reboot-with-config:${machine.name}`,
      `await-back:${machine.name}`,
    ])
  }
}

/**
 * The job of an inline chart leaves the config of the control planes once it has run. Where there are no secrets yet
 * configs cannot be compared, and the plan reports it all the same.
 */
function planLeavingJobs(draft: Draft, observed: Observed): void {
  const { machines, addons } = draft.desired
  const isThere = ({ name }: PlannedAddon) => observed.kubernetes?.addons.some((one) => one.name === name) ?? false
  const leaving = addons.find((addon) => addon.delivery === 'inline' && addon.source.kind === 'chart' && isThere(addon))
  if (leaving === undefined) return
  for (const { talos, machine } of machines.filter((one) => one.machine.role === 'controlplane'))
    if (talos === undefined)
      draft.add('change-config', { machine: machine.name }, `the job of ${leaving.title} leaves it`)
}
