import { badParameters, died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, flag, may, must, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { AclEntry } from '../state.js'
import { nameOf } from './permissions.js'
import { builtInRoles, privilegesOf } from './roles.js'

function roles({ datacenter }: Call): unknown[] {
  const show = (roleid: string, privs: readonly string[], special: 0 | 1) => ({
    roleid,
    privs: [...privs].sort().join(','),
    special,
  })
  return [
    ...Object.entries(builtInRoles(datacenter.pve)).map(([roleid, privs]) => show(roleid, privs, 1)),
    ...Object.entries(datacenter.state.access.roles).map(([roleid, privs]) => show(roleid, privs, 0)),
  ]
}

function wantedPrivileges(call: Call): string[] {
  const known = privilegesOf(call.datacenter.pve)
  const wanted = splitList(find(call, 'privs') ?? '')
  const wrong = wanted.find((name) => !known.includes(name))
  if (wrong !== undefined) throw badParameters({ privs: `invalid format - invalid privilege '${wrong}'\n` })
  return [...new Set(wanted)].sort()
}

function createRole(call: Call): null {
  const { access } = call.datacenter.state
  const roleid = text(call, 'roleid')
  const privileges = wantedPrivileges(call)
  if (/^pve/i.test(roleid))
    throw badParameters({ roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace" })
  if (access.roles[roleid] !== undefined || builtInRoles(call.datacenter.pve)[roleid] !== undefined)
    throw died(`create role failed: role '${roleid}' already exists`)
  access.roles[roleid] = privileges
  return null
}

function readRole(call: Call): unknown {
  const roleid = text(call, 'roleid')
  const privileges = builtInRoles(call.datacenter.pve)[roleid] ?? call.datacenter.state.access.roles[roleid]
  if (privileges === undefined) throw died(`role '${roleid}' does not exist`)
  return Object.fromEntries(privileges.map((name) => [name, 1]))
}

function updateRole(call: Call): null {
  const { access } = call.datacenter.state
  const roleid = text(call, 'roleid')
  const privileges = wantedPrivileges(call)
  if (builtInRoles(call.datacenter.pve)[roleid] !== undefined)
    throw died(`auto-generated role '${roleid}' cannot be modified`)
  const before = access.roles[roleid]
  if (before === undefined) throw died(`update role failed: role '${roleid}' does not exist`)
  access.roles[roleid] = flag(call, 'append') ? [...new Set([...before, ...privileges])].sort() : privileges
  return null
}

function removeRole(call: Call): null {
  const { access } = call.datacenter.state
  const roleid = text(call, 'roleid')
  if (builtInRoles(call.datacenter.pve)[roleid] !== undefined)
    throw died(`auto-generated role '${roleid}' cannot be deleted`)
  if (access.roles[roleid] === undefined) throw died(`delete role failed: role '${roleid}' does not exist`)
  delete access.roles[roleid]
  access.acl = access.acl.filter((entry) => entry.roleid !== roleid)
  return null
}

const aclPaths = [
  /^\/$/,
  /^\/access(\/(groups|realm)(\/[A-Za-z0-9.\-_]+)?)?$/,
  /^\/nodes(\/[A-Za-z0-9.-]+)?$/,
  /^\/pool(\/[A-Za-z0-9.\-_]+(\/[A-Za-z0-9.\-_]+){0,2})?$/,
  /^\/storage(\/[A-Za-z0-9.\-_]+)?$/,
  /^\/vms(\/[1-9]\d{2,})?$/,
  /^\/mapping(\/[A-Za-z0-9.\-_]+(\/[A-Za-z0-9.\-_]+)?)?$/,
  /^\/sdn(\/(controllers|dns|ipams|fabrics|prefix-lists|route-maps)(\/[A-Za-z0-9.\-_]+)?)?$/,
  /^\/sdn\/zones(\/[A-Za-z0-9.\-_]+(\/[A-Za-z0-9.\-_]+(\/\d+)?)?)?$/,
]

function acl(call: Call): unknown[] {
  const { datacenter } = call
  return datacenter.state.access.acl
    .filter(
      ({ path }) =>
        may(call, '/access', ['Sys.Audit', 'Permissions.Modify'], true) || may(call, path, ['Permissions.Modify']),
    )
    .map(({ path, type, ugid, roleid, propagate }) => ({ path, type, ugid, roleid, propagate: propagate ? 1 : 0 }))
}

function subjectsOf(call: Call): { type: AclEntry['type']; ugid: string }[] {
  const of = (type: AclEntry['type'], name: string) => splitList(find(call, name) ?? '').map((ugid) => ({ type, ugid }))
  return [...of('user', 'users'), ...of('group', 'groups'), ...of('token', 'tokens')]
}

function refuseUnknownSubject({ state }: Datacenter, { type, ugid }: { type: AclEntry['type']; ugid: string }): void {
  const { users, groups } = state.access
  if (type === 'group' && groups[ugid] === undefined) throw died(`ACL update failed: group '${ugid}' does not exist`)
  if (type === 'user' && users[ugid] === undefined) throw died(`ACL update failed: user '${ugid}' does not exist`)
  if (type !== 'token') return
  const [userid = '', tokenid = ''] = ugid.split('!')
  if (users[userid]?.tokens[tokenid] === undefined)
    throw died(`ACL update failed: no such token '${tokenid}' for user '${userid}'`)
}

function changeAcl(call: Call): null {
  const { datacenter } = call
  const { access } = datacenter.state
  const subjects = subjectsOf(call)
  const path = text(call, 'path')
  if (subjects.length === 0) {
    const complaint = "either 'users', 'groups' or 'tokens' is required."
    throw badParameters({ users: complaint, groups: complaint, tokens: complaint })
  }
  if (!aclPaths.some((pattern) => pattern.test(path))) throw badParameters({ path: `invalid ACL path '${path}'` })
  if (!datacenter.state.quorate) throw died("cfs-lock 'file-user_cfg' error: no quorum!")
  for (const roleid of splitList(text(call, 'roles'))) {
    if (builtInRoles(datacenter.pve)[roleid] === undefined && access.roles[roleid] === undefined)
      throw died(`ACL update failed: role '${roleid}' does not exist`)
    for (const subject of subjects) {
      if (!flag(call, 'delete')) refuseUnknownSubject(datacenter, subject)
      access.acl = access.acl.filter(
        (entry) =>
          !(
            entry.path === path &&
            entry.type === subject.type &&
            entry.ugid === subject.ugid &&
            entry.roleid === roleid
          ),
      )
      if (!flag(call, 'delete'))
        access.acl.push({ path, ...subject, roleid, propagate: find(call, 'propagate') !== '0' })
    }
  }
  return null
}

/** Paths that are listed for callers with rights at the root. */
const commonPaths = ['/', '/access', '/access/groups', '/nodes', '/pool', '/sdn', '/storage', '/vms']

/** An entry is listed with all its parents. */
function withParents(path: string): string[] {
  const parts = path.split('/').filter(Boolean)
  return parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`)
}

function permissions(call: Call): unknown {
  const { datacenter, identity } = call
  const userid = find(call, 'userid') ?? nameOf(identity)
  const [user = '', token] = userid.split('!')
  if (userid !== nameOf(identity) && !(identity.token === undefined && user === identity.user))
    must(call, '/access', ['Sys.Audit'])
  if (datacenter.state.access.users[user] === undefined) return {}
  const subject = token === undefined ? { user } : { user, token }
  const only = find(call, 'path')
  const { acl: entries } = datacenter.state.access
  const paths =
    only === undefined
      ? [...new Set([...commonPaths, ...entries.flatMap(({ path }) => withParents(path)), ...poolMembers(datacenter)])]
      : [only]
  const shown = paths.flatMap((path): [string, Record<string, number>][] => {
    const held = [...call.permissions.at(subject, path)]
    return held.length === 0
      ? []
      : [[path, Object.fromEntries(held.map(([name, propagate]) => [name, propagate ? 1 : 0]))]]
  })
  return Object.fromEntries(shown)
}

function poolMembers({ state }: Datacenter): string[] {
  return Object.values(state.pools).flatMap((pool) => [
    ...pool.vms.map((vmid) => `/vms/${vmid}`),
    ...pool.storages.map((id) => `/storage/${id}`),
  ])
}

export const rightsRoutes: Routes = {
  'GET /access/roles': roles,
  'POST /access/roles': createRole,
  'GET /access/roles/{roleid}': readRole,
  'PUT /access/roles/{roleid}': updateRole,
  'DELETE /access/roles/{roleid}': removeRole,
  'GET /access/acl': acl,
  'PUT /access/acl': changeAcl,
  'GET /access/permissions': permissions,
}
