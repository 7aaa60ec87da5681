import type { Guest, Machine } from '../cluster/machine.js'
import type { PlanRefused } from '../errors.js'
import { crowdedGrowth, crowdedGuest, noPlace } from '../findings/refusals/placement.js'
import type { Facts, Wanted } from './facts.js'
import { gibibytes, type HostCapacity } from './host-capacity.js'
import type { Obstacle } from './site.js'
import { pathOf, sizePathOf } from './spec-path.js'

/** A machine without a host, and the obstacle on each host. */
export interface Unplaced {
  readonly machine: Machine
  readonly obstacles: readonly Obstacle[]
  /** The evacuated host that it cannot leave. */
  readonly left?: string
}

/** One refusal for everything that does not fit: the numbers of each host, and what would fit. */
export function refusalOf(wanted: Wanted, facts: Facts, unplaced: readonly Unplaced[]): PlanRefused {
  const groups = groupsOf(unplaced)
  const [first] = groups
  if (first === undefined || facts.hosts.length === 0) {
    return noPlace.refuse('There is no host to place machines on.', {
      subject: { kind: 'cluster', name: wanted.settings.cluster_name },
      where: wanted.where('proxmox.target_nodes'),
      fix: 'Check proxmox.node and proxmox.target_nodes, and what the token may see.',
    })
  }
  return noPlace.refuse(groups.map((group) => sentenceOf(group)).join('\n'), {
    subject: { kind: 'machine', name: groups.flatMap(({ names }) => names).join(', ') },
    where: wanted.where(pathOf(wanted, first.machine)),
    fix: groups.map((group) => fixOf(wanted, group)).join(' '),
  })
}

/** A guest that would be created on a host without space for it. */
export function cannotFit(wanted: Wanted, index: number, guest: Guest, shortage: string): PlanRefused {
  const size = `${guest.cpu} vCPU and ${gibibytes(guest.memory)} of memory`
  return crowdedGuest.refuse(`The guest ${guest.name} asks for ${size}, and ${guest.host} then has ${shortage}.`, {
    subject: { kind: 'machine', name: guest.name },
    where: wanted.where(`guests[${index}]`),
    fix: `Reduce the size of ${guest.name}, or set another host.`,
  })
}

/** A machine that would grow on a host without space for it. */
export function cannotGrow(wanted: Wanted, machine: Machine, { name, cpu, memory }: HostCapacity): PlanRefused {
  const sums = `${cpu.used} of ${cpu.total} vCPU and ${gibibytes(memory.used)} of ${gibibytes(memory.total)} of memory`
  return crowdedGrowth.refuse(`${machine.name} cannot grow: the machines on ${name} would then use ${sums}.`, {
    subject: { kind: 'machine', name: machine.name },
    where: wanted.where(sizePathOf(wanted, machine)),
    fix: 'Reduce the size, or free capacity on that host first.',
  })
}

interface Group extends Unplaced {
  readonly names: string[]
}

function groupsOf(unplaced: readonly Unplaced[]): Group[] {
  const groups = new Map<string, Group>()
  for (const one of unplaced) {
    const { machine, left = '' } = one
    const key = [machine.pool, machine.cpu, machine.memory, machine.disk, machine.host ?? '', left].join('/')
    const group = groups.get(key) ?? { ...one, names: [] }
    group.names.push(machine.name)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function sentenceOf({ machine, names, obstacles, left }: Group): string {
  const [first = '', last = ''] = [names[0], names.at(-1)]
  const isOne = names.length === 1
  const who = isOne ? `${first} asks` : `${first} to ${last} (${names.length} machines of ${machine.pool}) ask`
  const size = `${machine.cpu} vCPU and ${gibibytes(machine.memory)} of memory${isOne ? '' : ' each'}`
  const hosts = obstacles.length === 0 ? noHost(machine.host) : hostsOf(obstacles)
  const problem = left === undefined ? 'Not enough capacity for all machines' : `${left} cannot be evacuated`
  return `${problem}: ${who} for ${size}, and ${hosts}.`
}

function noHost(wanted: string | undefined): string {
  return wanted === undefined ? 'no host is available' : `there is no host ${wanted}`
}

/** Longer lists would not be read. */
const maxHosts = 20

function hostsOf(obstacles: readonly Obstacle[]): string {
  const shown = obstacles.slice(0, maxHosts).map(({ host, text }) => `${host} has ${text}`)
  const more = obstacles.length > maxHosts ? [`${obstacles.length - maxHosts} more hosts also lack capacity`] : []
  return [...shown, ...more].join('; ')
}

function fixOf({ machines }: Wanted, { machine, names, left }: Group): string {
  if (left !== undefined && machine.host !== undefined)
    return `The inventory pins ${names.join(', ')} to ${machine.host}: pin it elsewhere, or take ${left} out of placement.evacuate. Nothing was moved.`
  if (left !== undefined)
    return `Free capacity on another host, or remove ${left} from placement.evacuate. Nothing was moved.`
  const total = machines.filter(({ pool }) => pool === machine.pool).length
  const fitting = total - names.length
  const alternative = machine.host === undefined ? 'add a host' : `pin ${names.join(', ')} elsewhere`
  return `${fitting} of ${total} machines of ${machine.pool} fit: ${fitting === 0 ? 'use smaller machines' : `reduce the count to ${fitting}, use smaller machines`}, or ${alternative}.`
}
