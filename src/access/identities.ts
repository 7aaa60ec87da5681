import type { AclEntry } from '../proxmox/client/port.js'
import type { AccessInventory } from './access-inventory.js'
import type { Grant, Need } from './compile-privileges.js'
import { poolsOf } from './places.js'

/** A user with its roles and their paths. */
export interface Identity {
  /** `ichor-dev@pve`. */
  readonly user: string
  readonly comment: string
  /** Created first, because rights are attached to them: deleting a pool deletes its ACL. */
  readonly pools: readonly string[]
  /** Roles of this identity are named `<prefix>-<area>-<number>`, and no others are. */
  readonly rolePrefix: string
  readonly roles: readonly { readonly id: string; readonly privileges: readonly string[] }[]
  readonly acl: readonly AclEntry[]
}

/** What an addon's controller must be allowed to do. */
export interface AddonIdentity {
  /** `proxmox_csi`. */
  readonly addon: string
  /** `csi`: the user is `<cluster>-csi@pve`. */
  readonly name: string
  readonly privileges: readonly string[]
  readonly newerPrivileges?: readonly { readonly from: number; readonly privilege: string }[]
  /** Storages of its volumes. */
  readonly storages: readonly string[]
}

/** The identity that runs of this cluster use. */
export function runIdentity({ settings }: AccessInventory, needs: readonly Need[]): Identity {
  const { cluster_name: cluster } = settings
  const grants = needs.filter(({ isOnlyChecked }) => !isOnlyChecked).map(({ ways: [first] }) => first)
  const identity = identityOf({
    user: `ichor-${cluster}@pve`,
    rolePrefix: `ichor-${cluster}`,
    comment: `ichor: builds and keeps the cluster ${cluster}`,
    grants,
  })
  return { ...identity, pools: poolsOf(settings) }
}

/** The user of a controller. */
export function controllerUser(cluster: string, name: string): string {
  return `${cluster}-${name}@pve`
}

/** The identity of a controller in the cluster: limited to the machines of the pool and its storages. */
export function addonIdentity({ settings }: AccessInventory, addon: AddonIdentity, major: number): Identity {
  const { cluster_name: cluster, proxmox } = settings
  const newer = (addon.newerPrivileges ?? []).filter(({ from }) => major >= from)
  const privileges = [...addon.privileges, ...newer.map(({ privilege }) => privilege)]
  const of = (area: string) => privileges.filter((privilege) => privilege.startsWith(`${area}.`))
  const grants = [
    { path: `/pool/${proxmox.pool}`, privileges: of('VM'), propagate: true },
    ...addon.storages.map((storage) => ({
      path: storage === '' ? '/storage' : `/storage/${storage}`,
      privileges: of('Datastore'),
      propagate: true,
    })),
    { path: '/nodes', privileges: of('Sys'), propagate: true },
    { path: '/', privileges: of('Sys'), propagate: false },
  ]
  return identityOf({
    user: controllerUser(cluster, addon.name),
    rolePrefix: `ichor-${cluster}-${addon.name}`,
    comment: `ichor: ${addon.addon} of the cluster ${cluster}`,
    grants: grants.filter((grant) => grant.privileges.length > 0),
  })
}

interface Draft {
  readonly user: string
  readonly rolePrefix: string
  readonly comment: string
  readonly grants: readonly Grant[]
}

/** One role per distinct set of privileges, named after the area where it is used. */
function identityOf({ user, rolePrefix, comment, grants }: Draft): Identity {
  const byPath = new Map<string, { privileges: Set<string>; propagate: boolean }>()
  for (const { path, privileges, propagate } of grants) {
    const known = byPath.get(path) ?? { privileges: new Set(), propagate }
    for (const privilege of privileges) known.privileges.add(privilege)
    byPath.set(path, known)
  }
  const roles = new Map<string, { id: string; privileges: string[] }>()
  const acl = [...byPath].map(([path, held]): AclEntry => {
    const privileges = [...held.privileges].sort()
    const key = privileges.join()
    const role = roles.get(key) ?? { id: roleName(rolePrefix, path, roles.size), privileges }
    roles.set(key, role)
    return { path, kind: 'user', subject: user, role: role.id, propagate: held.propagate }
  })
  return { user, comment, pools: [], rolePrefix, roles: [...roles.values()], acl }
}

function roleName(prefix: string, path: string, index: number): string {
  const area = path.split('/')[1] || 'datacenter'
  return `${prefix}-${area}-${index + 1}`
}
