import type { Machine } from '../../cluster/machine.js'
import type { Change } from '../../inventory/edit.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Group } from '../../inventory/machines.js'
import { formatPath } from '../../inventory/path.js'
import { chooseLeaving, type Standing } from './choose-leaving.js'
import { type Asked, nameOf } from './parse-scale.js'

/** The new content of the inventory, and the reasons for the machines that leave. */
export interface Scaled {
  readonly changes: readonly Change[]
  /** By machine name. */
  readonly leaving: Readonly<Record<string, string>>
}

/** Whether machines must be observed first, to choose those that leave. */
export function isShrinking(asked: readonly Asked[]): boolean {
  return asked.some(({ group, count }) => count < group.count)
}

/** The edits that give every group its new size. */
export function scale(
  inventory: Inventory,
  asked: readonly Asked[],
  standingOf: (machine: Machine) => Standing,
): Scaled {
  const changing = asked.filter(({ group, count }) => count !== group.count)
  const leaving = changing.flatMap(({ group, count }) =>
    chooseLeaving(candidatesOf(group, inventory), group.count - count, standingOf).map(({ machine, reason }) => ({
      machine,
      group,
      reason: `${nameOf(group)} ${group.count} -> ${count}; remove ${machine.name}: ${reason}`,
    })),
  )
  const gone = new Set(leaving.map(({ machine }) => machine.name))
  return {
    changes: [...changing.flatMap((one) => sizeChanges(one, gone)), ...retiredChange(changing, inventory, gone)],
    leaving: Object.fromEntries(leaving.map(({ machine, reason }) => [machine.name, reason])),
  }
}

/**
 * Named machines come before counted ones and determine their numbers: as long as there are counted ones, one of those
 * leaves. A named one can leave the middle only if all after it have explicit addresses.
 */
function candidatesOf(group: Group, inventory: Inventory): Machine[] {
  const { settings } = inventory
  const names = group.nodes.map(({ node }) => node.name)
  const machines = inventory.machines.filter(({ pool, role }) => pool === group.pool && role === group.role)
  const counted = machines.filter(({ name }) => !names.includes(name))
  if (counted.length > 0) return counted.slice(isEndpointFirst(group, inventory) && names.length === 0 ? 1 : 0)
  const isFixed = settings.network.mode === 'dhcp' || settings.network.nics.length === 0
  const lastFloating = isFixed ? group.nodes.findLastIndex(({ node }) => node.ip === undefined) : names.length - 1
  const first = isEndpointFirst(group, inventory) ? 1 : 0
  return machines.filter(({ name }) => names.indexOf(name) >= Math.max(first, lastFloating))
}

/** Without a VIP or load balancer, clients use the address of the first control plane. */
function isEndpointFirst({ role }: Group, { settings }: Inventory): boolean {
  return role === 'controlplane' && settings.network.vip === undefined && settings.endpoint_override === undefined
}

/** If every machine that stays is named, no count is needed. */
function sizeChanges({ group, count }: Asked, gone: ReadonlySet<string>): Change[] {
  const removed = group.nodes.filter(({ node }) => gone.has(node.name)).toReversed()
  const isNamed = group.nodes.length - removed.length === count
  const path = formatPath(group.countPath)
  return [
    isNamed ? { path, value: count, ifWritten: true } : { path, value: count },
    ...removed.map(({ path: place }): Change => ({ path: formatPath(place), remove: true })),
  ]
}

/** Numbers of counted machines that leave although later ones stay. A new machine takes the lowest free number. */
function retiredChange(
  asked: readonly Asked[],
  { settings, machines }: Inventory,
  gone: ReadonlySet<string>,
): Change[] {
  const before = settings.retired
  const after = asked.reduce<readonly string[]>((retired, { group, count }) => {
    const own = (name: string) => new RegExp(`^${escaped(group.namePrefix)}\\d+$`).test(name)
    const numberOf = (name: string) => Number(name.slice(group.namePrefix.length))
    const members = machines.filter(({ pool, name }) => pool === group.pool && own(name) && !gone.has(name))
    const highest = Math.max(0, ...members.map(({ name }) => numberOf(name)))
    const holes = [...retired.filter(own), ...[...gone].filter(own)]
      .filter((name) => numberOf(name) < highest)
      .sort((one, other) => numberOf(one) - numberOf(other))
    const filled = Math.max(0, count - group.count)
    return [...retired.filter((name) => !own(name)), ...holes.slice(filled)]
  }, before)
  if (after.join() === before.join()) return []
  return after.length === 0 ? [{ path: 'retired', remove: true }] : [{ path: 'retired', value: after }]
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
