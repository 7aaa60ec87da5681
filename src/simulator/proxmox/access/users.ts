import { badParameters, died, forbidden } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, flag, may, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { UserState } from '../state.js'

const details = ['comment', 'email', 'firstname', 'lastname', 'keys'] as const

function getUser({ state }: Datacenter, userid: string): UserState {
  const user = state.access.users[userid]
  if (user === undefined) throw died(`no such user ('${userid}')`)
  return user
}

function realmType({ state }: Datacenter, userid: string): string | undefined {
  return state.access.realms[userid.split('@').at(-1) ?? '']?.type
}

function list(call: Call): unknown[] {
  const { datacenter } = call
  const enabled = find(call, 'enabled')
  return Object.values(datacenter.state.access.users)
    .filter((user) => maySee(call, user))
    .filter((user) => enabled === undefined || user.enable === (enabled === '1'))
    .map((user) => ({
      userid: user.userid,
      enable: user.enable ? 1 : 0,
      expire: user.expire,
      ...user.details,
      ...(realmType(datacenter, user.userid) === undefined ? {} : { 'realm-type': realmType(datacenter, user.userid) }),
      ...(flag(call, 'full') ? { groups: user.groups.join(','), tokens: tokensOf(user) } : {}),
    }))
}

function maySee(call: Call, user: UserState): boolean {
  if (call.identity.token === undefined && call.identity.user === user.userid) return true
  return ['/access/groups', ...user.groups.map((group) => `/access/groups/${group}`)].some((path) =>
    may(call, path, ['User.Modify', 'Sys.Audit'], true),
  )
}

function tokensOf(user: UserState): unknown[] {
  return Object.entries(user.tokens)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([tokenid, { expire, privsep, comment }]) => ({
      tokenid,
      expire,
      privsep: privsep ? 1 : 0,
      ...(comment === undefined ? {} : { comment }),
    }))
}

function read(call: Call): unknown {
  const user = getUser(call.datacenter, text(call, 'userid'))
  const tokens = Object.fromEntries(
    Object.entries(user.tokens).map(([name, { expire, privsep, comment }]) => [
      name,
      { expire, privsep: privsep ? 1 : 0, ...(comment === undefined ? {} : { comment }) },
    ]),
  )
  return {
    enable: user.enable ? 1 : 0,
    expire: user.expire,
    groups: user.groups,
    tokens: Object.keys(tokens).length === 0 ? null : tokens,
    ...user.details,
  }
}

function change(call: Call, user: UserState, prefix: string): void {
  const { groups } = call.datacenter.state.access
  const wanted = find(call, 'groups')
  for (const group of splitList(wanted ?? ''))
    if (groups[group] === undefined) throw died(`${prefix}: no such group '${group}'`)
  if (wanted !== undefined)
    user.groups = flag(call, 'append') ? [...new Set([...user.groups, ...splitList(wanted)])] : splitList(wanted)
  for (const name of details) {
    const value = find(call, name)
    if (value !== undefined) user.details[name] = value
  }
  const enable = find(call, 'enable')
  if (enable !== undefined) user.enable = enable === '1'
  const expire = find(call, 'expire')
  if (expire !== undefined) user.expire = Number(expire)
}

function create(call: Call): null {
  const { users } = call.datacenter.state.access
  const userid = text(call, 'userid')
  if (users[userid] !== undefined) throw died(`create user failed: user '${userid}' already exists`)
  const password = find(call, 'password')
  const user: UserState = {
    userid,
    enable: true,
    expire: 0,
    groups: [],
    details: {},
    tokens: {},
    ...(password === undefined ? {} : { password }),
  }
  change(call, user, 'create user failed')
  users[userid] = user
  return null
}

function update(call: Call): null {
  change(call, getUser(call.datacenter, text(call, 'userid')), 'update user failed')
  return null
}

