import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aMark, described as describedMark, hardwareOf } from '../../tests/support/marks.js'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { aForeignVm, aWorld as anObserved } from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import { createClock } from '../clock.js'
import { PlanRefused } from '../errors.js'
import type { Mark } from '../ownership/mark.js'
import { optionText } from '../proxmox/model/option-text.js'
import type { BoundStep } from '../steps/step.js'
import type { World } from '../world.js'
import { findOwned, setOwned, settle } from './owned-vm.js'

const name = 'dev-wk-1'
const vm = { host: 'pve1', vmid: 3000 }
const mark = aMark(name, vm.vmid)
const described = (change: Partial<Mark> = {}) => ({ description: describedMark({ ...mark, ...change }) })
const ours = { ...described(), ...hardwareOf(name) }
const foreignVm = { name: 'database', memory: '1024' }
const desired = await aDesired({ workers: 1 })

type Options = Readonly<Record<string, string>>
type Where = Parameters<BoundStep['run']>

const upload = `local:import/ichor-c1-${name}-0123456789ab.raw`

/** A Proxmox with these VMs, by host and VMID; records every call that changes something. */
function aWorld(
  vms: Record<string, Options>,
  onWrite: (call: string) => void = () => undefined,
  uploads: readonly string[] = [upload],
) {
  const writes: string[] = []
  let version = 1
  const write = async (call: string) => {
    onWrite(call)
    version++
    writes.push(call)
    return { host: 'pve1', upid: 'UPID' }
  }
  const config = (host: string, vmid: number) => vms[`${host}/${vmid}`]
  const world = aStub<World>({
    clock: createClock(1000),
    talos: { node: () => ({ version: () => Promise.reject(new Error('no answer')) }) },
    proxmox: {
      cluster: {
        resources: async () => ({
          hosts: [],
          storages: [],
          guests: Object.keys(vms).map((place) => {
            const [host = '', vmid] = place.split('/')
            return { ...aForeignVm(Number(vmid), host, name), pool: desired.cluster.pool }
          }),
        }),
      },
      machines: {
        findConfig: async ({ host, vmid }) => {
          const options = config(host, vmid)
          return options === undefined ? undefined : { options, digest: `d${version}` }
        },
        findStatus: async () => ({ status: 'running' as const }),
        setOptions: async ({ host, vmid }, { set = {}, delete: gone = [], deletesDisks = false, digest }) => {
          const what = [...Object.keys(set), ...gone.map((key) => `-${key}${deletesDisks ? ' and its disk' : ''}`)]
          await write(`set ${what} if ${digest}`)
          const texts = Object.entries(set).map(([key, value]) => [key, optionText(value)])
          const kept = Object.entries(config(host, vmid) ?? {}).filter(([key]) => !gone.includes(key))
          vms[`${host}/${vmid}`] = Object.fromEntries([...kept, ...texts])
        },
        create: async ({ host, vmid }) => {
          if (config(host, vmid) !== undefined) throw aProxmoxError('vmid-taken')
          return write('create')
        },
        stop: () => write('stop'),
        start: () => write('start'),
        remove: () => write('remove'),
      },
      storage: {
        content: async (_host, _storage, content) =>
          uploads.filter((volid) => volid.includes(`:${content}/`)).map((volid) => ({ volid })),
        removeVolume: async () => void (await write('remove upload')),
      },
      tasks: { running: async () => [], wait: async () => ({ warnings: [] }) },
    },
  })
  return { world, writes, vms }
}

function contextOf(assertLease = () => undefined, machines = [aSeenMachine(name, vm.vmid)]) {
  return aContext({ desired, observed: { ...anObserved(['pve1']), machines }, assertLease })
}

