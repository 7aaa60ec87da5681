import type { AccessFacts, AccessInventory } from './access-inventory.js'
import { placesOf } from './places.js'
import { lifecycle, type Work } from './work.js'

/** Privileges on one path. */
export interface Grant {
  readonly path: string
  readonly privileges: readonly string[]
  readonly propagate: boolean
}

/** What one kind of work needs on one path; any of the alternatives is enough, and the first one is granted. */
export interface Need {
  readonly work: string
  readonly ways: readonly [Grant, ...Grant[]]
  /** Too broad to grant: only checked. */
  readonly isOnlyChecked: boolean
}

/** The minimum privileges that this inventory needs on that Proxmox, by kind of work and path. */
export function compilePrivileges(inventory: AccessInventory, facts: AccessFacts): Need[] {
  const places = placesOf(inventory, facts)
  return lifecycle
    .filter(({ when }) => when?.(inventory, facts) ?? true)
    .flatMap((work) => places[work.at].map((path) => needOf(work, path, facts)))
}

function needOf({ work, or, isOnlyChecked = false, ...row }: Work, path: string, { version }: AccessFacts): Need {
  const isNewer = row.since !== undefined && version.major >= row.since.major
  const privileges = isNewer ? (row.since?.privileges ?? []) : row.privileges
  const first = { path, privileges, propagate: path !== '/' }
  const onEveryVm = privileges.every((privilege) => privilege.startsWith('VM.'))
  const others = [
    ...(['pool', 'ownPool', 'drillPool'].includes(row.at) && onEveryVm
      ? [{ path: '/vms', privileges, propagate: true }]
      : []),
    ...(or === undefined ? [] : [{ ...or, propagate: false }]),
  ]
  return { work, ways: [first, ...others], isOnlyChecked }
}
