import { createHash } from 'node:crypto'
import type { DatacenterState, UserState } from '../../src/simulator/proxmox/state.js'

/** The secret that a token of the recordings has in the lab. */
export function secretOf(token: string): string {
  const hex = createHash('sha1').update(token).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

type Tokens = Readonly<Record<string, { readonly expire?: number; readonly privsep?: boolean }>>

function user(userid: string, tokens: Tokens, enable = true): UserState {
  const made = Object.entries(tokens).map(([name, options]) => [
    name,
    { secret: secretOf(`${userid}!${name}`), expire: 0, privsep: false, ...options },
  ])
  return {
    userid,
    enable,
    expire: 0,
    password: 'lab-password',
    groups: [],
    details: {},
    tokens: Object.fromEntries(made),
  }
}

function grant({ access }: DatacenterState, path: string, ugid: string, roleid: string): void {
  access.acl.push({ path, type: 'user', ugid, roleid, propagate: true })
}

const machines =
  'VM.Allocate VM.Audit VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.PowerMgmt'

/** Who the recordings speak of, and what surrounded the recorded host. */
export function addPeople(state: DatacenterState): void {
  const { users, roles } = state.access
  users['lim@pve'] = user('lim@pve', { tk: {}, old: { expire: 1_700_000_000 } })
  users['audit@pve'] = user('audit@pve', { tk: {} })
  users['prov@pve'] = user('prov@pve', { tk: {} })
  users['off@pve'] = user('off@pve', { tk: {} }, false)
  const root = users['root@pam']
  if (root !== undefined) root.tokens.bare = { secret: secretOf('root@pam!bare'), expire: 0, privsep: true }
  roles.Provisioner = `${machines} Pool.Audit Datastore.AllocateSpace Datastore.Audit SDN.Use Sys.Audit`.split(' ')
  grant(state, '/vms/100', 'lim@pve', 'PVEVMUser')
  grant(state, '/storage/local', 'lim@pve', 'PVEDatastoreUser')
  grant(state, '/', 'audit@pve', 'PVEAuditor')
  grant(state, '/', 'prov@pve', 'Provisioner')
  state.unknownHosts = { deadnode: 'No route to host', refusednode: 'Connection refused' }
  const { off } = state.storages
  if (off !== undefined) off.options.disable = '1'
  const bridge = state.hosts.pve?.interfaces.vmbr0
  if (bridge === undefined) return
  bridge.bridge_ports = ''
  delete bridge.gateway
}

/** The users of the recordings about leases and killed workers. */
export function addLeaseUsers(state: DatacenterState): void {
  const { users, roles } = state.access
  users['lease@pve'] = user('lease@pve', { tk: {}, second: {} })
  users['wide@pve'] = user('wide@pve', { tk: {} })
  users['leaseaud@pve'] = user('leaseaud@pve', { tk: {} })
  users['other@pve'] = user('other@pve', { tk: {} })
  roles.LeaseVM = `${machines} Pool.Allocate Pool.Audit`.split(' ')
  roles.LeaseStore = ['Datastore.AllocateSpace', 'Datastore.AllocateTemplate', 'Datastore.Audit']
  roles.LeaseNet = ['SDN.Use']
  roles.LeaseNode = ['Sys.Audit', 'Sys.AccessNetwork']
  for (const name of ['lease@pve', 'wide@pve', 'leaseaud@pve']) {
    grant(state, name === 'wide@pve' ? '/' : '/pool/leases', name, 'LeaseVM')
    grant(state, '/storage/local', name, 'LeaseStore')
    grant(state, '/storage/vmdata', name, 'LeaseStore')
    grant(state, '/sdn/zones/localnetwork', name, 'LeaseNet')
    if (name !== 'lease@pve') grant(state, '/nodes/pve', name, 'LeaseNode')
  }
}
