import { expect, test } from 'vitest'
import { fake } from '../../../../tests/support/fake.js'
import type { AclEntry, DatacenterState } from '../state.js'
import { createPermissions } from './permissions.js'

type Entry = Pick<AclEntry, 'path' | 'ugid' | 'roleid'> & Partial<AclEntry>

function permissionsWith(entries: readonly Entry[], privsep = true) {
  const user = { enable: true, expire: 0, details: {}, tokens: { tk: { secret: '', expire: 0, privsep } } }
  const access = {
    users: { 'ann@pve': { ...user, userid: 'ann@pve', groups: ['ops'] } },
    groups: { ops: {} },
    roles: {},
    acl: entries.map((entry) => ({ type: 'user' as const, propagate: true, ...entry })),
    realms: {},
    secret: '',
  }
  const pools = { talos: { poolid: 'talos', vms: [2000], storages: ['fast'] } }
  return createPermissions(fake<DatacenterState>({ access, pools }), 9)
}

const ann = { user: 'ann@pve' }

test.each([
  {
    because: 'an entry further down replaces what came from above',
    entries: [
      { path: '/', ugid: 'ann@pve', roleid: 'PVEAdmin' },
      { path: '/vms/100', ugid: 'ann@pve', roleid: 'PVEAuditor' },
    ],
    path: '/vms/100',
    privilege: 'VM.Allocate',
    has: false,
  },
  {
    because: 'an entry that does not propagate counts only where it stands',
    entries: [{ path: '/vms', ugid: 'ann@pve', roleid: 'PVEVMAdmin', propagate: false }],
    path: '/vms/100',
    privilege: 'VM.Audit',
    has: false,
  },
  {
    because: "the user's own entry beats that of the group",
    entries: [
      { path: '/vms', ugid: 'ops', type: 'group' as const, roleid: 'PVEVMAdmin' },
      { path: '/vms', ugid: 'ann@pve', roleid: 'PVEAuditor' },
    ],
    path: '/vms/100',
    privilege: 'VM.Allocate',
    has: false,
  },
  {
    because: 'rights on a pool reach its members',
    entries: [{ path: '/pool/talos', ugid: 'ann@pve', roleid: 'PVEVMAdmin' }],
    path: '/vms/2000',
    privilege: 'VM.Config.Disk',
    has: true,
  },
  {
    because: 'rights on a pool do not reach a VM outside',
    entries: [{ path: '/pool/talos', ugid: 'ann@pve', roleid: 'PVEVMAdmin' }],
    path: '/vms/2001',
    privilege: 'VM.Audit',
    has: false,
  },
  {
    because: 'NoAccess wipes the other roles of its level',
    entries: [
      { path: '/vms', ugid: 'ann@pve', roleid: 'PVEVMAdmin' },
      { path: '/vms', ugid: 'ann@pve', roleid: 'NoAccess' },
    ],
    path: '/vms/100',
    privilege: 'VM.Audit',
    has: false,
  },
])('$privilege on $path is $has: $because', ({ entries, path, privilege, has }) => {
  expect(permissionsWith(entries).has(ann, path, [privilege])).toBe(has)
})

test.each([
  { privsep: true, has: false, because: 'a separate token has only what it was given itself' },
  { privsep: false, has: true, because: 'a token that is not separate has what its user has' },
])('privsep $privsep: $because', ({ privsep, has }) => {
  const permissions = permissionsWith([{ path: '/', ugid: 'ann@pve', roleid: 'PVEAdmin' }], privsep)
  expect(permissions.has({ user: 'ann@pve', token: 'tk' }, '/vms/100', ['VM.Audit'])).toBe(has)
})

test("a separate token never has more than its user, and root's token is not root", () => {
  const permissions = permissionsWith([{ path: '/', type: 'token', ugid: 'ann@pve!tk', roleid: 'Administrator' }])
  expect(permissions.has({ user: 'ann@pve', token: 'tk' }, '/vms/100', ['VM.Audit'])).toBe(false)
  expect(permissions.has({ user: 'root@pam' }, '/anything', ['No.Such.Privilege'])).toBe(true)
  expect(permissions.has({ user: 'root@pam', token: 'x' }, '/anything', ['No.Such.Privilege'])).toBe(false)
})
