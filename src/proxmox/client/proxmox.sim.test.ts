import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDirectDialer } from '../../reach/direct.js'
import { encodeMedium } from '../../simulator/core/medium.js'
import { type SmallLab, startSmallLab } from '../../simulator/proxmox/testing/small-lab.js'
import type { ProxmoxPort, TaskRef } from './port.js'
import { failureOf } from './testing/failure-of.js'
import { connectLab } from './testing/lab-client.js'

const signal = new AbortController().signal
const vm = { host: 'pve1', vmid: 2000 }
const GiB = 1024 ** 3
const diskImage = encodeMedium({
  kind: 'disk-image',
  talos: 'v1.13.9',
  schematic: 'ce4c',
  platform: 'nocloud',
  arch: 'amd64',
  extensions: [],
  kernelArgs: [],
  secureBoot: false,
  nominalSize: 110_000_000,
  virtualSize: 1246 * 1024 ** 2,
})

describe.each([8, 9] as const)('against a simulated Proxmox %i', (pve) => {
  let lab: SmallLab
  let proxmox: ProxmoxPort

  const done = async (task: Promise<TaskRef>) => proxmox.tasks.wait(await task, signal)
  const makeVm = () =>
    done(
      proxmox.machines.create(
        vm,
        { name: 'cp-1', memory: 2048, net0: 'virtio=02:00:00:00:00:01,bridge=vmbr0', ide2: 'none,media=cdrom' },
        signal,
      ),
    )

  beforeEach(async () => {
    lab = await startSmallLab({ pve })
    proxmox = connectLab(lab)
  })
  afterEach(async () => {
    expect(lab.sim.unknown()).toEqual([])
    await proxmox.close()
    await lab.close()
  })

  test('version, hosts, storages, bridges and status are read', async () => {
    expect(await proxmox.cluster.version(signal)).toMatchObject({ major: pve, canImportImages: true })
    const { hosts, storages } = await proxmox.cluster.resources(signal)
    expect(hosts.map(({ name, online, cpus, memory }) => [name, online, cpus, memory]).sort()).toEqual([
      ['pve1', true, 16, 64 * GiB],
      ['pve2', true, 16, 64 * GiB],
    ])
    expect(storages.find(({ storage, host }) => storage === 'local' && host === 'pve1')?.content).toContain('import')
    expect(await proxmox.hosts.bridges('pve1', signal)).toContainEqual({
      name: 'vmbr0',
      cidr: '10.0.10.2/24',
      gateway: '10.0.10.1',
      vlanAware: true,
      ports: ['eno1'],
    })
    expect(await proxmox.cluster.status(signal)).toMatchObject({
      quorate: true,
      hosts: expect.arrayContaining([{ name: 'pve2', online: true, address: '10.0.10.3' }]),
    })
  })

  test('a machine is made, filled, resized, started, stopped and deleted', async () => {
    const server = createServer((_, response) => response.end(diskImage))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/talos.qcow2`
    const lines: string[] = []
    const download = await proxmox.images.download(
      'pve1',
      'local',
      { url, content: 'import', filename: 'talos.qcow2' },
      signal,
    )
    await proxmox.tasks.wait(download, signal, (line) => lines.push(line))
    server.close()
    expect(lines.join()).not.toContain('TASK OK')
    await done(proxmox.images.upload('pve1', 'local', 'iso', 'seed.iso', Buffer.from('CD001'), signal))
    const volumes = await proxmox.storage.content('pve1', 'local', 'import', signal)
    expect(volumes.map(({ volid }) => volid)).toEqual(['local:import/talos.qcow2'])

    await makeVm()
    const claimed = await proxmox.machines.findConfig(vm, signal)
    expect(claimed?.options).toMatchObject({
      name: 'cp-1',
      memory: '2048',
      net0: 'virtio=02:00:00:00:00:01,bridge=vmbr0',
    })
    const set = {
      scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2',
      ide2: 'local:iso/seed.iso,media=cdrom',
      boot: 'order=scsi0;ide2',
      tags: 'talos;ichor',
    }
    await done(proxmox.machines.configure(vm, { set, digest: claimed?.digest ?? '' }, signal))
    await done(proxmox.machines.resize(vm, 'scsi0', 20 * GiB, undefined, signal))
    await done(proxmox.machines.start(vm, signal))
    expect(await proxmox.machines.findStatus(vm, signal)).toMatchObject({ status: 'running', haManaged: false })
    expect(await proxmox.agent.findAddresses(vm, signal)).toBeUndefined()
    const { guests } = await proxmox.cluster.resources(signal)
    expect(guests).toContainEqual(
      expect.objectContaining({ vmid: 2000, host: 'pve1', kind: 'qemu', status: 'running', tags: ['ichor', 'talos'] }),
    )
    const config = await proxmox.machines.findConfig(vm, signal)
    expect(config?.options.scsi0).toContain('size=20G')

    await proxmox.machines.setOptions(vm, { set: { memory: 4096 } }, signal)
    expect(await proxmox.machines.pending(vm, signal)).toEqual([
      { key: 'memory', value: '2048', pending: '4096', isDeleted: false },
    ])
    await done(proxmox.machines.stop(vm, signal))
    await proxmox.machines.setOptions(vm, { set: { ide2: 'none,media=cdrom' } }, signal)
    const gone = await proxmox.storage.removeVolume('pve1', 'local:iso/seed.iso', signal)
    if (gone !== undefined) await proxmox.tasks.wait(gone, signal)
    await done(proxmox.machines.remove(vm, signal))
    expect(await proxmox.machines.findConfig(vm, signal)).toBeUndefined()
    expect(await proxmox.storage.content('pve1', 'local-lvm', 'images', signal)).toEqual([])
  })

  test('a template is made and cloned, linked and full', async () => {
    await makeVm()
    await done(proxmox.machines.configure(vm, { set: { scsi0: 'local-lvm:4' } }, signal))
    await done(proxmox.machines.convertToTemplate(vm, signal))
    await done(proxmox.machines.clone(vm, { vmid: 2001, name: 'linked', full: false }, signal))
    await done(proxmox.machines.clone(vm, { vmid: 2002, name: 'full', full: true, storage: 'local-lvm' }, signal))
    const { guests } = await proxmox.cluster.resources(signal)
    expect(guests.map(({ vmid, template }) => [vmid, template]).sort()).toEqual([
      [2000, true],
      [2001, false],
      [2002, false],
    ])
  })

  test('a taken VMID is distinguished from everything else', async () => {
    await makeVm()
    const error = await failureOf(proxmox.machines.create({ host: 'pve2', vmid: 2000 }, { name: 'other' }, signal))
    expect(error.kind).toBe('vmid-taken')
    expect(error.message).toContain('by a guest on pve1')
  })

  test('a concurrently changed config is not overwritten', async () => {
    await makeVm()
    const seen = await proxmox.machines.findConfig(vm, signal)
    await proxmox.machines.setOptions(vm, { set: { name: 'renamed' } }, signal)
    const error = await failureOf(
      proxmox.machines.configure(vm, { set: { memory: 512 }, digest: seen?.digest ?? '' }, signal),
    )
    expect(error.kind).toBe('changed')
  })

  test.each(['create', 'start', 'upload', 'download'] as const)(
    'when the answer to a %s is lost, its task is found',
    async (what) => {
      await proxmox.cluster.version(signal)
      if (what === 'start') await makeVm()
      lab.faults.add({ match: { method: 'POST' }, action: { kind: 'drop-answer' } })
      const calls = {
        create: () => proxmox.machines.create(vm, { name: 'cp-1' }, signal),
        start: () => proxmox.machines.start(vm, signal),
        upload: () => proxmox.images.upload('pve1', 'local', 'iso', 'seed.iso', Buffer.from('CD001'), signal),
        download: () =>
          proxmox.images.download(
            'pve1',
            'local',
            { url: 'http://127.0.0.1:9/x.iso', content: 'iso', filename: 'x.iso' },
            signal,
          ),
      }
      const task = await calls[what]()
      expect(task.upid).toMatch(/^UPID:pve1:/)
      if (what !== 'download') await proxmox.tasks.wait(task, signal)
      expect(lab.sim.requests().filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(2)
    },
  )

  test('a lost clone is reported from others of the same source', async () => {
    await makeVm()
    await done(proxmox.machines.configure(vm, { set: { scsi0: 'local-lvm:4' } }, signal))
    lab.faults.add({ match: { method: 'POST', path: 'clone$' }, action: { kind: 'drop-answer' }, times: 2 })
    const [one, other] = await Promise.all(
      [2001, 2002].map((vmid) => proxmox.machines.clone(vm, { vmid, name: `copy-${vmid}`, full: true }, signal)),
    )
    expect(one?.upid).not.toBe(other?.upid)
  })

  test('a write that never arrived is reported from one that did', async () => {
    lab.faults.add({ match: { method: 'POST' }, action: { kind: 'refuse' }, times: 10 })
    const error = await failureOf(proxmox.machines.create(vm, { name: 'cp-1' }, signal))
    expect(['unknown', 'unreached']).toContain(error.outcome)
    expect(await proxmox.machines.findConfig(vm, signal)).toBeUndefined()
  })

  test('a storage that fills up during an import fails the task, with the reason', async () => {
    await done(proxmox.images.upload('pve1', 'local', 'import', 'talos.qcow2', diskImage, signal))
    await makeVm()
    lab.sim.fillStorage('pve1', 'local-lvm', 1024)
    const set = { scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2' }
    const error = await failureOf(done(proxmox.machines.configure(vm, { set }, signal)))
    expect(error.kind).toBe('storage-full')
    expect(error.upid).toContain('qmconfig:2000')
  })

  test('a killed worker is not taken for a verdict', async () => {
    lab.faults.add({ match: { method: 'POST' }, action: { kind: 'kill-task' } })
    const error = await failureOf(done(proxmox.machines.create(vm, { name: 'cp-1' }, signal)))
    expect(error.kind).toBe('worker-died')
    expect(error.outcome).toBe('unknown')
  })

  test('a host that is down is distinguished from a missing VM, and does not stop the others', async () => {
    await lab.sim.setHostOnline('pve2', false)
    const error = await failureOf(proxmox.machines.findConfig({ host: 'pve2', vmid: 2000 }, signal))
    expect(error.kind).toBe('host-down')
    expect((await proxmox.cluster.resources(signal)).hosts.find(({ name }) => name === 'pve2')?.online).toBe(false)
  })

  test('when the host that was named dies in the middle of a run, another one of the cluster is asked', async () => {
    const direct = createDirectDialer()
    const loopbacks = new Map([['10.0.10.3', new URL(lab.sim.endpoints.pve2 ?? '')]])
    const dial: typeof direct.dial = (target, dialSignal) => {
      const url = loopbacks.get(target.host)
      return direct.dial(url === undefined ? target : { host: url.hostname, port: Number(url.port) }, dialSignal)
    }
    const client = connectLab(lab, { dialer: { ...direct, dial } })
    await client.pools.create('dev', 'one', signal)
    const asked = () => lab.sim.requests().filter(({ path }) => path === '/nodes').length
    while (asked() === 0) await new Promise(setImmediate)
    await client.cluster.version(signal)
    await lab.sim.setHostOnline('pve1', false)
    expect((await client.cluster.resources(signal)).hosts).toHaveLength(2)
    await client.pools.setComment('dev', 'two', signal)
    expect((await client.pools.find('dev', signal))?.comment).toBe('two')
    await client.close()
  })

  test('without quorum nothing is created, and the error has the reason', async () => {
    lab.sim.setQuorate(false)
    expect((await failureOf(proxmox.machines.create(vm, { name: 'cp-1' }, signal))).kind).toBe('no-quorum')
    expect((await failureOf(proxmox.pools.create('dev', 'x', signal))).kind).toBe('no-quorum')
  })

  test('pools are made once, commented, filled and removed', async () => {
    expect(await proxmox.pools.create('dev', 'mine', signal)).toBe(true)
    expect(await proxmox.pools.create('dev', 'mine', signal)).toBe(false)
    expect(await proxmox.pools.create('dev/lease-1', 'free', signal)).toBe(true)
    await done(proxmox.machines.create(vm, { name: 'cp-1', pool: 'dev' }, signal))
    await proxmox.pools.setComment('dev', 'ours', signal)
    expect(await proxmox.pools.find('dev', signal)).toEqual({ id: 'dev', comment: 'ours', vmids: [2000] })
    expect(await proxmox.pools.find('ghost', signal)).toBeUndefined()
    await proxmox.pools.remove('dev/lease-1', signal)
    await proxmox.pools.remove('dev/lease-1', signal)
    expect((await proxmox.pools.list(signal)).map(({ id }) => id)).toEqual(['dev'])
  })

  test.each([1, 2])(
    'the answer to change %i of a pool is lost: it is looked whether it happened, and nobody notices',
    async (nth) => {
      await proxmox.pools.create('dev', 'mine', signal)
      await proxmox.pools.create('dev/lease-1', 'free', signal)
      lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'drop-answer' } })
      await proxmox.pools.setComment('dev', 'ours', signal)
      expect(await proxmox.pools.find('dev', signal)).toEqual({ id: 'dev', comment: 'ours', vmids: [] })
      await proxmox.pools.remove('dev/lease-1', signal)
      expect(await proxmox.pools.find('dev/lease-1', signal)).toBeUndefined()
      expect(lab.faults.list().map(({ hits }) => hits)).toEqual([1])
    },
  )

  test('content is added to what a storage allows', async () => {
    await proxmox.storage.enableContent('local', ['snippets', 'iso'], signal)
    const { storages } = await proxmox.cluster.resources(signal)
    const local = storages.find(({ storage }) => storage === 'local')
    expect(local?.content).toEqual(expect.arrayContaining(['iso', 'import', 'snippets']))
  })

  test('a wrong token and a wrong fingerprint are named as what they are', async () => {
    const foreignVm = connectLab(lab, { auth: { kind: 'token', id: 'root@pam!lab', secret: 'wrong' } })
    expect((await failureOf(foreignVm.cluster.version(signal))).kind).toBe('unauthenticated')
    const fooled = connectLab(lab, { trust: { kind: 'fingerprint', sha256: '00'.repeat(32) } })
    expect((await failureOf(fooled.cluster.version(signal))).kind).toBe('untrusted')
    await Promise.all([foreignVm.close(), fooled.close()])
  })

  test('root logs in with a password', async () => {
    const root = connectLab(lab, { auth: { kind: 'ticket', user: 'root@pam', password: lab.sim.rootPassword } })
    expect(await root.pools.create('made-by-root', '', signal)).toBe(true)
    await root.close()
  })
})
