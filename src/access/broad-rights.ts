import { broadRights } from '../findings/refusals/secrets.js'
import type { AclEntry, ProxmoxPort, ProxmoxRole } from '../proxmox/client/port.js'
import type { AccessFacts } from './access-inventory.js'
import type { Identity } from './identities.js'

const together = 'Together they reach the disks of every VM: a backup job copies them there.'

/** Storages that Sys.Modify on `/` must not go with. */
function backupStorages({ storages }: Pick<AccessFacts, 'storages'>): string[] {
  return [...new Set(storages.filter(({ content }) => content.includes('backup')).map(({ storage }) => storage))]
}

/** What is wrong with the token of this connection, as a sentence. Administrators may do anything anyway. */
export async function findBroadRights(
  { access }: Pick<ProxmoxPort, 'access'>,
  facts: Pick<AccessFacts, 'storages'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const held = await access.privilegesOn('/', signal)
  if (!held.has('Sys.Modify') || held.has('Permissions.Modify')) return undefined
  for (const storage of backupStorages(facts)) {
    const path = `/storage/${storage}`
    if ((await access.privilegesOn(path, signal)).has('Datastore.Allocate'))
      return `The token holds Sys.Modify on / and Datastore.Allocate on ${path}, which holds backups. ${together} Run ichor access as an administrator, and use the token that it makes.`
  }
  return undefined
}

/** Refuses to give an identity rights on a storage with backups that also has Sys.Modify on `/`. */
export async function refuseBroadRights(
  { access, cluster }: Pick<ProxmoxPort, 'access' | 'cluster'>,
  identity: Identity,
  signal: AbortSignal,
): Promise<void> {
  const [acl, roles, { storages }] = await Promise.all([
    access.acl(signal),
    access.roles(signal),
    cluster.resources(signal),
  ])
  const theirs = acl.filter(({ subject, role }) => subject === identity.user && !role.startsWith('ichor-'))
  const modifying = theirs.find((entry) => entry.path === '/' && grants(entry, 'Sys.Modify', roles))
  if (modifying === undefined) return
  const all = [...theirs, ...identity.acl]
  const known = [...roles, ...identity.roles]
  const reached = backupStorages({ storages }).find((storage) =>
    all.some((entry) => reaches(entry, `/storage/${storage}`) && grants(entry, 'Datastore.Allocate', known)),
  )
  if (reached === undefined) return
  throw broadRights.refuse(
    `${identity.user} has the role ${modifying.role} on /, with Sys.Modify, and needs Datastore.Allocate on /storage/${reached}, which holds backups. ${together}`,
    {
      subject: { kind: 'object', name: identity.user },
      where: `permissions of ${identity.user} in Proxmox`,
      fix: `Run as root on a host: pveum acl delete / --users ${identity.user} --roles ${modifying.role}`,
    },
  )
}

function reaches({ path, propagate }: AclEntry, target: string): boolean {
  return path === target || (propagate && (path === '/' || target.startsWith(`${path}/`)))
}

function grants(
  { role }: AclEntry,
  privilege: string,
  roles: readonly Pick<ProxmoxRole, 'id' | 'privileges'>[],
): boolean {
  return roles.some(({ id, privileges }) => id === role && privileges.includes(privilege))
}
