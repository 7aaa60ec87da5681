import { UsageError } from '../../errors.js'
import { evenControlPlanes } from '../../findings/refusals/etcd.js'
import type { Inventory } from '../../inventory/inventory.js'
import { type Group, groupsOf } from '../../inventory/machines.js'
import { findNearest } from '../../nearest.js'

/** The wanted size of a group. */
export interface Asked {
  readonly group: Group
  readonly count: number
}

const where = 'ichor scale'

/** `workers=5 control_planes=3 storage=2`: the group of each word and its new size. */
export function parseScale(words: readonly string[], { settings }: Inventory): Asked[] {
  const groups = new Map(groupsOf(settings).map((group) => [nameOf(group), group]))
  const asked = words.map((word) => {
    const [, name = '', digits = ''] = /^([\w-]+)=(\d{1,6})$/.exec(word) ?? []
    if (name === '') throw misread(word)
    const group = groups.get(name)
    if (group === undefined) throw unknown(name, [...groups.keys()])
    return { group, count: Number(digits) }
  })
  const twice = asked.find(({ group }, index) => asked.some((other, at) => at < index && other.group === group))
  if (twice !== undefined) {
    const problem = `${nameOf(twice.group)} is given twice.`
    throw new UsageError(problem, { where, fix: 'Give each group once.' })
  }
  for (const one of asked) refuseEvenEtcd(one)
  return asked
}

/** As typed by the user. */
export function nameOf({ role, pool }: Group): string {
  return role === 'controlplane' ? 'control_planes' : pool
}

function refuseEvenEtcd({ group, count }: Asked): void {
  if (group.role !== 'controlplane' || count % 2 === 1) return
  throw evenControlPlanes.refuse(
    count === 0
      ? 'A cluster has at least one control plane.'
      : `etcd needs an odd number of members: ${count} control planes tolerate no more failures than ${count - 1}.`,
    {
      subject: { kind: 'inventory', name: 'control_planes' },
      where: `control_planes=${count}`,
      fix: count === 0 ? 'ichor destroy deletes the cluster.' : 'Choose 1, 3 or 5.',
    },
  )
}

function misread(word: string): UsageError {
  return new UsageError(`${JSON.stringify(word)} is not a group and its size.`, {
    where,
    fix: 'Write workers=5, control_planes=3 or the name of a pool: storage=2.',
  })
}

function unknown(name: string, known: readonly string[]): UsageError {
  const near = findNearest(name, known)
  return new UsageError(`There are no machines called ${name}.`, {
    where,
    fix: `${near === undefined ? '' : `Did you mean ${near}? `}This inventory has ${known.join(', ')}.`,
  })
}
