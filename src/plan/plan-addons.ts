import { kubeletCsrApprover } from '../addons/catalogue/kubelet-csr-approver.js'
import { changeOf } from '../addons/installed-addons.js'
import { combineMachineNeeds, type PlannedAddon } from '../addons/planned-addon.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { upgradeOf } from '../node/talos-release.js'
import type { Observed, ObservedAddon } from '../observe/observed.js'
import { changeConfig } from '../steps/apply-config.js'
import { approveCertificate } from '../steps/approve-certificate.js'
import { awaitBack } from '../steps/await-back.js'
import { awaitKubernetes } from '../steps/await-kubernetes.js'
import { awaitReady } from '../steps/await-ready.js'
import { installAddon, removeAddon } from '../steps/install-addon.js'
import { joinNode, labelNode } from '../steps/join-node.js'
import { reachMachine } from '../steps/reach-machine.js'
import { rebootWithConfig } from '../steps/reboot-with-config.js'
import { findSeen } from '../work/wanted-machine.js'
import type { Draft, StepRef } from './draft.js'
import { changing, type Reason } from './reason.js'

/** Installs addons as early as their dependencies allow: the network first, the others once nodes are Ready. */
export function planAddons(draft: Draft, observed: Observed): void {
  const installed = ifSeen(observed.kubernetes)?.addons ?? []
  const api = draft.refIfPlanned(awaitKubernetes, {})
  const firstNodes = [...draft.refs(joinNode), ...draft.refs(labelNode)]
  const later = addonsAfterUpgrade(draft, observed)
  for (const addon of draft.desired.addons.filter((one) => !later.has(one.name))) {
    const reason = reasonFor(
      addon,
      installed.find(({ name }) => name === addon.name),
    )
    if (reason === undefined) continue
    const needs = addon.needs.map((name) => draft.refIfPlanned(installAddon, { addon: name }))
    draft.add(installAddon, { addon: addon.name }, reason, [
      api,
      ...needs,
      ...(addon.delivery === 'inline' ? configSteps(draft) : []),
      ...(isNetwork(addon) ? [] : firstNodes),
    ])
  }
  planReadiness(draft, observed)
  planCertificates(draft, observed)
  planLeavingJobs(draft, observed)
  const unfinished = ifSeen(observed.kubernetes)?.unfinishedAddons ?? []
  const present = [
    ...installed.map(({ name }) => ({ name, reason: 'removed from the inventory' })),
    ...unfinished.map(({ name }) => ({ name, reason: 'removed from the inventory before it was installed' })),
  ]
  for (const { name, reason } of present) {
    if (draft.desired.addons.some((addon) => addon.name === name)) continue
    draft.add(removeAddon, { addon: name }, reason, configSteps(draft))
  }
}

/**
 * A machine that gets a new Talos version has its extensions and config only after the upgrade, and the upgrade starts
 * when everything else is done. Addons that need these extensions, and addons that depend on them, wait for it.
 */
function addonsAfterUpgrade({ desired }: Draft, observed: Observed): ReadonlySet<string> {
  const later = new Set<string>()
  if (!desired.machines.some((wanted) => isOutdated(wanted, desired, observed))) return later
  for (const { name, machines, needs } of desired.addons) {
    const needsMachines =
      machines.rotateServerCertificates || machines.extensions?.length || machines.userVolumes?.length
    if (needsMachines || needs.some((other) => later.has(other))) later.add(name)
  }
  return later
}

function isOutdated(wanted: DesiredMachine, { cluster }: Desired, observed: Observed): boolean {
  const seen = findSeen(observed, wanted.machine.name)
  return seen !== undefined && upgradeOf(wanted, seen, cluster) !== undefined
}

/** Reinstalls a part that was deleted. A part that is only unhealthy is reported by `status`, not reinstalled. */
function reasonFor(wanted: PlannedAddon, installed: ObservedAddon | undefined): string | Reason | undefined {
  if (installed === undefined)
    return { text: 'it is not installed yet', values: [{ what: 'version', from: null, to: wanted.version }] }
  const missing = installed.missing === undefined ? [] : [installed.missing]
  if (changeOf(wanted, { hash: installed.spec }, missing) === 'none') return undefined
  if (installed.spec === wanted.hash) return installed.missing
  return installed.version === wanted.version
    ? 'its values changed'
    : changing({ what: 'version', from: installed.version, to: wanted.version })
}

/** Parts that Talos installs come from its config, and may be installed again as long as the config contains them. */
function configSteps(draft: Draft): StepRef[] {
  return [...draft.refs(changeConfig), ...draft.refs(rebootWithConfig), ...draft.refs(awaitBack)]
}

function isNetwork({ name }: PlannedAddon): boolean {
  return name === 'cilium' || name === 'flannel'
}

/** Without a network, nodes stay NotReady, so nothing waits for them. */
function planReadiness(draft: Draft, observed: Observed): void {
  if (!draft.desired.cluster.hasNetwork) return
  const network = draft.desired.addons
    .filter(isNetwork)
    .map(({ name }) => draft.refIfPlanned(installAddon, { addon: name }))
  const api = draft.refIfPlanned(awaitKubernetes, {})
  for (const { machine: wanted } of draft.desired.machines) {
    const machine = wanted.name
    const seen = findSeen(observed, machine)
    const joined = draft.refIfPlanned(joinNode, { machine })
    if (seen?.node?.ready || (seen?.node === undefined && joined === undefined)) continue
    draft.add(awaitReady, { machine }, 'it is not schedulable yet', [
      api,
      joined,
      draft.refIfPlanned(reachMachine, { machine }),
      ...network,
    ])
  }
}

/** Kubelets that request certificates before the approver in the cluster runs, including those of new machines. */
function planCertificates(draft: Draft, observed: Observed): void {
  if (!combineMachineNeeds(draft.desired.addons).rotateServerCertificates) return
  const installed = ifSeen(observed.kubernetes)?.addons ?? []
  const hasApprover = installed.some(({ name }) => name === kubeletCsrApprover.name)
  for (const desired of draft.desired.machines.filter((one) => !isOutdated(one, draft.desired, observed))) {
    const machine = desired.machine.name
    const isNode = findSeen(observed, machine)?.node !== undefined
    const joined = draft.refIfPlanned(joinNode, { machine })
    if ((hasApprover && isNode) || (!isNode && joined === undefined)) continue
    draft.add(approveCertificate, { machine }, 'the kubelet requested a certificate', [
      draft.refIfPlanned(awaitKubernetes, {}),
      joined,
      draft.refIfPlanned(changeConfig, { machine }),
      draft.refIfPlanned(rebootWithConfig, { machine }),
      draft.refIfPlanned(awaitBack, { machine }),
    ])
  }
}

/**
 * The job of an inline chart is removed from the config of the control planes once it has run. Before the secrets
 * exist, configs cannot be compared, but the plan still reports the removal.
 */
function planLeavingJobs(draft: Draft, observed: Observed): void {
  const { machines, addons } = draft.desired
  const installed = ifSeen(observed.kubernetes)?.addons ?? []
  const isThere = ({ name }: PlannedAddon) => installed.some((one) => one.name === name)
  const leaving = addons.find((addon) => addon.delivery === 'inline' && addon.source.kind === 'chart' && isThere(addon))
  if (leaving === undefined) return
  for (const { talos, machine } of machines.filter((one) => one.machine.role === 'controlplane'))
    if (talos === undefined) draft.add(changeConfig, { machine: machine.name }, `the job of ${leaving.title} leaves it`)
}
