import { type KubernetesPart, kubernetesImages, kubernetesParts, versionOfImage } from '../../cluster/config-images.js'
import { isKubernetesHeld } from '../../cluster/held.js'
import type { DesiredMachine } from '../../desired/desired.js'
import type { PlanRefused } from '../../errors.js'
import { nothingMoves } from '../../findings/refusals/versions.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { confirmHealth } from '../../steps/check-health.js'
import { pullImage } from '../../steps/pull-image.js'
import { syncManifests } from '../../steps/sync-manifests.js'
import { upgradePart } from '../../steps/upgrade-part.js'
import { findSeen, findWanted } from '../../work/wanted-machine.js'
import type { Draft, StepRef } from '../draft.js'
import type { Turn } from '../plan.js'
import { changing } from '../reason.js'
import { turnOf } from '../turns.js'
import { isSettled, planSnapshot } from './plan-upgrade.js'

/** A Kubernetes component that gets a different image in this round. */
interface Move {
  readonly machine: DesiredMachine['machine']
  readonly part: KubernetesPart
  readonly image: string
  /** The version that it has now, or the image if that names none. */
  readonly from: string
}

/**
 * Kubernetes components in the order that its version skew policy allows: API servers on every control plane, then
 * controller managers, schedulers, kube-proxy and kubelets, control planes first; bootstrap manifests last.
 */
export function planKubernetesUpgrade(draft: Draft, observed: Observed): void {
  if (!isSettled(draft, observed)) return
  const { hop } = draft.desired.cluster
  if (hop?.kind !== 'kubernetes') {
    if (hop === undefined) planManifests(draft, observed, [])
    return
  }
  const moves = movesOf(draft, observed)
  if (moves.length === 0) throw withoutImages(hop)
  const ready = planPreparation(draft, observed, moves)
  const before = (part: KubernetesPart, after: readonly StepRef[]) => planPart(draft, moves, part, after)
  const controlPlanes = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'] as const
  const moved = controlPlanes.reduce<readonly StepRef[]>((after, part) => before(part, after), ready)
  planManifests(draft, observed, planKubelets(draft, moves, moved))
}

function movesOf({ desired }: Draft, observed: Observed): Move[] {
  return desired.machines.flatMap((wanted) => {
    const seen = findSeen(observed, wanted.machine.name)
    const images = wanted.talos?.images ?? {}
    return seen === undefined || isKubernetesHeld(wanted.machine)
      ? []
      : kubernetesParts.flatMap((part) => {
          const image = images[part]
          const from = currentVersion(seen, part)
          return image === undefined || from === undefined || isThere(seen, part, image)
            ? []
            : [{ machine: wanted.machine, part, image, from }]
        })
  })
}

/** Components that the config does not name are not ours. */
function namedImage({ talos }: ObservedMachine, part: KubernetesPart): string | undefined {
  return talos.reach === 'secured' && talos.config.seen ? kubernetesImages(talos.config.value)[part] : undefined
}

/** The version in its config; a kubelet also reports its own. */
function isThere(seen: ObservedMachine, part: KubernetesPart, image: string): boolean {
  const { node } = seen
  if (namedImage(seen, part) !== image) return false
  return part !== 'kubelet' || node === undefined || node.kubeletVersion === versionOfImage(image)
}

function currentVersion(seen: ObservedMachine, part: KubernetesPart): string | undefined {
  const named = namedImage(seen, part)
  if (named === undefined) return undefined
  return (part === 'kubelet' ? seen.node?.kubeletVersion : undefined) ?? versionOfImage(named) ?? named
}

function planPreparation(draft: Draft, observed: Observed, moves: readonly Move[]): StepRef[] {
  const healthy = draft.add(confirmHealth, {}, 'an upgrade requires a healthy cluster', draft.ends())
  const [first] = moves
  const isBegun = first?.part !== 'kube-apiserver' || first.machine.name !== draft.desired.cluster.bootstrapMachine
  const version = versionOfImage(first?.image ?? '') ?? ''
  const saved = isBegun ? healthy : planSnapshot(draft, observed, `the upgrade to Kubernetes ${version}`, [healthy])
  const pulls = moves
    .filter(({ part }) => part !== 'kube-proxy')
    .map(({ machine, part, image }) => {
      const namespace = part === 'kubelet' ? ('system' as const) : ('cri' as const)
      const reason = 'nothing restarts before every machine has its images'
      return draft.add(pullImage, { machine: machine.name, image, namespace }, reason, [healthy])
    })
  return [saved, ...pulls]
}

/** One control plane at a time. */
function planPart(draft: Draft, moves: readonly Move[], part: KubernetesPart, after: readonly StepRef[]): StepRef[] {
  return moves
    .filter((move) => move.part === part)
    .reduce<StepRef[]>((before, move) => [planMove(draft, move, before)], [...after])
}

function planKubelets(draft: Draft, moves: readonly Move[], after: readonly StepRef[]): StepRef[] {
  const kubelets = moves.filter(({ part }) => part === 'kubelet')
  const controlPlanes = kubelets.filter(({ machine }) => machine.role === 'controlplane')
  const first = controlPlanes.reduce<StepRef[]>((before, move) => [planMove(draft, move, before)], [...after])
  const workers = kubelets.filter(({ machine }) => machine.role === 'worker')
  return workers.length === 0 ? first : workers.map((move) => planMove(draft, move, first))
}

/** An interrupted upgrade has moved some components already: each has a version of its own. */
function planMove(draft: Draft, { machine, part, image, from }: Move, after: readonly StepRef[]): StepRef {
  const turn: Turn = { ...turnOf(machine, draft.desired), chain: `${machine.name} ${part}` }
  const to = versionOfImage(image) ?? image
  const reason = from === to ? `another image of ${to}` : changing({ what: part, from, to })
  return draft.add(upgradePart, { machine: machine.name, part, image }, reason, after, turn)
}

/** If kube-proxy differs from the configs, or at the end of an upgrade. */
function planManifests(draft: Draft, { kubernetes }: Observed, after: readonly StepRef[]): void {
  const machine = draft.desired.cluster.bootstrapMachine
  const first = findWanted(draft.desired, machine)
  if (after.length === 0 && first !== undefined && isKubernetesHeld(first.machine)) return
  const wanted = first?.talos
  const runs = kubernetes.seen ? kubernetes.value?.proxyImage : undefined
  if (after.length === 0 && (runs === undefined || wanted === undefined)) return
  const proxy = runs === undefined ? undefined : wanted?.images['kube-proxy']
  if (after.length === 0 && (proxy === undefined || proxy === runs)) return
  const reason =
    proxy === undefined || proxy === runs
      ? 'a roll ends with them'
      : changing({ what: 'kube-proxy', from: versionOfImage(runs ?? '') ?? '', to: versionOfImage(proxy) ?? '' })
  draft.add(syncManifests, { controlPlane: machine, ...(proxy === undefined ? {} : { proxy }) }, reason, after)
}

function withoutImages({ from, to }: { readonly from: string; readonly to: string }): PlanRefused {
  return nothingMoves.refuse(`Kubernetes ${from} runs, and no image in the configs would bring it to ${to}.`, {
    subject: { kind: 'cluster', name: 'Kubernetes' },
    where: 'kubernetes_version in the inventory',
    fix: 'Look for a patch that names an image of Kubernetes: ichor render shows the configs.',
  })
}
