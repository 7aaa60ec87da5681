import type { AclEntry, ProxmoxPort } from '../proxmox/client/port.js'
import type { Identity } from './identities.js'

/**
 * Makes an identity, or makes an existing one be this: its roles hold exactly these privileges, and it holds no role
 * of ours elsewhere; those that it needs no more are gone. Gives what was done, in whole sentences without their full
 * stop: `made user ichor-dev@pve`. Its token is a matter of its own.
 */
export async function makeAccess(
  { access, pools }: Pick<ProxmoxPort, 'access' | 'pools'>,
  identity: Identity,
  signal: AbortSignal,
): Promise<string[]> {
  const notes: string[] = []
  if (identity.pool !== undefined && (await pools.create(identity.pool, identity.comment, signal))) {
    notes.push(`made pool ${identity.pool}`)
  }
  for (const { id, privileges } of identity.roles) {
    await access.setRole(id, privileges, signal)
    notes.push(`set role ${id}: ${privileges.join(' ')}`)
  }
  const isNew = await access.createUser(identity.user, identity.comment, signal)
  if (isNew) notes.push(`made user ${identity.user}`)
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
  for (const id of (await access.roles(signal)).map((role) => role.id)) {
    if (!isFormerRole(id, identity) || stillUsed.includes(id)) continue
    await access.removeRole(id, signal)
    notes.push(`removed role ${id}`)
  }
  return notes
}

/** Proxmox keeps one entry for a role on a path, whether it reaches below or not. */
function isAt(one: AclEntry, other: AclEntry): boolean {
  return one.path === other.path && one.role === other.role
}

/** One that an earlier inventory needed. */
function isFormerRole(id: string, { rolePrefix, roles }: Identity): boolean {
  const [, number] = id.slice(rolePrefix.length).match(/^-[a-z]+-(\d+)$/) ?? []
  return id.startsWith(rolePrefix) && number !== undefined && !roles.some((role) => role.id === id)
}

function isOurs({ role }: AclEntry): boolean {
  return role.startsWith('ichor-')
}
