import type { Advisory } from '../advisories/advisory.js'
import { affecting, judgeAdvisories } from '../advisories/judge-advisories.js'
import { runningCombination } from '../advisories/running-combination.js'
import { isNoWay, nextHop } from '../cluster/upgrade-path.js'
import { compareVersions, parseVersion } from '../cluster/version.js'
import type { Facts } from '../findings/facts.js'
import { defaultTalos } from '../inventory/schema.js'
import { defaultKubernetes } from '../inventory/settle.js'

/** Versions of Talos and Kubernetes. */
export interface Versions {
  readonly talos: string
  readonly kubernetes: string
}

/** What a change of the versions would mean. */
export interface Upgrade extends Versions {
  readonly command: string
  /** The first change of several, one minor version at a time; why there is no way, if there is none. */
  readonly first: string
  /** Machines whose Talos changes: each restarts once for every change. */
  readonly restarts: number
  /** Known problems that it leads into, and out of. */
  readonly entered: readonly Advisory[]
  readonly left: readonly Advisory[]
}

export interface UpgradeOutlook {
  /** Every version that runs. */
  readonly running: { readonly talos: readonly string[]; readonly kubernetes: readonly string[] }
  /** Known problems of what runs. */
  readonly affected: readonly Advisory[]
  /** To the versions of the inventory, while something else runs, and to the newest ones that this ichor knows. */
  readonly upgrades: readonly Upgrade[]
}

type Known = Pick<Facts, 'inventory' | 'observed' | 'addons' | 'advisories' | 'now'>

/** What an upgrade would mean, from what was seen. Asks nothing. */
export function upgradeOutlook(facts: Known): UpgradeOutlook {
  const { inventory, observed, advisories = [], now } = facts
  const running = runningCombination(inventory, observed)
  const { talos_version: talos, kubernetes_version: kubernetes } = inventory.settings
  const differs = [...running.talos.map((one) => one !== talos), ...running.kubernetes.map((one) => one !== kubernetes)]
  const newest = { talos: defaultTalos, kubernetes: defaultKubernetes(defaultTalos) }
  const isNewer = (one: string, other: string) => {
    const [first, second] = [parseVersion(one), parseVersion(other)]
    return first !== undefined && second !== undefined && compareVersions(first, second) > 0
  }
  return {
    running: { talos: running.talos, kubernetes: running.kubernetes },
    affected: affecting(advisories, running, now),
    upgrades:
      running.talos.length === 0
        ? []
        : [
            ...(differs.includes(true) ? [upgradeTo({ talos, kubernetes }, 'ichor upgrade', facts)] : []),
            ...(isNewer(newest.talos, talos)
              ? [
                  upgradeTo(
                    newest,
                    `ichor upgrade --talos ${newest.talos} --kubernetes ${newest.kubernetes} --dry-run`,
                    facts,
                  ),
                ]
              : []),
          ],
  }
}

function upgradeTo({ talos, kubernetes }: Versions, command: string, facts: Known): Upgrade {
  const { inventory, observed, addons = [], advisories = [], now } = facts
  const running = runningCombination(inventory, observed)
  const wanted = {
    ...running,
    talos: [talos],
    kubernetes: [kubernetes],
    addons: Object.fromEntries(addons.map(({ name, version }) => [name, version])),
  }
  const hop = nextHop({
    talos: { running: running.talos, wanted: talos },
    kubernetes: { running: running.kubernetes, wanted: kubernetes },
    releases: undefined,
  })
  return {
    talos,
    kubernetes,
    command,
    first: hop === undefined ? '' : isNoWay(hop) ? hop.problem : `${names[hop.kind]} ${hop.from} -> ${hop.to}`,
    restarts: observed.machines.filter(
      (machine) => machine.talos.reach === 'secured' && machine.talos.version !== talos,
    ).length,
    ...judgeAdvisories(advisories, { running, wanted, now }),
  }
}

const names = { talos: 'Talos', kubernetes: 'Kubernetes' } as const
