import {
  type KubernetesImages,
  type KubernetesPart,
  kubernetesImages,
  kubernetesParts,
  versionOfImage,
} from '../cluster/config-images.js'
import { isKubernetesHeld, isTalosHeld } from '../cluster/held.js'
import type { Machine } from '../cluster/machine.js'
import { type Hop, isNoWay, type NoWay, nextHop, type Progress } from '../cluster/upgrade-path.js'
import { compareVersions, parseVersion } from '../cluster/version.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed, ObservedMachine, ObservedTalos } from '../observe/observed.js'
import type { ClusterSpec } from './cluster-spec.js'

/** The versions of this round: those of the inventory, or intermediate ones. */
export interface RoundVersions {
  readonly hop?: Hop
  /** The wanted versions cannot be reached from the running ones. */
  readonly noWay?: NoWay
  /** For existing machines, once this round is over. */
  readonly inventory: Inventory
  /** For machines created in this round: never a kubelet newer than the API servers. */
  readonly forNewMachines: Inventory
  /** Images that a machine keeps until their own step changes them. */
  keptImages(machine: string): KubernetesImages | undefined
}

export function roundVersions(
  { inventory, patches, intent: { rollback = false } }: Pick<ClusterSpec, 'inventory' | 'patches' | 'intent'>,
  observed: Observed,
): RoundVersions {
  const { settings } = inventory
  const running = runningVersions(inventory, patches, observed)
  const talos = { running: running.talos, wanted: settings.talos_version }
  const kubernetes = { running: running.kubernetes, wanted: settings.kubernetes_version }
  const next = nextHop({
    talos,
    kubernetes,
    canGoBack: rollback,
    releases: observed.releases?.seen ? observed.releases.value : undefined,
    ...(settings.talos.upgrade_path === undefined ? {} : { path: settings.talos.upgrade_path }),
  })
  if (next === undefined || isNoWay(next)) {
    const unchanged = { inventory, forNewMachines: inventory, keptImages: (name: string) => running.held.get(name) }
    return next === undefined ? unchanged : { ...unchanged, noWay: next }
  }
  const now = { talos: lowest(talos), kubernetes: lowest(kubernetes) }
  const target = { ...now, [next.kind]: next.to }
  return {
    hop: next,
    inventory: withVersions(inventory, target),
    forNewMachines: withVersions(inventory, { ...target, kubernetes: now.kubernetes }),
    keptImages: (name) => running.held.get(name) ?? (isAll(kubernetes) ? undefined : running.images.get(name)),
  }
}

function isAll({ running, wanted }: Progress): boolean {
  return running.every((version) => version === wanted)
}

/** The lowest running version; the wanted one if nothing runs. */
function lowest({ running, wanted }: Progress): string {
  const versions = running.flatMap((text) => {
    const version = parseVersion(text)
    return version === undefined ? [] : [{ text, version }]
  })
  return versions.sort((one, other) => compareVersions(one.version, other.version))[0]?.text ?? wanted
}

interface Running {
  readonly talos: readonly string[]
  readonly kubernetes: readonly string[]
  readonly images: ReadonlyMap<string, KubernetesImages>
  /** Of adopted machines that keep theirs. */
  readonly held: ReadonlyMap<string, KubernetesImages>
}

/** Of wanted machines that respond. A component pinned by a patch follows its patch. */
function runningVersions({ machines }: Inventory, patches: ClusterSpec['patches'], observed: Observed): Running {
  const wanted = new Map(machines.map((machine) => [machine.name, machine]))
  const isFree = ({ name }: ObservedMachine, isHeld: (machine: Machine) => boolean) => {
    const machine = wanted.get(name)
    return machine !== undefined && !isHeld(machine)
  }
  const pinned = pinnedParts(patches)
  const seen = observed.machines.filter(({ name, talos }) => wanted.has(name) && talos.reach === 'secured')
  return {
    talos: seen
      .filter((machine) => isFree(machine, isTalosHeld))
      .flatMap(({ talos }) => (talos.reach === 'secured' ? [talos.version] : [])),
    kubernetes: [
      ...new Set(
        seen
          .filter((machine) => isFree(machine, isKubernetesHeld))
          .flatMap((machine) => kubernetesVersions(machine, pinned)),
      ),
    ],
    images: new Map(seen.map(({ name, talos }) => [name, imagesOf(talos)])),
    held: new Map(
      seen.filter((machine) => !isFree(machine, isKubernetesHeld)).map(({ name, talos }) => [name, imagesOf(talos)]),
    ),
  }
}

/** The versions in its config, and the one its kubelet reports. */
function kubernetesVersions({ talos, node }: ObservedMachine, pinned: ReadonlySet<KubernetesPart>): string[] {
  const named = Object.entries(imagesOf(talos)).filter(([part]) => !pinned.has(part as KubernetesPart))
  const versions = named.flatMap(([, image]) => versionOfImage(image) ?? [])
  return node === undefined || pinned.has('kubelet') || node.kubeletVersion === ''
    ? versions
    : [...versions, node.kubeletVersion]
}

const known = new WeakMap<ObservedTalos, KubernetesImages>()

/** The images in its config; cached, because a fleet is read more than once. */
function imagesOf(talos: ObservedTalos): KubernetesImages {
  if (talos.reach !== 'secured' || !talos.config.seen) return {}
  const images = known.get(talos) ?? kubernetesImages(talos.config.value)
  known.set(talos, images)
  return images
}

function pinnedParts({ cluster, controlPlane, worker, pools, nodes }: ClusterSpec['patches']): Set<KubernetesPart> {
  const all = [cluster, controlPlane, worker, ...Object.values(pools), ...Object.values(nodes)].flat()
  return new Set(kubernetesParts.filter((part) => all.some(({ text }) => text.includes(`${part}:v`))))
}

const versioned = new WeakMap<Inventory, Map<string, Inventory>>()

/** The same inventory with other versions; cached by version, so that its configs are written once. */
function withVersions(
  inventory: Inventory,
  { talos, kubernetes }: { readonly talos: string; readonly kubernetes: string },
): Inventory {
  const { settings } = inventory
  if (settings.talos_version === talos && settings.kubernetes_version === kubernetes) return inventory
  const others = versioned.get(inventory) ?? new Map<string, Inventory>()
  versioned.set(inventory, others)
  const key = `${talos} ${kubernetes}`
  const made = others.get(key) ?? {
    ...inventory,
    settings: { ...settings, talos_version: talos, kubernetes_version: kubernetes },
  }
  others.set(key, made)
  return made
}
