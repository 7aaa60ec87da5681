import { createHash } from 'node:crypto'
import { died } from '../api-error.js'
import { type Call, find, may, type Routes, text } from '../http/call.js'

function membersOf({ datacenter }: Call, groupid: string): string[] {
  return Object.values(datacenter.state.access.users)
    .filter(({ groups }) => groups.includes(groupid))
    .map(({ userid }) => userid)
}

function list(call: Call): unknown[] {
  return Object.entries(call.datacenter.state.access.groups)
    .filter(([groupid]) => may(call, `/access/groups/${groupid}`, ['User.Modify', 'Sys.Audit', 'Group.Allocate'], true))
    .map(([groupid, { comment }]) => ({
      groupid,
      users: membersOf(call, groupid).join(','),
      ...(comment === undefined ? {} : { comment }),
    }))
}

function getGroup({ datacenter }: Call, groupid: string, prefix = ''): { comment?: string } {
  const group = datacenter.state.access.groups[groupid]
  if (group === undefined) throw died(`${prefix}group '${groupid}' does not exist`)
  return group
}

function create(call: Call): null {
  const { groups } = call.datacenter.state.access
  const groupid = text(call, 'groupid')
  if (groups[groupid] !== undefined) throw died(`create group failed: group '${groupid}' already exists`)
  const comment = find(call, 'comment')
  groups[groupid] = comment === undefined ? {} : { comment }
  return null
}

function read(call: Call): unknown {
  const groupid = text(call, 'groupid')
  const { comment } = getGroup(call, groupid)
  return { members: membersOf(call, groupid), ...(comment === undefined ? {} : { comment }) }
}

function update(call: Call): null {
  const group = getGroup(call, text(call, 'groupid'), 'update group failed: ')
  const comment = find(call, 'comment')
  if (comment !== undefined) group.comment = comment
  return null
}

function remove(call: Call): null {
  const { access } = call.datacenter.state
  const groupid = text(call, 'groupid')
  getGroup(call, groupid, 'delete group failed: ')
  delete access.groups[groupid]
  for (const user of Object.values(access.users)) user.groups = user.groups.filter((name) => name !== groupid)
  access.acl = access.acl.filter(({ type, ugid }) => type !== 'group' || ugid !== groupid)
  return null
}

function domains({ datacenter }: Call): unknown[] {
  return Object.entries(datacenter.state.access.realms).map(([realm, { type, comment }]) => ({
    realm,
    type,
    ...(comment === undefined ? {} : { comment }),
  }))
}

const plugins: Record<string, string> = { pam: 'PVE::Auth::PAM', pve: 'PVE::Auth::PVE' }

function domain(call: Call): unknown {
  const { realms } = call.datacenter.state.access
  const realm = text(call, 'realm')
  const found = realms[realm]
  if (found === undefined) throw died(`domain '${realm}' does not exist`)
  return {
    ...found,
    plugin: plugins[found.type],
    digest: createHash('sha1').update(JSON.stringify(realms)).digest('hex'),
  }
}

const subdirectories = 'users groups roles acl domains openid tfa ticket password'

export const groupRoutes: Routes = {
  'GET /access': () => subdirectories.split(' ').map((subdir) => ({ subdir })),
  'GET /access/groups': list,
  'POST /access/groups': create,
  'GET /access/groups/{groupid}': read,
  'PUT /access/groups/{groupid}': update,
  'DELETE /access/groups/{groupid}': remove,
  'GET /access/domains': domains,
  'GET /access/domains/{realm}': domain,
  'DELETE /access/domains/{realm}': () => null,
}
