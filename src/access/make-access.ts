import { canonicalJson } from '../cluster/canonical.js'
import type { AclEntry, ProxmoxPort, ProxmoxRole } from '../proxmox/client/port.js'
import type { Identity } from './identities.js'

/**
 * Creates an identity or updates an existing one: its roles have exactly these privileges, it has no role of ours
 * elsewhere, and roles that it no longer needs are removed. Returns what was done, as sentences without a full stop:
 * `created user ichor-dev@pve`. Its token is handled separately.
 */
export async function makeAccess(
  { access, pools }: Pick<ProxmoxPort, 'access' | 'pools'>,
  identity: Identity,
  signal: AbortSignal,
): Promise<string[]> {
  const notes: string[] = []
  for (const pool of identity.pools)
    if (await pools.create(pool, identity.comment, signal)) notes.push(`created pool ${pool}`)
  const roles = await access.roles(signal)
  for (const { id, privileges } of identity.roles) {
    if (roles.some((role) => role.id === id && hasExactly(role, privileges))) continue
    await access.setRole(id, privileges, signal)
    notes.push(`set role ${id}: ${privileges.join(' ')}`)
  }
  const isNew = await access.createUser(identity.user, identity.comment, signal)
  if (isNew) notes.push(`created user ${identity.user}`)
  const acl = await access.acl(signal)
  const held = acl.filter(({ kind, subject }) => kind === 'user' && subject === identity.user)
  for (const entry of identity.acl.filter(
    (wanted) => !held.some((one) => isAt(one, wanted) && one.propagate === wanted.propagate),
  )) {
    await access.grant(entry, signal)
    notes.push(`granted ${entry.role} on ${entry.path}`)
  }
  const surplus = held.filter((one) => isOurs(one) && !identity.acl.some((wanted) => isAt(one, wanted)))
  for (const entry of surplus) {
    await access.revoke(entry, signal)
    notes.push(`revoked ${entry.role} on ${entry.path}`)
  }
  const stillUsed = acl.filter((entry) => !surplus.includes(entry)).map(({ role }) => role)
  for (const { id } of roles) {
    if (!isFormerRole(id, identity) || stillUsed.includes(id)) continue
    await access.removeRole(id, signal)
    notes.push(`removed role ${id}`)
  }
  return notes
}

function hasExactly(role: ProxmoxRole, privileges: readonly string[]): boolean {
  return canonicalJson(role.privileges.toSorted()) === canonicalJson(privileges.toSorted())
}

/** Proxmox keeps one entry per role and path, with or without propagation. */
function isAt(one: AclEntry, other: AclEntry): boolean {
  return one.path === other.path && one.role === other.role
}

/** A role that an earlier inventory needed. */
function isFormerRole(id: string, identity: Identity): boolean {
  return isRoleOf(id, identity) && !identity.roles.some((role) => role.id === id)
}

/** A role of this identity, now or from an earlier inventory. */
export function isRoleOf(id: string, { rolePrefix }: Pick<Identity, 'rolePrefix'>): boolean {
  return id.startsWith(rolePrefix) && /^-[a-z]+-\d+$/.test(id.slice(rolePrefix.length))
}

function isOurs({ role }: AclEntry): boolean {
  return role.startsWith('ichor-')
}
