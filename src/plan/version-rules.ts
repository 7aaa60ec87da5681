import { ifSeen } from '../cluster/seen.js'
import { minorOf, parseVersion } from '../cluster/version.js'
import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Observed } from '../observe/observed.js'

/**
 * Minor versions change one step at a time and in an order (API servers before kubelets, one node after the other), which
 * nobody here keeps yet. To write the new version into configs alone would break that order, or do nothing at all.
 */
export function refuseMinorChange({ cluster }: Desired, { kubernetes, machines }: Observed): void {
  const running = ifSeen(kubernetes)?.version
  if (running !== undefined)
    refuseAnother('Kubernetes', 'kubernetes_version', running, cluster.kubernetesVersion, 'The cluster')
  for (const { name, talos } of machines)
    if (talos.reach === 'secured') refuseAnother('Talos', 'talos_version', talos.version, cluster.talosVersion, name)
}

/** Machines that run another patch release than new ones would get. */
export function versionNotes({ cluster }: Desired, { machines }: Observed): string[] {
  const others = machines.flatMap(({ name, talos }) =>
    talos.reach === 'secured' && talos.version !== cluster.talosVersion ? [{ name, version: talos.version }] : [],
  )
  const [first] = others
  if (first === undefined) return []
  const names = others.map(({ name }) => name).join(', ')
  return [
    `${names} ${others.length === 1 ? 'keeps' : 'keep'} Talos ${first.version}: new machines get ${cluster.talosVersion}, and upgrades are not built yet.`,
  ]
}

function refuseAnother(what: string, key: string, runs: string, wanted: string, who: string): void {
  const [one, other] = [parseVersion(runs), parseVersion(wanted)]
  if (one === undefined || other === undefined || minorOf(one) === minorOf(other)) return
  throw new PlanRefused(
    `${who} runs ${what} ${runs}, and the inventory says ${wanted}: ichor does not change the minor version of what runs yet.`,
    {
      where: `${key} in the inventory`,
      fix: `Write ${key}: ${runs}, or another release of ${minorOf(one)}.`,
    },
  )
}
