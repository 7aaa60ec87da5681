import { ProxmoxError } from '../model/proxmox-error.js'
import { type Fields, fieldsOf, findNumber, findText, flag, listOf, optional, text, words } from './fields.js'
import type { AccessCalls, AclEntry, ProxmoxToken } from './port.js'
import { ignoreError, unlessItExists, unlessItIsGone } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'

export function accessCalls(api: ProxmoxApi): AccessCalls {
  const changeAcl = async ({ path, kind, subject, role, propagate }: AclEntry, signal: AbortSignal, remove?: true) => {
    const form = { path, roles: role, [`${kind}s`]: subject, propagate, delete: remove }
    await api.put('/access/acl', form, signal)
  }

  return {
    privilegesOn: async (path, signal) => {
      const answer = fieldsOf(await api.get('/access/permissions', { path }, signal))
      const held = fieldsOf(answer[path])
      return new Map(Object.keys(held).map((privilege) => [privilege, flag(held, privilege)]))
    },
    roles: async (signal) =>
      listOf(await api.get('/access/roles', {}, signal)).map((role) => ({
        id: text(role, 'roleid'),
        privileges: words(role, 'privs'),
        builtIn: flag(role, 'special'),
      })),
    setRole: async (id, privileges, signal) => {
      const privs = privileges.join(',')
      const isNew = await unlessItExists(api.post('/access/roles', { roleid: id, privs }, signal))
      if (!isNew) await api.put(`/access/roles/${id}`, { privs }, signal)
    },
    removeRole: (id, signal) => unlessItIsGone(api.delete(`/access/roles/${id}`, {}, signal)),
    createUser: (id, comment, signal) => unlessItExists(api.post('/access/users', { userid: id, comment }, signal)),
    removeUser: (id, signal) => unlessItIsGone(api.delete(userPath(id), {}, signal)),
    findTokens: async (user, signal) => {
      const tokens = await ignoreError('absent', api.get(`${userPath(user)}/token`, {}, signal), undefined)
      return tokens === undefined ? undefined : listOf(tokens).map(readToken)
    },
    createToken: async (user, { name, comment, separated, expire }, signal) => {
      const path = tokenPath(user, name)
      const made = fieldsOf(await api.post(path, { privsep: separated, comment, expire }, signal))
      const secret = findText(made, 'value')
      if (secret !== undefined) return { id: `${user}!${name}`, secret }
      const reason = 'the answer holds no secret'
      throw new ProxmoxError({ method: 'POST', path, status: 200, reason, outcome: 'unknown' })
    },
    removeToken: (user, name, signal) => unlessItIsGone(api.delete(tokenPath(user, name), {}, signal)),
    acl: async (signal) => listOf(await api.get('/access/acl', {}, signal)).map(readAclEntry),
    grant: (entry, signal) => changeAcl(entry, signal),
    revoke: (entry, signal) => changeAcl(entry, signal, true),
  }
}

function userPath(user: string): string {
  return `/access/users/${encodeURIComponent(user)}`
}

function tokenPath(user: string, name: string): string {
  return `${userPath(user)}/token/${encodeURIComponent(name)}`
}

function readToken(entry: Fields): ProxmoxToken {
  return {
    name: text(entry, 'tokenid'),
    separated: flag(entry, 'privsep'),
    ...optional('comment', findText(entry, 'comment')),
    ...optional('expire', findNumber(entry, 'expire')),
  }
}

function readAclEntry(entry: Fields): AclEntry {
  const kind = text(entry, 'type')
  return {
    path: text(entry, 'path'),
    kind: kind === 'token' || kind === 'group' ? kind : 'user',
    subject: text(entry, 'ugid'),
    role: text(entry, 'roleid'),
    propagate: flag(entry, 'propagate'),
  }
}
