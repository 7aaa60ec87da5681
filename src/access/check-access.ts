import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { Grant, Need } from './compile-privileges.js'

/** Privileges that are missing on a path, and what needs them. */
export interface Lack {
  readonly work: string
  readonly path: string
  readonly privileges: readonly string[]
  /** They exist on the path itself, but are needed below it. */
  readonly below: boolean
}

/** What the token of this connection lacks; empty if it may do everything that the inventory needs. */
export async function checkAccess(
  { access }: Pick<ProxmoxPort, 'access'>,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<Lack[]> {
  const paths = [...new Set(needs.flatMap(({ ways }) => ways.map(({ path }) => path)))]
  const held = new Map(
    await Promise.all(paths.map(async (path) => [path, await access.privilegesOn(path, signal)] as const)),
  )
  const missing = ({ path, privileges }: Grant) =>
    privileges.filter((privilege) => {
      const countsBelow = held.get(path)?.get(privilege)
      return countsBelow === undefined || (!countsBelow && isUsedBelow(path, privilege))
    })
  return needs
    .filter(({ ways }) => ways.every((way) => missing(way).length > 0))
    .map(({ work, ways: [first] }) => {
      const privileges = missing(first)
      const below = privileges.every((privilege) => held.get(first.path)?.has(privilege))
      return { work, path: first.path, privileges, below }
    })
}

/** Rights on all hosts, storages or VMs apply to each; the lease is a pool inside the pool. */
function isUsedBelow(path: string, privilege: string): boolean {
  return /^\/(nodes|storage|vms)$/.test(path) || privilege.startsWith('Pool.')
}

/** One line of text. */
export function describeLack({ work, path, privileges, below }: Lack): string {
  return `To ${work}, the token lacks ${privileges.join(' ')} ${below ? 'below' : 'on'} ${path}.`
}
