import type { Advisory } from '../../advisories/advisory.js'
import { judgeAdvisories } from '../../advisories/judge-advisories.js'
import { readAdvisories } from '../../advisories/read-advisories.js'
import { runningCombination } from '../../advisories/running-combination.js'
import type { Seen } from '../../cluster/seen.js'
import { type Hop, isNoWay, type NoWay, nextHop, type Route } from '../../cluster/upgrade-path.js'
import { compareVersions, kubernetesRange, minorOf, newestTalosMinor, parseVersion } from '../../cluster/version.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { InventoryError, proposeChanges } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { listReleases } from '../../observe/ask-releases.js'
import { readOnly } from '../../read-only.js'
import { up } from '../goals.js'
import { preview } from '../reconcile.js'
import type { Session } from '../session.js'
import { upgrade } from './upgrade.js'

/** A version of Talos that the cluster could go to, and what comes with it. */
export interface UpgradeChoice {
  readonly talos: string
  /** Another one than today if the inventory names none. */
  readonly kubernetes: string
  /** Versions in between, in order. */
  readonly through: readonly Pick<Hop, 'kind' | 'to'>[]
  /** Why this inventory does not lead there. */
  readonly problem?: string
  /** Known to break there. */
  readonly advisories: readonly Pick<Advisory, 'id' | 'title' | 'effect' | 'way_out'>[]
}

export interface UpgradeChoices {
  readonly cluster: string
  readonly talos: string
  readonly kubernetes: string
  readonly machines: number
  readonly choices: Seen<readonly UpgradeChoice[]>
  /** The newest minor version of Kubernetes that the running Talos takes. */
  readonly newestKubernetes: string | undefined
}

/** Where an upgrade could lead; `undefined` if the cluster is not yet as its inventory has it. */
export async function upgradeChoices(
  { inventory, world, env }: Pick<Session, 'inventory' | 'world' | 'env'>,
  spec: Omit<ClusterSpec, 'secrets'>,
  signal: AbortSignal,
): Promise<UpgradeChoices | undefined> {
  const { plan, observed } = await preview({ spec, world: readOnly(world), goal: up, signal })
  if (plan.steps.length > 0) return undefined
  const { cluster_name: cluster, talos_version: talos, kubernetes_version: kubernetes } = inventory.settings
  const [releases, advisories] = await Promise.all([listReleases(world.factory, signal), readAdvisories(inventory)])
  const running = runningCombination(inventory, observed)
  const choose = async (target: string): Promise<UpgradeChoice> => {
    const along = await kubernetesWith(target, inventory, env)
    const wanted = { ...running, talos: [target], kubernetes: [along] }
    const hops = hopsTo(inventory, { talos: target, kubernetes: along }, releases.seen ? releases.value : undefined)
    const entered = judgeAdvisories(advisories, { running, wanted, now: Date.now() }).entered
    return {
      talos: target,
      kubernetes: along,
      ...(isNoWay(hops) ? { through: [], problem: hops.problem } : { through: between(hops) }),
      advisories: entered.map(({ id, title, effect, way_out }) => ({ id, title, effect, way_out })),
    }
  }
  const range = kubernetesRange(parseVersion(talos) ?? { major: 0, minor: 0, patch: 0 })
  return {
    cluster,
    talos,
    kubernetes,
    machines: inventory.machines.length,
    choices: releases.seen
      ? { seen: true, value: await Promise.all(targetsAfter(talos, releases.value).map(choose)) }
      : releases,
    newestKubernetes: range === undefined ? undefined : `v1.${range.to}`,
  }
}

/** The last release of this minor version, and of every later one that ichor knows. */
function targetsAfter(running: string, releases: readonly string[]): string[] {
  const now = parseVersion(running)
  if (now === undefined) return []
  const last = new Map<string, string>()
  const newer = releases
    .flatMap((text) => {
      const version = parseVersion(text)
      return version === undefined || version.pre !== undefined ? [] : [{ text, version }]
    })
    .filter(({ version }) => compareVersions(version, now) > 0)
    .filter(({ version }) => version.major === now.major && version.minor <= Math.max(now.minor, newestTalosMinor))
    .sort((one, other) => compareVersions(one.version, other.version))
  for (const { text, version } of newer) last.set(minorOf(version), text)
  return [...last.values()]
}

/** An inventory without `kubernetes_version` takes the one of each Talos. */
async function kubernetesWith(talos: string, inventory: Inventory, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const proposed = await proposeChanges(inventory, upgrade(inventory, { talos }), { env })
    return proposed.inventory.settings.kubernetes_version
  } catch (thrown) {
    // Its own version does not fit this Talos, which the way there reports.
    if (thrown instanceof InventoryError) return inventory.settings.kubernetes_version
    throw thrown
  }
}

/** A minor version of each at a time. */
const maxHops = 40

function hopsTo(
  { settings }: Inventory,
  wanted: { readonly talos: string; readonly kubernetes: string },
  releases: readonly string[] | undefined,
): Hop[] | NoWay {
  const path = settings.talos.upgrade_path
  const at = { talos: settings.talos_version, kubernetes: settings.kubernetes_version }
  const hops: Hop[] = []
  while (hops.length < maxHops) {
    const route: Route = {
      talos: { running: [at.talos], wanted: wanted.talos },
      kubernetes: { running: [at.kubernetes], wanted: wanted.kubernetes },
      releases,
      ...(path === undefined ? {} : { path }),
    }
    const hop = nextHop(route)
    if (hop === undefined) return hops
    if (isNoWay(hop)) return hop
    hops.push(hop)
    at[hop.kind] = hop.to
  }
  return hops
}

/** Without the last one of Talos and of Kubernetes. */
function between(hops: readonly Hop[]): Pick<Hop, 'kind' | 'to'>[] {
  const ends = (['talos', 'kubernetes'] as const).map((kind) => hops.findLast((hop) => hop.kind === kind))
  return hops.filter((hop) => !ends.includes(hop)).map(({ kind, to }) => ({ kind, to }))
}
