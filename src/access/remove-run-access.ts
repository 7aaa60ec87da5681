import type { ProxmoxPort } from '../proxmox/client/port.js'
import type { Identity } from './identities.js'
import { isRoleOf } from './make-access.js'

type Pool = NonNullable<Awaited<ReturnType<ProxmoxPort['pools']['find']>>>

/** Removes the identity of runs: user, token, permissions, roles, and its pools if they are empty. */
export async function removeRunAccess(
  { access, pools }: Pick<ProxmoxPort, 'access' | 'pools'>,
  identity: Identity,
  signal: AbortSignal,
): Promise<string[]> {
  const { user, comment } = identity
  const notes: string[] = []
  const acl = (await access.acl(signal)).filter(({ subject }) => subject === user)
  for (const entry of acl) await access.revoke(entry, signal)
  if ((await access.findTokens(user, signal)) !== undefined) {
    await access.removeUser(user, signal)
    notes.push(`removed user ${user} with its token and permissions`)
  }
  for (const { id } of (await access.roles(signal)).filter((role) => isRoleOf(role.id, identity))) {
    await access.removeRole(id, signal)
    notes.push(`removed role ${id}`)
  }
  for (const id of identity.pools) {
    const pool = await pools.find(id, signal)
    if (pool?.comment === comment) notes.push(await removePool(pool, pools, signal))
  }
  return notes
}

/** With the leases of ended runs in it. */
async function removePool({ id, vmids }: Pool, pools: ProxmoxPort['pools'], signal: AbortSignal): Promise<string> {
  const inside = (await pools.list(signal)).map((pool) => pool.id).filter((child) => child.startsWith(`${id}/`))
  const isLease = (child: string) => /^\/lease-\d+$/.test(child.slice(id.length))
  if (vmids.length > 0 || !inside.every(isLease)) return `pool ${id} is not empty, and stays`
  for (const child of [...inside, id]) await pools.remove(child, signal)
  return `removed pool ${id}`
}
