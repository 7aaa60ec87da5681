import type { Change } from '../../inventory/edit.js'
import type { Inventory } from '../../inventory/inventory.js'
import { groupsOf } from '../../inventory/machines.js'

/** What `replace` writes for counted machines of pools with `surge`: new numbers instead of theirs. */
export interface Renumbered {
  readonly names: readonly string[]
  readonly changes: readonly Change[]
}

/** Retired numbers whose machine no longer exists are reused first. */
export function renumber(names: readonly string[], { settings }: Inventory, there: ReadonlySet<string>): Renumbered {
  const groups = groupsOf(settings).filter(({ settings: pool }) => pool !== undefined && !isNothing(pool.surge))
  let { retired } = settings
  const renumbered: string[] = []
  for (const { namePrefix, nodes } of groups) {
    const isOwn = (name: string) => name.startsWith(namePrefix) && /^\d+$/.test(name.slice(namePrefix.length))
    const own = names.filter((name) => isOwn(name) && !nodes.some(({ node }) => node.name === name))
    const free = retired.filter((name) => isOwn(name) && !there.has(name)).slice(0, own.length)
    retired = [...retired.filter((name) => !free.includes(name)), ...own]
    renumbered.push(...own)
  }
  return { names: renumbered, changes: renumbered.length === 0 ? [] : [{ path: 'retired', value: retired }] }
}

function isNothing(share: number | string): boolean {
  return share === 0 || share === '0%'
}