function remove(call: Call): null {
  const { access } = call.datacenter.state
  const { userid } = getUser(call.datacenter, text(call, 'userid'))
  if (userid === 'root@pam') {
    const root = access.users[userid]
    if (root !== undefined) root.tokens = {}
    return null
  }
  delete access.users[userid]
  access.acl = access.acl.filter(({ ugid }) => ugid !== userid && !ugid.startsWith(`${userid}!`))
  return null
}

function password(call: Call): null {
  const user = getUser(call.datacenter, text(call, 'userid'))
  user.password = text(call, 'password')
  return null
}

function getToken({ datacenter }: Call, userid: string, tokenid: string): UserState['tokens'][string] {
  const token = getUser(datacenter, userid).tokens[tokenid]
  if (token === undefined) throw died(`no such token '${tokenid}' for user '${userid}'`)
  return token
}

function createToken(call: Call): unknown {
  const { datacenter, parameters } = call
  const userid = text(call, 'userid')
  const tokenid = text(call, 'tokenid')
  const user = datacenter.state.access.users[userid]
  if (user === undefined) throw forbidden('')
  if (user.tokens[tokenid] !== undefined) throw badParameters({ tokenid: 'Token already exists.' })
  const secret = datacenter.random.uuid()
  const comment = find(call, 'comment')
  user.tokens[tokenid] = {
    secret,
    expire: Number(find(call, 'expire') ?? 0),
    privsep: find(call, 'privsep') !== '0',
    ...(comment === undefined ? {} : { comment }),
  }
  const info: Record<string, unknown> = { privsep: 1 }
  for (const name of ['privsep', 'expire', 'comment']) if (parameters[name] !== undefined) info[name] = parameters[name]
  return { 'full-tokenid': `${userid}!${tokenid}`, value: secret, info }
}

function readToken(call: Call): unknown {
  const { expire, privsep, comment } = getToken(call, text(call, 'userid'), text(call, 'tokenid'))
  return { expire, privsep: privsep ? 1 : 0, ...(comment === undefined ? {} : { comment }) }
}

function updateToken(call: Call): unknown {
  const { parameters, datacenter } = call
  const token = getToken(call, text(call, 'userid'), text(call, 'tokenid'))
  const comment = find(call, 'comment')
  if (comment !== undefined) token.comment = comment
  if (find(call, 'expire') !== undefined) token.expire = Number(find(call, 'expire'))
  if (find(call, 'privsep') !== undefined) token.privsep = flag(call, 'privsep')
  if (find(call, 'delete') === 'comment') delete token.comment
  const shown: Record<string, unknown> = { ...(readToken(call) as Record<string, unknown>) }
  for (const name of ['privsep', 'expire']) if (parameters[name] !== undefined) shown[name] = parameters[name]
  if (!flag(call, 'regenerate')) return shown
  token.secret = datacenter.random.uuid()
  return { ...shown, 'full-tokenid': `${text(call, 'userid')}!${text(call, 'tokenid')}`, value: token.secret }
}

function removeToken(call: Call): null {
  const { access } = call.datacenter.state
  const userid = text(call, 'userid')
  const tokenid = text(call, 'tokenid')
  getToken(call, userid, tokenid)
  delete access.users[userid]?.tokens[tokenid]
  access.acl = access.acl.filter(({ ugid }) => ugid !== `${userid}!${tokenid}`)
  return null
}

const base = '/access/users'

export const userRoutes: Routes = {
  [`GET ${base}`]: list,
  [`POST ${base}`]: create,
  [`GET ${base}/{userid}`]: read,
  [`PUT ${base}/{userid}`]: update,
  [`DELETE ${base}/{userid}`]: remove,
  [`GET ${base}/{userid}/token`]: (call) => tokensOf(getUser(call.datacenter, text(call, 'userid'))),
  [`POST ${base}/{userid}/token/{tokenid}`]: createToken,
  [`GET ${base}/{userid}/token/{tokenid}`]: readToken,
  [`PUT ${base}/{userid}/token/{tokenid}`]: updateToken,
  [`DELETE ${base}/{userid}/token/{tokenid}`]: removeToken,
  'PUT /access/password': password,
}