test.each<{ what: string; options: Options }>([
  { what: 'a VM without mark', options: foreignVm },
  { what: 'a machine of another cluster', options: { ...ours, ...described({ cluster: 'c2' }) } },
  { what: 'a copy of another VM', options: { ...ours, ...described({ vmid: 3001 }) } },
  { what: 'another machine of this cluster', options: { ...ours, ...described({ node: 'dev-wk-2' }) } },
  { what: 'a VM with another UUID', options: { ...ours, smbios1: 'uuid=00000000-0000-4000-8000-000000000000' } },
  { what: 'a VM with another MAC', options: { ...ours, net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' } },
])('$what that stands where ours was seen is neither set, stopped nor deleted', async ({ options }) => {
  const { world, writes } = aWorld({ 'pve1/3000': options })
  const context = contextOf()
  expect(await findOwned(name, { ...context, ...world })).toBeUndefined()
  const attempts = [
    setOwned(name, () => ({ memory: 1 }), { ...context, ...world }),
    stepOf('stop-machine', { machine: name, because: 'removal' }).run({ ...context, ...world }),
    stepOf('delete-machine', { machine: name }).run({ ...context, ...world }),
  ]
  for (const attempt of attempts) await expect(attempt).rejects.toBeInstanceOf(PlanRefused)
  expect(writes).toEqual([])
})

test('a machine that was moved to another host since it was seen is found there', async () => {
  const { world } = aWorld({ 'pve2/3000': ours })
  expect(await findOwned(name, { ...contextOf(), ...world })).toMatchObject({
    host: 'pve2',
    vmid: 3000,
    mark: { node: name },
  })
})

test.each([
  { whom: 'an interrupted run recorded', intent: [3007], isOurs: true },
  { whom: 'nobody recorded', intent: [], isOurs: false },
])(
  'a clone without its identity, under a VMID that is not wanted any more and $whom: deleted is $isOurs',
  async ({ intent, isOurs }) => {
    const pending = described({ vmid: 3007, stage: 'making', more: { identity: 'pending' } })
    const { world, writes } = aWorld({
      'pve1/3007': { ...pending, smbios1: 'uuid=9b6af636-438f-483d-9f07-2e06ce5c4224' },
    })
    const { observed, ...context } = contextOf(undefined, [aSeenMachine(name, 3007)])
    const remembering = { ...context, observed: { ...observed, proxmox: { ...observed.proxmox, intent } } }
    const step = stepOf('delete-machine', { machine: name })
    expect(await step.done({ ...remembering, ...world })).toBe(!isOurs)
    if (isOurs) await step.run({ ...remembering, ...world })
    expect(writes.includes('remove')).toBe(isOurs)
  },
)

test('a machine that is replaced while its uploads are deleted is proven once more, and stays', async () => {
  const place = aWorld({ 'pve1/3000': { ...ours, ...described({ stage: 'making' }) } }, (call) => {
    if (call === 'remove upload') place.vms['pve1/3000'] = foreignVm
  })
  await expect(
    stepOf('delete-machine', { machine: name }).run({ ...contextOf(), ...place.world }),
  ).rejects.toBeInstanceOf(PlanRefused)
  expect(place.writes).toEqual(['remove upload'])
})

test('a machine that is replaced while it is off is not switched on again', async () => {
  const place = aWorld({ 'pve1/3000': ours }, (call) => {
    if (call === 'stop') place.vms['pve1/3000'] = foreignVm
  })
  const restart = stepOf('restart-vm', { machine: name, keys: [] }).run({ ...contextOf(), ...place.world })
  await expect(restart).rejects.toBeInstanceOf(PlanRefused)
  expect(place.writes).toEqual(['stop'])
})

test('a VMID that was taken since the plan is refused: nothing is created, and no other VMID is used', async () => {
  const { world, writes } = aWorld({ 'pve1/3000': foreignVm })
  const claim = stepOf('claim-machine', { machine: name }).run({ ...contextOf(undefined, []), ...world })
  await expect(claim).rejects.toThrow('VMID 3000 was free a moment ago, but is now used by another VM.')
  expect(writes).toEqual([])
})

test('concurrent changes are read again before each write, with the digest that was read', async () => {
  let isFirst = true
  const { world, writes } = aWorld({ 'pve1/3000': ours }, () => {
    const isLate = isFirst
    isFirst = false
    if (isLate) throw Object.assign(new Error('changed'), { kind: 'changed' })
  })
  const offered: string[] = []
  await setOwned(
    name,
    ({ config }) => {
      offered.push(config.digest)
      return { memory: 1 }
    },
    { ...contextOf(), ...world },
  )
  expect(offered).toEqual(['d1', 'd1'])
  expect(writes).toEqual(['set memory if d1'])
})

test('a VM that is listed and cannot be read, as while it migrates, is not called gone', async () => {
  const { world, writes } = aWorld({ 'pve1/3000': ours })
  const blind = aStub<World>({
    clock: createClock(1000),
    proxmox: { cluster: world.proxmox.cluster, machines: { findConfig: async () => undefined } },
  })
  await expect(findOwned(name, { ...contextOf(), ...blind })).rejects.toThrow('is listed by Proxmox and cannot be read')
  await expect(stepOf('delete-machine', { machine: name }).done({ ...contextOf(), ...blind })).rejects.toBeInstanceOf(
    PlanRefused,
  )
  expect(writes).toEqual([])
})

test('workers about this VM and clones that run still are waited for, whatever they say; others are not', async () => {
  const task = (type: string, id: string) => ({ host: 'pve1', upid: `${type}:${id}`, type, id })
  const waited: string[] = []
  const running = [task('qmcreate', '3000'), task('qmclone', '998'), task('qmstart', '3001'), task('vzdump', '')]
  const world = aStub<World>({
    proxmox: {
      tasks: {
        running: async () => running,
        wait: async ({ upid }) => {
          waited.push(upid)
          throw new Error('it failed')
        },
      },
    },
  })
  await settle(vm, { ...contextOf(), ...world })
  expect(waited).toEqual(['qmcreate:3000', 'qmclone:998'])
})

const seedDisk = { scsi30: 'local-lvm:vm-3000-disk-1,serial=ichor-seed,backup=0,size=4M' }
const seedIso = { ide2: `${upload},media=cdrom` }

test.each([
  {
    what: 'a seed disk is deleted with its volume, when no upload is left',
    media: seedDisk,
    calls: ['remove upload', 'set onboot,description,-scsi30 and its disk if d2'],
    ide2: undefined,
  },
  {
    what: 'a medium is ejected before the uploads go',
    media: seedIso,
    calls: ['set ide2 if d1', 'remove upload', 'set onboot,description if d3'],
    ide2: 'none,media=cdrom',
  },
])('$what, and the mark says made only when none is left', async ({ media, calls, ide2 }) => {
  const { world, writes, vms } = aWorld({ 'pve1/3000': { ...ours, ...described({ stage: 'making' }), ...media } })
  const step = stepOf('drop-seed', { machine: name, isNew: true })
  expect(await step.done({ ...contextOf(), ...world })).toBe(false)
  await step.run({ ...contextOf(), ...world })
  expect(writes).toEqual(calls)
  expect(vms['pve1/3000']).toMatchObject({ ...described({ stage: 'made' }), onboot: '1' })
  expect(vms['pve1/3000']?.scsi30).toBeUndefined()
  expect(vms['pve1/3000']?.ide2).toBe(ide2)
  expect(await step.done({ ...contextOf(), ...world })).toBe(true)
})

test.each([stepOf('drop-seed', { machine: name, isNew: true }), stepOf('reconfigure-vm', { machine: name, keys: [] })])(
  'notes of the user stay around the mark that $kind writes',
  async (step) => {
    const around = (text: string) => `bought 2024\n\n${text}\n\n  last line`
    const before = { ...ours, description: around(described({ stage: 'making' }).description) }
    const { world, vms } = aWorld({ 'pve1/3000': before })
    await step.run({ ...contextOf(), ...world })
    const { description = '' } = vms['pve1/3000'] ?? {}
    expect(description).not.toBe(before.description)
    expect(description.replace(/```ichor[\s\S]*```/, 'MARK')).toBe(around('MARK'))
  },
)

test.each([
  stepOf('claim-machine', { machine: name }),
  stepOf('stop-machine', { machine: name, because: 'removal' }),
  stepOf('delete-machine', { machine: name }),
  stepOf('remove-seed', { host: 'pve1', volume: upload }),
  { kind: 'set options', run: (...where: Where) => setOwned(name, () => ({ memory: 1 }), ...where) },
])('without the lease nothing is changed by $kind', async ({ kind, run }) => {
  const lost = () => {
    throw new Error('the lease is lost')
  }
  const { world, writes } = aWorld(kind === 'claim-machine' ? {} : { 'pve1/3000': ours }, undefined, [])
  const context = contextOf(lost, kind === 'claim-machine' ? [] : undefined)
  await expect(run({ ...context, ...world })).rejects.toThrow('the lease is lost')
  expect(writes).toEqual([])
})
