import { etcdOfTalos } from '../../cluster/etcd-version.js'
import { compareVersions, parseVersion } from '../../cluster/version.js'
import type { DesiredMachine } from '../../desired/desired.js'
import { memberOf } from '../../etcd/etcd-members.js'
import type { Change } from '../../events/plan-view.js'
import { isCordonedByUs } from '../../node/kubernetes-node.js'
import { releaseInWords, type TalosRelease, upgradeOf } from '../../node/talos-release.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { awaitUpgraded } from '../../steps/await-upgraded.js'
import { confirmHealth } from '../../steps/check-health.js'
import { downgradeEtcd } from '../../steps/downgrade-etcd.js'
import { pullImage } from '../../steps/pull-image.js'
import { rebootMachine } from '../../steps/reboot-machine.js'
import { registerSchematic } from '../../steps/register-schematic.js'
import { snapshotEtcd } from '../../steps/snapshot-etcd.js'
import { installTalos, upgradeMachine } from '../../steps/upgrade-machine.js'
import { findSeen, findWanted } from '../../work/wanted-machine.js'
import { backArgs, planDisruption } from '../disruption.js'
import type { Draft, StepRef } from '../draft.js'
import { turnOf } from '../turns.js'

type After = readonly (StepRef | undefined)[]

/** A machine that gets a different Talos release in this round. */
interface Outdated {
  readonly wanted: DesiredMachine
  readonly seen: ObservedMachine
  readonly release: TalosRelease
}

/**
 * Upgrades every machine that does not have this round's Talos version, after everything else: control planes one at a
 * time with the etcd leader last, then workers, per pool as many as may be unavailable at once.
 */
export function planUpgrade(draft: Draft, observed: Observed): void {
  const outdated = outdatedMachines(draft, observed)
  if (outdated.length === 0 || !isSettled(draft, observed)) return
  const isBack = draft.desired.cluster.hop?.isBack === true
  const ready = isBack ? planWayBack(draft, outdated) : planPreparation(draft, observed, outdated)
  const controlPlanes = outdated.filter(({ wanted }) => wanted.machine.role === 'controlplane')
  const leader = controlPlanes.find(({ seen }) => isLeader(seen, observed))
  const others = controlPlanes.filter((one) => one !== leader).flatMap((one) => planMachineUpgrade(draft, one, ready))
  const last = leader === undefined ? [] : planMachineUpgrade(draft, leader, [...ready, ...others])
  const workers = outdated.filter(({ wanted }) => wanted.machine.role === 'worker')
  for (const worker of workers) planMachineUpgrade(draft, worker, [...ready, ...others, ...last])
}

/** Whether no machine is unavailable, unobserved, still being created or rebooted in this round: disruptions do not overlap. */
export function isSettled({ desired, refs }: Draft, observed: Observed): boolean {
  const { machines, etcd, kubernetes } = observed
  const isComplete = desired.machines.every(({ machine, moveTo }) => {
    const seen = findSeen(observed, machine.name)
    return (
      moveTo === undefined &&
      seen?.mark.stage === 'made' &&
      seen.talos.reach === 'secured' &&
      seen.talos.config.seen &&
      seen.node !== undefined &&
      !isCordonedByUs(seen.node)
    )
  })
  const isSurplus = machines.some(({ name }) => findWanted(desired, name) === undefined)
  const isRebooting = refs(rebootMachine).length > 0
  return isComplete && !isSurplus && !isRebooting && desired.away.length === 0 && etcd.seen && kubernetes.seen
}

function outdatedMachines({ desired }: Draft, observed: Observed): Outdated[] {
  return desired.machines.flatMap((wanted) => {
    const seen = findSeen(observed, wanted.machine.name)
    const release = seen === undefined ? undefined : upgradeOf(wanted, seen, desired.cluster)
    return seen === undefined || release === undefined ? [] : [{ wanted, seen, release }]
  })
}

/** Healthy, backed up, and all images pulled: whatever can fail without harm fails here. */
function planPreparation(draft: Draft, observed: Observed, outdated: readonly Outdated[]): StepRef[] {
  const healthy = draft.add(confirmHealth, {}, 'an upgrade requires a healthy cluster', draft.ends())
  const isBegun = outdated.length < draft.desired.machines.length
  const saved = isBegun ? healthy : planSnapshot(draft, observed, nameOf(outdated), [healthy])
  const registered = outdated.map(({ wanted: { installer } }) =>
    installer.schematic === undefined
      ? undefined
      : draft.add(registerSchematic, { schematic: installer.id }, 'its installer is built from it'),
  )
  return [
    saved,
    ...outdated.map(({ wanted: { machine, installer } }) =>
      draft.add(
        pullImage,
        { machine: machine.name, image: installer.image, namespace: 'system' },
        'nothing reboots before every machine has its installer',
        [healthy, ...registered],
      ),
    ),
  ]
}

