import { expect, test } from 'vitest'
import { aGuest, aHost, anInventory, someFacts } from '../../tests/support/inventories.js'
import { hosts, refusal, sizing } from '../../tests/support/placement.js'
import { GiB } from '../cluster/machine.js'
import { place } from './place.js'

test('a machine that exists may stay on a full host, but not grow there', async () => {
  const machine = (ram: string, cpu = 4) =>
    anInventory({ controlPlanes: 1, with: { sizing: { control_plane: { ram, cpu } } } })
  const guests = [aGuest(2000, 'pve1', { name: 'dev-cp-1', isOurs: true, memory: 4 * GiB, cpus: 4 })]
  const facts = someFacts([aHost('pve1', { memory: 6 * GiB })], guests)
  const same = await machine('4GiB')
  expect(() => place(same, facts)).not.toThrow()
  const larger = await machine('16GiB')
  expect(() => place(larger, facts)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('dev-cp-1 cannot grow'),
      where: expect.stringContaining('(sizing.control_plane)'),
    }),
  )
  const more = await machine('4GiB', 8)
  const small = someFacts([aHost('pve1', { cpus: 1 })], guests)
  expect(() => place(same, small)).not.toThrow()
  expect(() => place(more, small)).toThrow('dev-cp-1 cannot grow: the machines on pve1 would then use 8 of 4 vCPU')
})

test('the reserve of a host is not allocated', async () => {
  const wanted = await anInventory({
    workers: 3,
    hosts: ['a', 'b'],
    with: { ...sizing(4, '16G'), reserve: { a: { ram: '40G' }, '*': { cpu: 2 } } },
  })
  const facts = someFacts([aHost('a'), aHost('b', { memory: 128 * GiB })])
  const { capacities, ...placement } = place(wanted, facts)
  expect(hosts({ ...placement, capacities }, '-wk-')).toEqual(['a', 'b', 'b'])
  expect(capacities[0]).toMatchObject({
    reserve: { cpu: 0, memory: 40 * GiB },
    memory: { used: 20 * GiB, free: 42 * GiB },
  })
  expect(capacities[1]).toMatchObject({ reserve: { cpu: 2, memory: 0 } })
  const tight = someFacts([aHost('a'), aHost('b', { memory: 18 * GiB })])
  expect(refusal(wanted, tight).message).toContain('a has 2 GiB of memory free beside its reserve')
})

test('memory that a host uses for VMs which the token does not see is not given away', async () => {
  const wanted = await anInventory({ workers: 2, hosts: ['a'], with: sizing(2, '16G') })
  const crowded = someFacts([aHost('a', { memoryUsed: 40 * GiB })])
  expect(refusal(wanted, crowded).message).toContain('(38 GiB are used by something that this token cannot see)')
  const [mine] = [aGuest(2000, 'a', { name: 'dev-cp-1', isOurs: true, memory: 20 * GiB, running: true })]
  expect(place(wanted, someFacts([aHost('a', { memoryUsed: 22 * GiB })], [mine])).capacities[0]?.unseen).toBe(0)
})

test('a token that sees the VMs of others counts what they have configured', async () => {
  const wanted = await anInventory({ workers: 2, hosts: ['a'], with: sizing(2, '16G') })
  const facts = someFacts([aHost('a', { memoryUsed: 50 * GiB })], [aGuest(100, 'a')])
  expect(place(wanted, facts).capacities[0]).toMatchObject({ unseen: 0 })
})

test('only what is pinned is pinned: the others are spread', async () => {
  const wanted = await anInventory({
    workers: 2,
    hosts: ['a', 'b', 'c'],
    with: { placement: { strategy: 'pin', pinned: { 'dev-cp-1': 'c' } } },
  })
  expect(hosts(place(wanted, someFacts([aHost('a'), aHost('b'), aHost('c')])))).toEqual(['c', 'a', 'b'])
})

test('a host that is evacuated gets no new machine', async () => {
  const wanted = await anInventory({ workers: 2, hosts: ['a', 'b'], with: { placement: { evacuate: ['a'] } } })
  expect(hosts(place(wanted, someFacts([aHost('a'), aHost('b')])))).toEqual(['b', 'b', 'b'])
})

const moving = (storage: string, size: number, home?: string) => ({
  move: { disks: [{ storage, size }], ...(home === undefined ? {} : { home }) },
})
const ours = (name: string, host: string, more: object) => ({ ...aGuest(100, host), name, isOurs: true, ...more })

test('a machine leaves an evacuated host for one that has its storage and space for its disks', async () => {
  const evacuating = { placement: { evacuate: ['a'] }, ...sizing(2, '4G') }
  const wanted = await anInventory({ controlPlanes: 1, workers: 0, hosts: ['a', 'b', 'c'], with: evacuating })
  const storage = (id: string, free: number) => ({ id, shared: false, free, total: free, content: ['images'] })
  const facts = (size: number) =>
    someFacts(
      [
        aHost('a'),
        aHost('b', { storages: [storage('other', 100 * GiB)] }),
        aHost('c', { storages: [storage('local-lvm', 30 * GiB)] }),
      ],
      [ours('dev-cp-1', 'a', moving('local-lvm', size))],
    )
  expect(hosts(place(wanted, facts(20 * GiB), { mayMove: false }))).toEqual(['c'])
  const { message, fix } = refusal(wanted, facts(40 * GiB))
  expect(message).toContain('a cannot be evacuated: dev-cp-1 asks for 2 vCPU')
  expect(message).toContain('b has no storage local-lvm for disk images')
  expect(message).toContain('c has 30 GiB of disk space free on local-lvm, and 40 GiB needed')
  expect(fix).toContain('remove a from placement.evacuate')
})

test('a machine goes back to its host when that is open and has capacity, and stays where it is otherwise', async () => {
  const placed = async (placement: object, memory: number) => {
    const wanted = await anInventory({
      controlPlanes: 1,
      workers: 0,
      hosts: ['a', 'b', 'c'],
      with: { placement, ...sizing(2, '4G') },
    })
    const facts = someFacts(
      [aHost('a', { memory }), aHost('b'), aHost('c')],
      [ours('dev-cp-1', 'b', moving('local-lvm', 0, 'a'))],
    )
    return hosts(place(wanted, facts, { mayMove: false }))
  }
  expect(await placed({}, 64 * GiB)).toEqual(['a'])
  expect(await placed({ avoid: ['a'] }, 64 * GiB)).toEqual(['a'])
  expect(await placed({ evacuate: ['a'] }, 64 * GiB)).toEqual(['b'])
  expect(await placed({}, 4 * GiB)).toEqual(['b'])
  expect(await placed({ evacuate: ['b'] }, 64 * GiB)).toEqual(['a'])
  expect(await placed({ evacuate: ['a', 'b'] }, 64 * GiB)).toEqual(['c'])
})

test('a machine that is pinned to the evacuated host is refused with the pin', async () => {
  const wanted = await anInventory({
    controlPlanes: 1,
    workers: 0,
    hosts: ['a', 'b'],
    with: { controlplane: [{ name: 'dev-cp-1', host: 'a' }], placement: { evacuate: ['a'] } },
  })
  const facts = someFacts([aHost('a'), aHost('b')], [ours('dev-cp-1', 'a', moving('local-lvm', 0))])
  expect(refusal(wanted, facts).fix).toContain('The inventory pins dev-cp-1 to a: pin it elsewhere')
})
