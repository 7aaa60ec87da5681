import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createIdleGuests } from '../../simulator/proxmox/testing/idle-guest.js'
import { type SmallLab, smallTopology, startSmallLab } from '../../simulator/proxmox/testing/small-lab.js'
import type { ProxmoxPort, TaskRef } from './port.js'
import { connectLab } from './testing/lab-client.js'

const signal = new AbortController().signal
const ceph = { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 2 ** 40 } as const
const topology = { ...smallTopology, storages: [...smallTopology.storages, ceph] }

describe.each([8, 9] as const)('against a simulated Proxmox %i', (pve) => {
  let lab: SmallLab
  let proxmox: ProxmoxPort
  beforeEach(async () => {
    lab = await startSmallLab({ pve, topology, guests: createIdleGuests({ heedsButton: true }) })
    proxmox = connectLab(lab, { trust: { kind: 'ca', pem: lab.sim.ca } })
    for (const vmid of [2000, 2001]) {
      await proxmox.tasks.wait(
        await proxmox.machines.create({ host: 'pve1', vmid }, { name: `cp-${vmid}` }, signal),
        signal,
      )
    }
  })
  afterEach(async () => {
    expect(lab.sim.unknown()).toEqual([])
    await proxmox.close()
    await lab.close()
  })

  test('high availability takes machines, holds them on hosts by group on 8 and by rule on 9, and lets go of them', async () => {
    const ha = proxmox.highAvailability
    const tries = { maxRestart: 1, maxRelocate: 1 }
    for (const vmid of [2000, 2001]) await ha.setResource({ vmid, state: 'ignored', ...tries }, signal)
    const changed = { vmid: 2000, state: 'ignored', maxRestart: 2, maxRelocate: 0, comment: 'changed' } as const
    await ha.setResource(changed, signal)
    expect((await ha.resources(signal)).find(({ vmid }) => vmid === 2000)).toEqual(changed)
    if (pve === 8) {
      await ha.setGroup({ id: 'dev', hosts: ['pve1', 'pve2'], restricted: true }, signal)
      await ha.setGroup({ id: 'dev', hosts: ['pve1'], restricted: true }, signal)
      expect((await ha.read(pve, signal)).groups).toEqual([{ id: 'dev', hosts: ['pve1'], restricted: true }])
      await ha.removeGroup('dev', signal)
    } else {
      const apart = { id: 'dev-apart', type: 'resource-affinity', vmids: [2000, 2001], together: false } as const
      const near = { id: 'dev-near', type: 'node-affinity', vmids: [2000], hosts: ['pve1'], strict: false } as const
      for (const rule of [apart, near]) await ha.setRule(rule, signal)
      await ha.setRule({ ...near, hosts: ['pve1', 'pve2'], strict: true }, signal)
      expect((await ha.read(pve, signal)).rules).toEqual([apart, { ...near, hosts: ['pve1', 'pve2'], strict: true }])
      for (const { id } of [apart, near]) await ha.removeRule(id, signal)
      await ha.removeRule('dev-near', signal)
      expect((await ha.read(pve, signal)).rules).toEqual([])
    }
    for (const vmid of [2000, 2001]) await ha.removeResource(vmid, signal)
    await ha.removeResource(2000, signal)
    expect(await ha.resources(signal)).toEqual([])
  })

  test('the firewall of a VM gets options, rules and IP sets, and loses them again', async () => {
    const scope = { kind: 'vm', vm: { host: 'pve1', vmid: 2000 } } as const
    const { firewall } = proxmox
    await firewall.setOptions(scope, { set: { enable: true, policy_in: 'DROP' } }, signal)
    expect((await firewall.options(scope, signal)).options).toMatchObject({ enable: '1', policy_in: 'DROP' })
    expect(await firewall.createIpset(scope, 'admins', 'from where', signal)).toBe(true)
    expect(await firewall.createIpset(scope, 'admins', 'from where', signal)).toBe(false)
    await firewall.addIpsetEntry(scope, 'admins', { cidr: '10.0.0.0/8' }, signal)
    await firewall.addIpsetEntry(scope, 'admins', { cidr: '10.0.0.0/8' }, signal)
    expect(await firewall.ipsetEntries(scope, 'admins', signal)).toEqual([{ cidr: '10.0.0.0/8' }])
    const rule = (dport: string) =>
      ({ type: 'in', action: 'ACCEPT', enabled: true, match: { proto: 'tcp', dport, source: '+admins' } }) as const
    await firewall.addRule(scope, rule('50000'), signal)
    await firewall.addRule(scope, rule('6443'), signal)
    const { rules, digest } = await firewall.rules(scope, signal)
    expect(rules.map(({ match }) => match.dport)).toEqual(['6443', '50000'])
    await firewall.removeRule(scope, 0, digest, signal)
    expect((await firewall.rules(scope, signal)).rules).toHaveLength(1)
    await firewall.removeRule(scope, 0, (await firewall.rules(scope, signal)).digest, signal)
    await firewall.removeIpsetEntry(scope, 'admins', '10.0.0.0/8', signal)
    await firewall.removeIpset(scope, 'admins', signal)
    expect(await firewall.ipsets(scope, signal)).toEqual([])
  })

  test('a security group of the cluster holds rules', async () => {
    const { firewall } = proxmox
    await firewall.createGroup('dev-nodes', 'ichor', signal)
    expect(await firewall.groups(signal)).toEqual([{ name: 'dev-nodes', comment: 'ichor' }])
    const list = { kind: 'group', group: 'dev-nodes' } as const
    await firewall.addRule(list, { type: 'in', action: 'ACCEPT', enabled: true, match: { macro: 'Ping' } }, signal)
    const { digest } = await firewall.rules(list, signal)
    await firewall.removeRule(list, 0, digest, signal)
    await firewall.removeGroup('dev-nodes', signal)
  })

  test('a backup job is made, changed and removed', async () => {
    const job = {
      id: 'ichor-dev',
      schedule: 'sun 02:00',
      storage: 'local',
      enabled: true,
      what: { vmids: [2000] },
      settings: { mode: 'snapshot', 'prune-backups': 'keep-last=3,keep-weekly=2' },
    }
    await proxmox.backup.setJob(job, signal)
    expect(await proxmox.backup.jobs(signal)).toEqual([job])
    await proxmox.backup.setJob({ ...job, what: { vmids: [2000, 2001] } }, signal)
    expect((await proxmox.backup.jobs(signal))[0]).toMatchObject({ id: 'ichor-dev', what: { vmids: [2000, 2001] } })
    await proxmox.backup.removeJob('ichor-dev', signal)
    await proxmox.backup.removeJob('ichor-dev', signal)
    expect(await proxmox.backup.jobs(signal)).toEqual([])
  })

  test('a machine is moved to another host, and what it was is found there', async () => {
    const task = await proxmox.machines.migrate(
      { host: 'pve1', vmid: 2000 },
      { target: 'pve2', online: false, withLocalDisks: true },
      signal,
    )
    await proxmox.tasks.wait(task, signal)
    expect(await proxmox.machines.findConfig({ host: 'pve1', vmid: 2000 }, signal)).toBeUndefined()
    expect((await proxmox.machines.findConfig({ host: 'pve2', vmid: 2000 }, signal))?.options.name).toBe('cp-2000')
  })

  test.each([true, false])('a template on a shared storage is cloned onto another host, in full: %s', async (full) => {
    const template = { host: 'pve1', vmid: 2000 }
    const { machines, tasks } = proxmox
    const done = async (task: Promise<TaskRef>) => tasks.wait(await task, signal)
    await done(machines.configure(template, { set: { scsi0: 'ceph:4' } }, signal))
    await done(machines.convertToTemplate(template, signal))
    await done(machines.clone(template, { vmid: 2002, name: 'there', full, target: 'pve2' }, signal))
    const copy = await machines.findConfig({ host: 'pve2', vmid: 2002 }, signal)
    expect(copy?.options).toMatchObject({ name: 'there', scsi0: expect.stringMatching(/^ceph:.*vm-2002-disk-0/) })
  })
})
