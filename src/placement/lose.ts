import { compareNames } from '../cluster/compare-names.js'
import type { Machine } from '../cluster/machine.js'
import { majority } from '../cluster/quorum.js'
import { PlanRefused } from '../errors.js'
import type { Facts, GuestFacts, Wanted } from './facts.js'
import { place } from './place.js'

/** What is left of a cluster after losing a host. */
export interface Survival {
  readonly host: string
  readonly etcd: {
    readonly members: number
    readonly left: number
    readonly needed: number
    readonly survives: boolean
  }
  readonly api: { readonly survives: boolean; readonly reason: string }
  readonly pools: readonly PoolSurvival[]
}

export interface PoolSurvival {
  readonly name: string
  readonly machines: number
  readonly left: number
  readonly survives: boolean
}

/** Whether the machines of a lost host fit on the others, and why not. `null`: the size of the hosts is unknown. */
export interface Refit {
  readonly fits: boolean | null
  readonly reason: string
  /** Where they would go, if they fit. */
  readonly moves?: readonly { readonly machine: string; readonly host: string }[]
}

/** Places the machines of a lost host again while all others stay. */
export function refitWithout(wanted: Wanted, facts: Facts, hostOf: ReadonlyMap<string, string>, host: string): Refit {
  const staying = wanted.machines.filter(({ name }) => hostOf.get(name) !== host)
  const moving = wanted.machines.length - staying.length
  const ours = staying.map((machine) => guestOf(machine, hostOf.get(machine.name) ?? ''))
  const others = facts.guests.filter((guest) => !guest.isOurs && guest.host !== host)
  const left = { hosts: facts.hosts.filter(({ name }) => name !== host), guests: [...ours, ...others] }
  try {
    const { hostOf: after } = place(wanted, left)
    const moves = wanted.machines.flatMap(({ name }) =>
      hostOf.get(name) === host ? [{ machine: name, host: after.get(name) ?? '' }] : [],
    )
    return {
      fits: true,
      moves,
      reason: `${countOf(moving)} of ${host} ${moving === 1 ? 'fits' : 'fit'} on the other hosts`,
    }
  } catch (error) {
    if (error instanceof PlanRefused) return { fits: false, reason: error.message }
    throw error
  }
}

/** `1 machine`, `3 machines`. */
function countOf(machines: number): string {
  return machines === 1 ? '1 machine' : `${machines} machines`
}

function guestOf({ name, cpu, memory }: Machine, host: string): GuestFacts {
  return { vmid: 0, name, host, cpus: cpu, memory, running: true, onboot: true, isOurs: true }
}

/** Whether etcd, the API and each pool survive the loss of a host, in addition to hosts that are already lost. */
export function surviveWithout(
  wanted: Wanted,
  hostOf: ReadonlyMap<string, string>,
  host: string,
  lostBefore: ReadonlySet<string> = new Set(),
): Survival {
  const isLost = ({ name }: Machine) => hostOf.get(name) === host || lostBefore.has(hostOf.get(name) ?? '')
  const controlPlanes = wanted.machines.filter(({ role }) => role === 'controlplane')
  const left = controlPlanes.filter((machine) => !isLost(machine)).length
  const needed = majority(controlPlanes.length)
  const etcd = { members: controlPlanes.length, left, needed, survives: left >= needed }
  return {
    host,
    etcd,
    api: apiWithout(wanted, etcd.survives, controlPlanes, isLost),
    pools: poolsWithout(wanted, isLost),
  }
}

function apiWithout(
  { settings }: Wanted,
  hasQuorum: boolean,
  controlPlanes: readonly Machine[],
  isLost: (machine: Machine) => boolean,
): Survival['api'] {
  if (!hasQuorum) return { survives: false, reason: 'etcd has lost its majority' }
  if (settings.endpoint_override !== undefined)
    return { survives: true, reason: `${settings.endpoint_override} leads to the control planes that are left` }
  if (settings.network.vip !== undefined)
    return { survives: true, reason: `the VIP ${settings.network.vip} moves to a control plane that is left` }
  const [first] = controlPlanes.toSorted(byName)
  if (first === undefined || isLost(first))
    return { survives: false, reason: 'the endpoint is the address of a lost control plane; a VIP would move' }
  return { survives: true, reason: `the endpoint is the address of ${first.name}, which is left` }
}

/** Without a VIP, the endpoint is the control plane with the lowest name. */
function byName(one: Machine, other: Machine): number {
  return compareNames(one.name, other.name)
}

function poolsWithout({ machines }: Wanted, isLost: (machine: Machine) => boolean): PoolSurvival[] {
  const pools = new Map<string, { machines: number; left: number }>()
  for (const machine of machines) {
    const pool = pools.get(machine.pool) ?? { machines: 0, left: 0 }
    pools.set(machine.pool, { machines: pool.machines + 1, left: pool.left + (isLost(machine) ? 0 : 1) })
  }
  return [...pools].map(([name, pool]) => ({ name, ...pool, survives: pool.left > 0 }))
}
