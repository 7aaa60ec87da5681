import type { RotationTarget } from '../../cluster/rotation.js'
import type { Inventory } from '../../inventory/inventory.js'

/** What a verb achieved, and what comes next. */
export interface VerbEnd {
  /** A sentence without its end: the number of changes and the duration follow. */
  readonly done: string
  readonly next: readonly NextStep[]
  /** It wrote the inventory or the secrets: the files belong in a commit. */
  readonly writes: boolean
}

export type NextStep = readonly [label: string, text: string]

/** `flag` is what commands need to find the same cluster: ` --lab`, ` -i PATH` or nothing. */
export type EndOf = (wanted: Inventory, flag: string) => VerbEnd

export const scaleEnd: EndOf = ({ machines, settings }, flag) => {
  const pools = new Map<string, number>()
  for (const { pool } of machines) pools.set(pool, (pools.get(pool) ?? 0) + 1)
  return {
    done: `${settings.cluster_name} has ${listed([...pools].map(([pool, count]) => sizeOf(pool, count)))}`,
    next: [['look', `ichor status${flag}    ichor capacity${flag}`]],
    writes: true,
  }
}

export function replaceEnd(names: readonly string[]): EndOf {
  return ({ machines }, flag) => ({
    done: `${listed(names)} ${names.length === 1 ? 'is' : 'are'} replaced`,
    next: [['look', `ichor status${flag}`]],
    // In a pool with surge, another number takes the place.
    writes: names.some((name) => !machines.some((machine) => machine.name === name)),
  })
}

export function lostHostEnd(host: string): EndOf {
  return ({ settings }, flag) => ({
    done: `The machines of ${settings.cluster_name} that were on ${host} run on other hosts`,
    next: [['look', `ichor status${flag}    ichor capacity${flag}`]],
    writes: false,
  })
}

export function rebootEnd(names: readonly string[]): EndOf {
  return (_, flag) => ({
    done: names.length === 1 ? `${names[0]} has rebooted and is ready` : `${listed(names)} have rebooted and are ready`,
    next: [['look', `ichor status${flag}`]],
    writes: false,
  })
}

export function evacuateEnd(hosts: readonly string[], isReturn: boolean): EndOf {
  const words = hosts.join(' ')
  return ({ settings }, flag) =>
    isReturn
      ? {
          done: `${listed(hosts)} can hold machines of ${settings.cluster_name} again`,
          next: [['look', `ichor status${flag}    ichor capacity${flag}`]],
          writes: true,
        }
      : {
          done: `No machine of ${settings.cluster_name} is on ${listed(hosts)} any more`,
          next: [
            ['look', `ichor status${flag}    ichor capacity${flag}`],
            ['return', `ichor evacuate ${words} --return${flag}   (when the maintenance is over)`],
          ],
          writes: true,
        }
}

export function upgradeEnd({ isBack }: { readonly isBack: boolean }): EndOf {
  return ({ settings: { cluster_name, talos_version, kubernetes_version } }, flag) => ({
    done: isBack
      ? `${cluster_name} is back on Talos ${talos_version}`
      : `${cluster_name} runs Talos ${talos_version} and Kubernetes ${kubernetes_version}`,
    next: [['look', `ichor status${flag}    ichor health${flag}`]],
    writes: true,
  })
}

const rotated: Readonly<Record<RotationTarget, { readonly what: string; readonly next: readonly NextStep[] }>> = {
  'talos-ca': {
    what: 'a new Talos CA',
    next: [['hand out', 'new talosconfigs, as those with the old CA have stopped working: ichor talosconfig']],
  },
  'kubernetes-ca': {
    what: 'a new Kubernetes CA',
    next: [['hand out', 'new kubeconfigs, as those with the old CA have stopped working: ichor kubeconfig']],
  },
  'service-account-key': { what: 'a new key for service account tokens', next: [] },
  'etcd-encryption-key': { what: 'a new key for the Secrets in etcd', next: [] },
}

export function rotateEnd(what: RotationTarget): EndOf {
  return ({ settings }, flag) => ({
    done: `${settings.cluster_name} uses ${rotated[what].what}, and the old one is gone`,
    next: [
      ...rotated[what].next.map(([label, text]): NextStep => [label, `${text}${flag}`]),
      ['look', `ichor health${flag}`],
      ['back up', `ichor backup${flag}`],
    ],
    writes: true,
  })
}

export function restoreEnd(snapshot: string): EndOf {
  return ({ settings }, flag) => ({
    done: `etcd of ${settings.cluster_name} is restored from ${snapshot}`,
    next: [
      ['look', `ichor health${flag}    ichor status${flag}`],
      ['back up', `ichor backup${flag}`],
    ],
    writes: false,
  })
}

function sizeOf(pool: string, count: number): string {
  const s = count === 1 ? '' : 's'
  if (pool === 'controlplane') return `${count} control plane${s}`
  return pool === 'workers' ? `${count} worker${s}` : `${count} in pool ${pool}`
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  if (names.length > 5) return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
