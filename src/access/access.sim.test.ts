import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock } from '../clock.js'
import { takeLease } from '../ownership/lease.js'
import type { ProxmoxPort, TaskRef } from '../proxmox/client/port.js'
import { connectLab } from '../proxmox/client/testing/lab-client.js'
import { type SmallLab, startSmallLab } from '../simulator/proxmox/testing/small-lab.js'
import { grantAccess, planAccess } from './access-plan.js'
import { findBroadRights, refuseBroadRights } from './broad-rights.js'
import { checkAccess, describeLack } from './check-access.js'
import { compilePrivileges } from './compile-privileges.js'
import { runIdentity } from './identities.js'
import { makeAccess } from './make-access.js'
import { removeFormerControllers } from './remove-access.js'
import { settleToken } from './settle-token.js'
import { anAccessInventory, aTokenHome } from './testing.js'

const signal = new AbortController().signal
const inventory = anAccessInventory({
  settings: { network: { mode: 'dhcp', agent: true }, talos: { boot: 'iso', delivery: 'cidata' } },
})
const controllers = aTokenHome(true)
const prove = async () => true
const once = {
  renew: false,
  prove,
  homeOf: (addon: string | undefined) => (addon === undefined ? aTokenHome() : controllers),
  signal,
}

describe.each([8, 9] as const)('on a simulated Proxmox %i', (pve) => {
  let lab: SmallLab
  let admin: ProxmoxPort
  const opened: ProxmoxPort[] = []

  const connectAs = (id: string, secret: string) => {
    const port = connectLab(lab, { auth: { kind: 'token', id, secret } })
    opened.push(port)
    return port
  }
  const compile = async () => {
    const [version, { storages, hosts }] = await Promise.all([
      admin.cluster.version(signal),
      admin.cluster.resources(signal),
    ])
    const needs = compilePrivileges(inventory, { version, storages, hosts: hosts.map(({ name }) => name) })
    return { needs, identity: runIdentity(inventory, needs) }
  }
  const makeToken = async () => {
    const { needs, identity } = await compile()
    await makeAccess(admin, identity, signal)
    const { shown } = await settleToken(admin.access, identity, aTokenHome(), once)
    if (shown === undefined) throw new Error('no token was made')
    return { needs, identity, own: connectAs(shown.id, shown.secret) }
  }

  beforeEach(async () => {
    lab = await startSmallLab({ pve })
    admin = connectAs(lab.sim.tokenId, lab.sim.tokenSecret)
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((port) => port.close()))
    await lab.close()
  })

  test('the token that is made lacks nothing, and made again it changes nothing', async () => {
    const { needs, identity, own } = await makeToken()
    expect(await checkAccess(own, needs, signal)).toEqual([])
    const again = await makeAccess(admin, identity, signal)
    expect(again).toEqual([])
    expect((await settleToken(admin.access, identity, aTokenHome(), once)).shown).toBeUndefined()
    expect((await admin.access.acl(signal)).filter(({ subject }) => subject === identity.user)).toHaveLength(
      identity.acl.length,
    )
  })

  test('it suffices for the whole life of a machine, and not for the machines of others', async () => {
    const { own } = await makeToken()
    const done = async (task: Promise<TaskRef>) => own.tasks.wait(await task, signal)
    const vm = { host: 'pve1', vmid: 2000 }
    const lease = await takeLease({
      pools: own.pools,
      clock: createClock(1),
      pool: 'ichor-dev',
      run: 'r',
      intent: [2000],
      signal,
    })
    const net0 = 'virtio=02:00:00:00:00:01,bridge=vmbr0'
    const options = {
      name: 'cp-1',
      memory: 2048,
      cores: 2,
      cpu: 'x86-64-v2-AES',
      bios: 'ovmf',
      machine: 'q35',
      net0,
      ide2: 'none,media=cdrom',
      onboot: 1,
      agent: '1',
    }
    await done(own.machines.create(vm, { ...options, pool: 'ichor-dev' }, signal))
    await done(own.images.upload('pve1', 'local', 'iso', 'seed.iso', Buffer.from('CD001'), signal))
    const set = {
      scsi0: 'local-lvm:4',
      efidisk0: 'local-lvm:1,efitype=4m',
      ide2: 'local:iso/seed.iso,media=cdrom',
      boot: 'order=scsi0;ide2',
      tags: 'ichor',
    }
    await done(own.machines.configure(vm, { set }, signal))
    await done(own.machines.resize(vm, 'scsi0', 8 * 1024 ** 3, undefined, signal))
    await done(own.machines.start(vm, signal))
    await done(own.machines.stop(vm, signal))
    await own.machines.setOptions(vm, { set: { ide2: 'none,media=cdrom' } }, signal)
    const gone = await own.storage.removeVolume('pve1', 'local:iso/seed.iso', signal)
    if (gone !== undefined) await own.tasks.wait(gone, signal)
    await done(own.machines.remove(vm, signal))
    await lease.release({ remove: 'lease-and-pool' })
    expect(await own.pools.find('ichor-dev', signal)).toBeDefined()

    const foreign = { host: 'pve1', vmid: 100 }
    await admin.tasks.wait(await admin.machines.create(foreign, { name: 'games' }, signal), signal)
    expect(await own.machines.findConfig(foreign, signal)).toBeUndefined()
    await expect(own.machines.start(foreign, signal)).rejects.toThrow(/VM\.PowerMgmt on \/vms\/100/)
  })

  test('a guest that is to be created can be created, with its device and its medium', async () => {
    const hba = { name: 'nas', create: true, vmid: 120, disks: [], devices: [{ mapping: 'hba' }] }
    const withGuest = anAccessInventory({ settings: { guests: [hba] } })
    const plan = await planAccess(admin, withGuest, [], signal)
    const { tokens } = await grantAccess(admin, plan, once)
    const own = connectAs(tokens[0]?.shown?.id ?? '', tokens[0]?.shown?.secret ?? '')
    expect(await checkAccess(own, plan.needs, signal)).toEqual([])
    const vm = { host: 'pve1', vmid: 120 }
    const options = { name: 'nas', memory: 1024, net0: 'virtio,bridge=vmbr0', scsi0: 'local-lvm:4' }
    await own.tasks.wait(await own.machines.create(vm, options, signal), signal)
    await own.tasks.wait(await own.machines.start(vm, signal), signal)
    const other = { host: 'pve1', vmid: 121 }
    await expect(own.machines.create(other, options, signal)).rejects.toThrow(/gave 403/)
  })

  test('a guest without a VMID is reported: no right can be granted for it', async () => {
    const nas = { name: 'nas', create: true, disks: [], devices: [] }
    const plan = await planAccess(admin, anAccessInventory({ settings: { guests: [nas] } }), [], signal)
    expect(plan.warnings.join()).toContain('The guest nas has no vmid')
    const { tokens } = await grantAccess(admin, plan, once)
    const own = connectAs(tokens[0]?.shown?.id ?? '', tokens[0]?.shown?.secret ?? '')
    const lacks = await checkAccess(own, plan.needs, signal)
    expect(lacks.map(({ path }) => path)).toEqual(['/vms'])
  })

  test('others with rights on the pool or on the storage of config media are named, administrators are not', async () => {
    expect((await planAccess(admin, inventory, [], signal)).warnings.join()).not.toContain('Others hold rights')
    await admin.access.createUser('eve@pve', '', signal)
    const eve = { kind: 'user' as const, subject: 'eve@pve', propagate: true }
    await admin.access.grant({ ...eve, path: '/pool/ichor-dev', role: 'PVEVMAdmin' }, signal)
    await admin.access.grant({ ...eve, path: '/storage', role: 'PVEDatastoreUser' }, signal)
    await admin.access.grant({ ...eve, path: '/', role: 'Administrator' }, signal)
    const { warnings } = await planAccess(admin, inventory, [], signal)
    expect(warnings.filter((warning) => warning.startsWith('Others')).map((warning) => warning.split('.')[0])).toEqual([
      'Others hold rights on /pool/ichor-dev: user eve@pve (PVEVMAdmin)',
      'Others hold rights on /storage/local: user eve@pve (PVEDatastoreUser)',
    ])
    await admin.access.createUser('mallory@pve', '', signal)
    const mallory = { kind: 'user' as const, subject: 'mallory@pve', propagate: true, path: '/' }
    await admin.access.grant({ ...mallory, role: 'PVEDatastoreUser' }, signal)
    expect((await planAccess(admin, inventory, [], signal)).warnings.join()).toContain(
      'Others hold rights on /storage/local: user eve@pve (PVEDatastoreUser), user mallory@pve (PVEDatastoreUser).',
    )
    await admin.access.revoke({ ...mallory, role: 'PVEDatastoreUser' }, signal)
  })

  test('a user with Sys.Modify on / is not given a storage with backups, and its token does not pass', async () => {
    const { identity, own } = await makeToken()
    expect(await findBroadRights(own, await admin.cluster.resources(signal), signal)).toBeUndefined()
    await refuseBroadRights(admin, identity, signal)
    await admin.access.setRole('Modifier', ['Sys.Modify'], signal)
    const entry = { kind: 'user' as const, subject: identity.user, path: '/', role: 'Modifier', propagate: false }
    await admin.access.grant(entry, signal)
    expect(await findBroadRights(own, await admin.cluster.resources(signal), signal)).toMatch(
      /^The token holds Sys\.Modify on \/ and Datastore\.Allocate on \/storage\/local, which holds backups\./,
    )
    await expect(refuseBroadRights(admin, identity, signal)).rejects.toMatchObject({
      fix: 'Run as root on a host: pveum acl delete / --users ichor-dev@pve --roles Modifier',
    })
    await admin.access.revoke(entry, signal)
    await refuseBroadRights(admin, identity, signal)
  })

  test('the user of an addon that is gone loses token, rights and roles', async () => {
    const csi = { addon: 'proxmox_csi', name: 'csi', privileges: ['VM.Audit', 'Datastore.Allocate'] }
    const plan = await planAccess(admin, inventory, [csi], signal)
    await grantAccess(admin, plan, once)
    const after = await planAccess(admin, inventory, [], signal)
    expect(await removeFormerControllers(admin, inventory, [after.run], signal)).toEqual([
      'removed user dev-csi@pve with its token, permissions and roles: no addon needs it any more',
    ])
    expect(await admin.access.findTokens('dev-csi@pve', signal)).toBeUndefined()
    expect((await admin.access.roles(signal)).filter(({ id }) => id.startsWith('ichor-dev-csi'))).toEqual([])
    expect(await removeFormerControllers(admin, inventory, [after.run], signal)).toEqual([])
  })

  test('controllers get tokens of their own, whose secrets go into the secrets file', async () => {
    const csi = { addon: 'proxmox_csi', name: 'csi', privileges: ['VM.Audit', 'VM.Config.Disk', 'Datastore.Allocate'] }
    const plan = await planAccess(admin, inventory, [csi], signal)
    const { tokens } = await grantAccess(admin, plan, once)
    expect(tokens.map(({ current }) => current?.id)).toEqual(['ichor-dev@pve!ichor', 'dev-csi@pve!ichor'])
    expect(tokens.map(({ shown }) => shown?.id)).toEqual(['ichor-dev@pve!ichor', undefined])
    const controller = connectAs('dev-csi@pve!ichor', controllers.value?.secret ?? '')
    expect(await controller.access.privilegesOn('/storage/local-lvm', signal)).toEqual(
      new Map([['Datastore.Allocate', true]]),
    )
  })

  test('what an inventory needs no more is removed, with its roles; those of another cluster stay', async () => {
    const { identity } = await makeToken()
    await admin.access.setRole('ichor-dev-two-pool-1', ['VM.Audit'], signal)
    const fewer = identity.acl.filter(({ path }) => !path.startsWith('/sdn'))
    const roles = identity.roles.filter(({ id }) => fewer.some(({ role }) => role === id))
    const notes = await makeAccess(admin, { ...identity, acl: fewer, roles }, signal)
    const gone = identity.roles.find(({ id }) => !roles.some((role) => role.id === id))?.id
    expect(notes.filter((note) => /^(revoked|removed)/.test(note))).toEqual([
      `revoked ${gone} on /sdn/zones/localnetwork/vmbr0`,
      `removed role ${gone}`,
    ])
    const left = (await admin.access.roles(signal)).map(({ id }) => id).filter((id) => id.startsWith('ichor-'))
    expect(left.sort()).toEqual([...roles.map(({ id }) => id), 'ichor-dev-two-pool-1'].sort())
  })

  test('a user who may not grant is asked to log in as one who may', async () => {
    const { own } = await makeToken()
    const plan = await planAccess(own, inventory, [], signal)
    await expect(grantAccess(own, plan, once)).rejects.toMatchObject({
      message: expect.stringMatching(/^This user is not allowed to create .* POST \/access\/users gave 403: /),
      fix: 'Log in as an administrator, such as root@pam.',
    })
  })

  test('what is missing is reported with the work that needs it', async () => {
    const { needs, identity, own } = await makeToken()
    const role = identity.acl.find(({ path }) => path === '/storage/local-lvm')?.role ?? ''
    await admin.access.setRole(role, ['Datastore.Audit'], signal)
    expect((await checkAccess(own, needs, signal)).map(describeLack)).toEqual([
      'To make disks, the token lacks Datastore.AllocateSpace on /storage/local-lvm.',
    ])
  })

  test('rights that do not reach far enough are reported and repaired, and those on all VMs do as well as those on the pool', async () => {
    const { needs, identity, own } = await makeToken()
    const entry = identity.acl.find(({ path }) => path === '/pool/ichor-dev')
    if (entry === undefined) throw new Error('no entry for the pool')
    await admin.access.grant({ ...entry, propagate: false }, signal)
    expect((await checkAccess(own, needs, signal)).map(describeLack)).toEqual([
      'To hold the lease, the token lacks Pool.Audit Pool.Allocate below /pool/ichor-dev.',
    ])
    await makeAccess(admin, identity, signal)
    expect(await checkAccess(own, needs, signal)).toEqual([])
    await admin.access.grant({ ...entry, path: '/vms' }, signal)
    await admin.access.revoke(entry, signal)
    expect((await checkAccess(own, needs, signal)).map(({ work }) => work)).toEqual(['hold the lease'])
  })
})
