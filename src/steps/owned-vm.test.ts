import { expect, test } from 'vitest'
import { aMark, hardwareOf } from '../../tests/support/marks.js'
import { deriveIdentity } from '../cluster/identity.js'
import { PlanRefused } from '../errors.js'
import { type Mark, writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import { findOwned, setOwned, settle } from './owned-vm.js'
import type { StepContext } from './step.js'

const name = 'dev-wk-1'
const vm = { host: 'pve1', vmid: 3000 }
const identity = deriveIdentity('dev', name)
const mark = aMark(name, vm.vmid)
const described = (change: Partial<Mark> = {}) => ({ description: writeMark('', { ...mark, ...change }) })
const ours = { ...described(), ...hardwareOf(name) }
const foreignVm = { name: 'database', memory: '1024' }

type Options = Readonly<Record<string, string>>

const seed = `local:iso/ichor-c1-${name}-0123456789ab.iso`

/** A Proxmox with these VMs, by host and VMID; every call that changes something is written down. */
function aWorld(
  vms: Record<string, Options>,
  onWrite: (call: string) => void = () => undefined,
  seeds: readonly string[] = [seed],
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
  const proxmox = {
    cluster: {
      resources: async () => ({
        guests: Object.keys(vms).map((place) => {
          const [host = '', vmid] = place.split('/')
          return { kind: 'qemu', host, vmid: Number(vmid) }
        }),
      }),
    },
    machines: {
      findConfig: async ({ host, vmid }: typeof vm) => {
        const options = config(host, vmid)
        return options === undefined ? undefined : { options, digest: `d${version}` }
      },
      findStatus: async () => ({ status: 'running' }),
      setOptions: async ({ host, vmid }: typeof vm, { set, digest }: { set: Options; digest: string }) => {
        await write(`set ${Object.keys(set)} if ${digest}`)
        vms[`${host}/${vmid}`] = { ...config(host, vmid), ...set }
      },
      create: () => write('create'),
      stop: () => write('stop'),
      start: () => write('start'),
      remove: () => write('remove'),
    },
    storage: {
      content: async () => seeds.map((volid) => ({ volid })),
      removeVolume: async () => void (await write('remove seed')),
    },
    tasks: { running: async () => [], wait: async () => ({ warnings: [] }) },
  }
  return { world: { proxmox } as unknown as World, writes, vms }
}

const wanted = { machine: { name, identity }, ...vm, options: {}, disks: [], seedDatastore: 'local', spec: 's2' }

function aContext(assertLease = () => undefined, seen: readonly unknown[] = [{ name, ...vm }]) {
  return {
    desired: {
      machines: [wanted],
      templates: [],
      cluster: { id: 'c1', name: 'dev', boot: 'image', pool: 'ichor-dev', tags: [] },
    },
    observed: { machines: seen, templates: [], proxmox: { storages: [] } },
    signal: AbortSignal.timeout(10_000),
    note: () => undefined,
    assertLease,
  } as unknown as StepContext
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
  const context = aContext()
  expect(await findOwned(name, world, context)).toBeUndefined()
  const attempts = [
    setOwned(name, () => ({ memory: 1 }), world, context),
    ...['stop-machine', 'delete-machine'].map((kind) => stepOf(kind).run({ machine: name }, world, context)),
  ]
  for (const attempt of attempts) await expect(attempt).rejects.toBeInstanceOf(PlanRefused)
  expect(writes).toEqual([])
})

test('a machine that was moved to another host since it was seen is found there', async () => {
  const { world } = aWorld({ 'pve2/3000': ours })
  expect(await findOwned(name, world, aContext())).toMatchObject({ host: 'pve2', vmid: 3000, mark: { node: name } })
})

test('a machine that is replaced while its config ISO is deleted is proven once more, and stays', async () => {
  const place = aWorld({ 'pve1/3000': ours }, (call) => {
    if (call === 'remove seed') place.vms['pve1/3000'] = foreignVm
  })
  await expect(stepOf('delete-machine').run({ machine: name }, place.world, aContext())).rejects.toBeInstanceOf(
    PlanRefused,
  )
  expect(place.writes).toEqual(['remove seed'])
})