/**
 * A rollback requires nothing that a failed upgrade may have broken. Once every control plane has the new etcd, the
 * etcd version is rolled back first.
 */
function planWayBack(draft: Draft, outdated: readonly Outdated[]): StepRef[] {
  const { hop, target } = draft.desired.cluster
  const [from, to] = [etcdOfTalos(hop?.from ?? target.talos), etcdOfTalos(target.talos)]
  const controlPlanes = draft.desired.machines.filter(({ machine }) => machine.role === 'controlplane')
  const left = outdated.filter(({ wanted }) => wanted.machine.role === 'controlplane')
  if (from === to || left.length < controlPlanes.length) return draft.ends()
  return [draft.add(downgradeEtcd, { version: to }, `Talos ${target.talos} has etcd ${to}`, draft.ends())]
}

/** Once, before the first machine changes: a later snapshot would not hold the state before the upgrade. */
export function planSnapshot(
  draft: Draft,
  observed: Observed,
  before: string,
  after: After,
  reason = 'to be able to restore if the upgrade fails',
): StepRef {
  const { machines, kubernetes } = observed
  const talos = machines.flatMap((machine) => (machine.talos.reach === 'secured' ? [machine.talos.version] : []))
  const running = { talos: talos[0] ?? '', kubernetes: (kubernetes.seen ? kubernetes.value?.version : undefined) ?? '' }
  return draft.add(snapshotEtcd, { before, ...running }, reason, after)
}

function nameOf([first]: readonly Outdated[]): string {
  return first === undefined ? '' : `the upgrade to Talos ${first.release.version}`
}

function isLeader(seen: ObservedMachine, { etcd }: Observed): boolean {
  if (!etcd.seen || etcd.value === undefined) return false
  return memberOf(etcd.value, seen)?.id === etcd.value.leader
}

function planMachineUpgrade(draft: Draft, { wanted, seen, release }: Outdated, before: After): After {
  const { name: machine, role, pool } = wanted.machine
  const turn = turnOf({ name: machine, role, pool }, draft.desired)
  const reason = reasonFor(seen, release)
  const because = { text: reason, values: valuesOf(seen, release) }
  const isBack = draft.desired.cluster.hop?.isBack === true
  const by = isBack ? 'rollback' : hasLifecycle(seen) ? 'reboot' : 'node'
  const args = { machine, ...release }
  const installed = by === 'reboot' ? [draft.add(installTalos, args, reason, before, turn)] : []
  return planDisruption(draft, {
    seen,
    purpose: { upgrade: release },
    reason,
    before: [...before, ...installed],
    turn,
    work: (after) => [draft.add(upgradeMachine, { ...args, by }, because, after, turn)],
    back: (after) =>
      draft.add(awaitUpgraded, { ...backArgs(seen), ...release }, 'it boots another system', after, turn),
  })
}

/** From 1.13 on, the installer only writes the other slot; ichor does the rest. */
function hasLifecycle({ talos }: ObservedMachine): boolean {
  const version = talos.reach === 'secured' ? parseVersion(talos.version) : undefined
  if (version === undefined) return false
  const { major, minor, patch } = version
  return compareVersions({ major, minor, patch }, { major: 1, minor: 13, patch: 0 }) >= 0
}

function reasonFor({ talos }: ObservedMachine, { version, schematic }: TalosRelease): string {
  if (talos.reach !== 'secured') return releaseInWords({ version, schematic })
  if (talos.version !== version) return `Talos ${talos.version} -> ${version}`
  return 'its extensions or kernel arguments changed'
}

function valuesOf({ talos }: ObservedMachine, { version, schematic }: TalosRelease): Change[] {
  if (talos.reach !== 'secured') return [{ what: 'Talos', from: null, to: version }]
  const from = talos.schematic?.seen === true ? (talos.schematic.value ?? null) : null
  return [
    ...(talos.version === version ? [] : [{ what: 'Talos', from: talos.version, to: version }]),
    ...(schematic === undefined || schematic === from ? [] : [{ what: 'schematic', from, to: schematic }]),
  ]
}
