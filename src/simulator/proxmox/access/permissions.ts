import type { DatacenterState } from '../state.js'
import { builtInRoles } from './roles.js'

/** The caller: a user by ticket, or one of its tokens. */
export interface Identity {
  readonly user: string
  readonly token?: string
}

export function nameOf({ user, token }: Identity): string {
  return token === undefined ? user : `${user}!${token}`
}

/** `root@pam` with a ticket: the only identity with all rights. A token of root is not root. */
export function isRoot(identity: Identity): boolean {
  return identity.user === 'root@pam' && identity.token === undefined
}

/** Privilege to whether it propagates. */
export type Privileges = ReadonlyMap<string, boolean>

export interface Permissions {
  /** The privileges of an identity at a path. */
  at(identity: Identity, path: string): Privileges
  has(identity: Identity, path: string, privileges: readonly string[], any?: boolean): boolean
}

/** A privilege without which a request would have been refused. */
export interface PassedCheck {
  /** With the name of its token. */
  readonly identity: string
  readonly path: string
  /** The pools that contain what is at the path. */
  readonly pools: readonly string[]
  readonly privilege: string
}

export function createPermissions(
  state: DatacenterState,
  pve: 8 | 9,
  onPassed: (check: PassedCheck) => void = () => {},
): Permissions {
  const builtIn = builtInRoles(pve)
  const everything: Privileges = new Map((builtIn.Administrator ?? []).map((name) => [name, true]))

  const privilegesOfRole = (role: string) => builtIn[role] ?? state.access.roles[role] ?? []

  /** Roles of one subject at a path: each level with an entry replaces those from above. */
  const rolesAt = (subject: string, isToken: boolean, path: string): Map<string, boolean> => {
    let roles = new Map<string, boolean>()
    const levels =
      path === '/'
        ? ['/']
        : [
            '/',
            ...path
              .split('/')
              .slice(1)
              .map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`),
          ]
    for (const level of levels) {
      const found = rolesOnLevel(subject, isToken, level, level === path)
      if (found !== undefined) roles = found
      else roles = new Map([...roles].filter(([, propagate]) => propagate))
    }
    return roles.has('NoAccess') ? new Map([['NoAccess', roles.get('NoAccess') ?? false]]) : roles
  }

  const rolesOnLevel = (
    subject: string,
    isToken: boolean,
    level: string,
    isLast: boolean,
  ): Map<string, boolean> | undefined => {
    const here = state.access.acl.filter((entry) => entry.path === level && (isLast || entry.propagate))
    const own = here.filter((entry) => entry.type === (isToken ? 'token' : 'user') && entry.ugid === subject)
    const groups = isToken ? [] : (state.access.users[subject]?.groups ?? [])
    const chosen = own.length > 0 ? own : here.filter((entry) => entry.type === 'group' && groups.includes(entry.ugid))
    return chosen.length === 0 ? undefined : new Map(chosen.map((entry) => [entry.roleid, entry.propagate]))
  }

  const poolsOf = (path: string): string[] => {
    const [, area, id = ''] = path.split('/')
    if (area !== 'vms' && area !== 'storage') return []
    return Object.values(state.pools)
      .filter((pool) => (area === 'vms' ? pool.vms.includes(Number(id)) : pool.storages.includes(id)))
      .map((pool) => `/pool/${pool.poolid}`)
  }

  const ownPrivileges = (subject: string, isToken: boolean, path: string): Map<string, boolean> => {
    const roles = rolesAt(subject, isToken, path)
    if (!roles.has('NoAccess')) {
      for (const pool of poolsOf(path))
        for (const [role] of rolesAt(subject, isToken, pool)) if (!roles.has(role)) roles.set(role, false)
    }
    const privileges = new Map<string, boolean>()
    if (roles.has('NoAccess')) return privileges
    for (const [role, propagate] of roles)
      for (const name of privilegesOfRole(role)) privileges.set(name, propagate || (privileges.get(name) ?? false))
    return privileges
  }

  const at: Permissions['at'] = (identity, path) => {
    const narrowed = state.access.narrowed?.[nameOf(identity)] ?? []
    const held = privilegesAt(identity, path)
    return narrowed.length === 0 ? held : new Map([...held].filter(([name]) => !narrowed.includes(name)))
  }

  const privilegesAt: Permissions['at'] = (identity, path) => {
    const ofUser = identity.user === 'root@pam' ? everything : ownPrivileges(identity.user, false, path)
    if (identity.token === undefined) return ofUser
    const token = state.access.users[identity.user]?.tokens[identity.token]
    if (token?.privsep !== true) return ofUser
    return new Map([...ownPrivileges(nameOf(identity), true, path)].filter(([name]) => ofUser.has(name)))
  }

  return {
    at,
    has: (identity, path, privileges, any = false) => {
      if (isRoot(identity)) return true
      const held = at(identity, path)
      const passing = privileges.filter((name) => held.has(name))
      const isPassed = any ? passing.length > 0 : passing.length === privileges.length
      // Of several that would each be enough, none is needed.
      const needed = isPassed && (!any || passing.length === 1) ? passing : []
      for (const privilege of needed) onPassed({ identity: nameOf(identity), path, pools: poolsOf(path), privilege })
      return isPassed
    },
  }
}