test('a machine that is replaced while it is off is not switched on again', async () => {
  const place = aWorld({ 'pve1/3000': ours }, (call) => {
    if (call === 'stop') place.vms['pve1/3000'] = foreignVm
  })
  const restart = stepOf('restart-vm').run({ machine: name, keys: [] }, place.world, aContext())
  await expect(restart).rejects.toBeInstanceOf(PlanRefused)
  expect(place.writes).toEqual(['stop'])
})

test('a VMID that somebody took since the plan was made is refused: nothing is created, and no other VMID taken', async () => {
  const { world, writes } = aWorld({ 'pve1/3000': foreignVm })
  const claim = stepOf('claim-machine').run({ machine: name }, world, aContext(undefined, []))
  await expect(claim).rejects.toThrow("VMID 3000 was free a moment ago and now belongs to somebody else's VM.")
  expect(writes).toEqual([])
})

test('what somebody else wrote in between is read before it is written again, each time with the digest that was read', async () => {
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
    world,
    aContext(),
  )
  expect(offered).toEqual(['d1', 'd1'])
  expect(writes).toEqual(['set memory if d1'])
})

test('workers about this VM and clones that run still are waited for, whatever they say; others are not', async () => {
  const task = (type: string, id: string) => ({ host: 'pve1', upid: `${type}:${id}`, type, id })
  const waited: string[] = []
  const tasks = {
    running: async () => [
      task('qmcreate', '3000'),
      task('qmclone', '998'),
      task('qmstart', '3001'),
      task('vzdump', ''),
    ],
    wait: async ({ upid }: { upid: string }) => {
      waited.push(upid)
      throw new Error('it failed')
    },
  }
  await settle(vm, { proxmox: { tasks } } as unknown as World, aContext())
  expect(waited).toEqual(['qmcreate:3000', 'qmclone:998'])
})

test('a medium is ejected before its file goes, and the mark says made only when no config ISO is left', async () => {
  const ide2 = `${seed},media=cdrom`
  const { world, writes, vms } = aWorld({ 'pve1/3000': { ...ours, ...described({ stage: 'making' }), ide2 } })
  expect(await stepOf('drop-seed').done({ machine: name }, world, aContext())).toBe(false)
  await stepOf('drop-seed').run({ machine: name, isNew: true }, world, aContext())
  expect(writes).toEqual(['set ide2 if d1', 'remove seed', 'set description if d3'])
  expect(vms['pve1/3000']).toMatchObject({ ide2: 'none,media=cdrom', ...described({ stage: 'made' }) })
})

test.each(['drop-seed', 'reconfigure-vm'])('notes of the user stay around the mark that %s writes', async (kind) => {
  const around = (text: string) => `bought 2024\n\n${text}\n\n  last line`
  const before = { ...ours, description: around(described({ stage: 'making' }).description) }
  const { world, vms } = aWorld({ 'pve1/3000': before })
  await stepOf(kind).run({ machine: name, isNew: true, keys: [] }, world, aContext())
  const { description = '' } = vms['pve1/3000'] ?? {}
  expect(description).not.toBe(before.description)
  expect(description.replace(/```ichor[\s\S]*```/, 'MARK')).toBe(around('MARK'))
})

test.each(['claim-machine', 'stop-machine', 'delete-machine', 'remove-seed', 'set options'])(
  'without the lease nothing is changed by %s',
  async (kind) => {
    const lost = () => {
      throw new Error('the lease is lost')
    }
    const { world, writes } = aWorld(kind === 'claim-machine' ? {} : { 'pve1/3000': ours }, undefined, [])
    const context = aContext(lost, kind === 'claim-machine' ? [] : undefined)
    const attempt =
      kind === 'set options'
        ? setOwned(name, () => ({ memory: 1 }), world, context)
        : stepOf(kind).run({ machine: name, host: 'pve1', volume: 'local:iso/x.iso' }, world, context)
    await expect(attempt).rejects.toThrow('the lease is lost')
    expect(writes).toEqual([])
  },
)
