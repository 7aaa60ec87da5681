import type { AclEntry, ProxmoxRole } from '../proxmox/client/port.js'
import { contentBeside } from '../proxmox/model/preferred-storage.js'
import type { AccessFacts, AccessInventory } from './access-inventory.js'
import type { Places } from './places.js'

/** Risks of what is allowed, each with a fix. */
export function accessWarnings(
  inventory: AccessInventory,
  places: Places,
  facts: AccessFacts,
  acl: readonly AclEntry[],
  roles: readonly ProxmoxRole[],
): string[] {
  return [
    ...sharedStorages(places, facts),
    ...othersRights(inventory, places, acl, roles),
    ...guestsWithoutVmid(inventory),
    ...highAvailability(inventory),
  ]
}

/** Proxmox has no narrower right for resources of HA. */
function highAvailability({ settings }: AccessInventory): string[] {
  if (settings.placement.ha === undefined) return []
  return [
    'placement.ha needs Sys.Console on /, with which the token can also have Proxmox HA start, stop and move VMs outside the cluster.',
  ]
}

/** Roles that on `/` may do everything anyway. */
const administrators = new Set(['Administrator', 'PVEAdmin'])

/**
 * Who else may change machines of the pool, or read config media while they exist. Full administrators are not listed.
 */
function othersRights(
  { settings }: AccessInventory,
  { pool, seeds }: Places,
  acl: readonly AclEntry[],
  roles: readonly ProxmoxRole[],
): string[] {
  const own = `ichor-${settings.cluster_name}@pve`
  const isOurs = ({ subject, role }: AclEntry) =>
    subject.split('!')[0] === own || role.startsWith(`ichor-${settings.cluster_name}-`) || role === 'NoAccess'
  const privileges = new Map(roles.map((role) => [role.id, role.privileges]))
  const isOfUse = ({ role }: AclEntry, kind: 'VM.' | 'Datastore.') =>
    !administrators.has(role) &&
    (privileges.get(role) ?? []).some((name) => name.startsWith(kind) && name !== 'VM.Audit')
  const reaches = (entry: AclEntry, path: string) =>
    entry.path === path ||
    (entry.propagate &&
      (entry.path === '/'
        ? isOfUse(entry, path.startsWith('/pool/') ? 'VM.' : 'Datastore.')
        : path.startsWith(`${entry.path}/`)))
  const warn = (path: string, because: string) => {
    const others = acl.filter((entry) => !isOurs(entry) && reaches(entry, path))
    const named = [...new Set(others.map(({ kind, subject, role }) => `${kind} ${subject} (${role})`))]
    return named.length === 0 ? [] : [`Others hold rights on ${path}: ${named.join(', ')}. ${because}`]
  }
  return [
    ...pool.flatMap((path) => warn(path, 'They may be able to change or stop machines of the cluster.')),
    ...seeds.flatMap((path) =>
      warn(path, 'They may be able to read the keys of machines while their config medium lies there.'),
    ),
  ]
}

/** A user who may delete media on a storage may read and delete everything on it. */
function sharedStorages({ images, seeds }: Places, { storages }: AccessFacts): string[] {
  const paths = new Set([...images, ...seeds])
  const named = storages.filter(({ storage }) => paths.has(`/storage/${storage}`))
  const beside = new Map(named.map((storage) => [storage.storage, contentBeside(storage)]))
  return [...beside].flatMap(([storage, content]) =>
    content.length === 0
      ? []
      : [
          `Storage ${storage} also holds ${content.join(' and ')} content, which the token can read and delete. Create a storage with only iso and import content, and set it as proxmox.seed_datastore and proxmox.image_datastore.`,
        ],
  )
}

function guestsWithoutVmid({ settings: { guests } }: AccessInventory): string[] {
  return guests.flatMap(({ name, create, vmid }) =>
    create && vmid === undefined
      ? [`The guest ${name} has no vmid, so no right can be granted for it: set its vmid in the inventory.`]
      : [],
  )
}
