import { expect, test } from 'vitest'
import { aGuest, aHost, anInventory, someFacts } from '../../tests/support/inventories.js'
import { hosts, refusal, sizing } from '../../tests/support/placement.js'
import { GiB } from '../cluster/machine.js'
import { place } from './place.js'

test('workers take slot 0 of every host, then slot 1, so that they spread even though hosts differ', async () => {
  const wanted = await anInventory({ workers: 7, hosts: ['a', 'b', 'c'], with: sizing(8, '16G') })
  const facts = someFacts([
    aHost('a', { memory: 96 * GiB }),
    aHost('b', { memory: 54 * GiB }),
    aHost('c', { memory: 26 * GiB }),
  ])
  expect(hosts(place(wanted, facts), '-wk-')).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'b'])
})

test('control planes come first and stand on as many hosts as possible', async () => {
  const pool = { name: 'gpu', count: 1, devices: ['l40'], offset: 3000, sizing: { ram: '24G' } }
  const wanted = await anInventory({
    controlPlanes: 3,
    workers: 3,
    hosts: ['a', 'b', 'c'],
    with: { sizing: { control_plane: { ram: '4G' }, worker: { ram: '1G' } }, worker_pools: [pool] },
  })
  // The machine with the device would fill the first host if placed first.
  const facts = someFacts([
    aHost('a', { memory: 26 * GiB, pciMappings: ['l40'] }),
    aHost('b', { pciMappings: ['l40'] }),
    aHost('c'),
  ])
  expect(hosts(place(wanted, facts), '-cp-')).toEqual(['a', 'b', 'c'])
  expect(hosts(place(wanted, facts), '-gpu-')).toEqual(['b'])
})

test('no machine has more vCPUs than its host has threads, however few are used', async () => {
  const wanted = await anInventory({ workers: 2, hosts: ['a', 'b'], with: sizing(20, '4G') })
  const facts = (threads: number) => someFacts([aHost('a', { cpus: 16 }), aHost('b', { cpus: threads })])
  expect(hosts(place(wanted, facts(32)), '-wk-')).toEqual(['b', 'b'])
  expect(refusal(wanted, facts(16)).message).toContain('a has 16 threads, and no VM may have more vCPUs')
})

test('the disks of a guest that is yet to be made are taken off before machines are placed', async () => {
  const nas = { name: 'nas', host: 'pve1', cpu: 1, ram: '1G', disk: '900G', create: true }
  const wanted = (guests: readonly object[]) =>
    anInventory({ workers: 1, with: { guests, sizing: { worker: { disk: '200G' } } } })
  expect(hosts(place(await wanted([]), someFacts([aHost('pve1')])), '-wk-')).toEqual(['pve1'])
  expect(refusal(await wanted([nas]), someFacts([aHost('pve1')])).message).toContain('of disk space free on local-lvm')
})

test('a pool begins where the fewest workers are', async () => {
  const worker_pools = ['one', 'two', 'three'].map((name, index) => ({ name, count: 1, offset: 3000 + index }))
  const wanted = await anInventory({ workers: 2, hosts: ['a', 'b', 'c'], with: { worker_pools } })
  const placement = place(wanted, someFacts([aHost('a'), aHost('b'), aHost('c')]))
  expect(['wk-1', 'wk-2', 'one-1', 'two-1', 'three-1'].map((name) => placement.hostOf.get(`dev-${name}`))).toEqual([
    'a',
    'b',
    'c',
    'a',
    'b',
  ])
})

test('pack fills one host before the next, and still spreads control planes', async () => {
  const wanted = await anInventory({
    controlPlanes: 3,
    workers: 4,
    hosts: ['a', 'b', 'c'],
    with: { placement: { strategy: 'pack' } },
  })
  const placement = place(wanted, someFacts([aHost('a'), aHost('b'), aHost('c')]))
  expect(hosts(placement, '-cp-')).toEqual(['a', 'b', 'c'])
  expect(hosts(placement, '-wk-')).toEqual(['a', 'a', 'a', 'a'])
})

test('a pin decides, and what is pinned has its capacity before others choose', async () => {
  const wanted = await anInventory({
    workers: 3,
    hosts: ['a', 'b'],
    with: { ...sizing(4, '24G'), placement: { pinned: { 'dev-wk-3': 'b', 'dev-cp-1': 'b' } } },
  })
  const placement = place(wanted, someFacts([aHost('a'), aHost('b', { memory: 32 * GiB })]))
  expect(Object.fromEntries(placement.hostOf)).toEqual({
    'dev-cp-1': 'b',
    'dev-wk-1': 'a',
    'dev-wk-2': 'a',
    'dev-wk-3': 'b',
  })
})

test.each([
  ['offline', { online: false }, {}],
  ['in maintenance', { maintenance: true }, {}],
  ['avoided', {}, { placement: { avoid: ['a'] } }],
] as const)('a host that is %s gets no machine', async (_, facts, settings) => {
  const wanted = await anInventory({ workers: 2, hosts: ['a', 'b'], with: settings })
  expect(hosts(place(wanted, someFacts([aHost('a', facts), aHost('b')])))).toEqual(['b', 'b', 'b'])
})

test('machines that exist stay, even where newcomers would not be put', async () => {
  const wanted = await anInventory({ workers: 3, hosts: ['a', 'b'] })
  const facts = someFacts(
    [aHost('a', { maintenance: true }), aHost('b')],
    [aGuest(100001, 'a', { name: 'dev-wk-2', isOurs: true }), aGuest(100000, 'a', { name: 'dev-wk-1', isOurs: true })],
  )
  expect(Object.fromEntries(place(wanted, facts).hostOf)).toMatchObject({
    'dev-wk-1': 'a',
    'dev-wk-2': 'a',
    'dev-wk-3': 'b',
  })
})

test('machines leave a host that is avoided', async () => {
  const wanted = await anInventory({ hosts: ['a', 'b'], with: { placement: { avoid: ['a'] } } })
  const facts = someFacts([aHost('a'), aHost('b')], [aGuest(2000, 'a', { name: 'dev-cp-1', isOurs: true })])
  expect(hosts(place(wanted, facts))).toEqual(['b'])
})

test('anti-affinity that is required is never broken', async () => {
  const pool = { name: 'gpu', count: 2, anti_affinity: 'required', offset: 3000 }
  const wanted = await anInventory({ workers: 0, hosts: ['a', 'b'], with: { worker_pools: [pool] } })
  expect(hosts(place(wanted, someFacts([aHost('a'), aHost('b')])), '-gpu-')).toEqual(['a', 'b'])
  const error = refusal(wanted, someFacts([aHost('a'), aHost('b', { online: false })]))
  expect(error.message).toContain('a has another machine of gpu already (anti-affinity is required)')
})

test('machines with a device go where the device is, one each', async () => {
  const pool = { name: 'gpu', count: 2, devices: ['l40'], offset: 3000 }
  const wanted = await anInventory({ workers: 2, hosts: ['a', 'b', 'c'], with: { worker_pools: [pool] } })
  const facts = someFacts([aHost('a'), aHost('b', { pciMappings: ['l40'] }), aHost('c', { pciMappings: ['l40'] })])
  expect(hosts(place(wanted, facts), '-gpu-')).toEqual(['b', 'c'])
  expect(refusal(wanted, someFacts([aHost('a'), aHost('b', { pciMappings: ['l40'] })])).message).toContain(
    'no free device of the PCI mapping l40',
  )
})

test('disk space counts: per host on local storage, once for all on shared storage', async () => {
  const wanted = await anInventory({ workers: 4, hosts: ['a', 'b'], with: { sizing: { worker: { disk: '100G' } } } })
  const storage = { id: 'local-lvm', free: 250 * GiB, total: 500 * GiB, content: ['images'] }
  const both = (shared: boolean) => ['a', 'b'].map((name) => aHost(name, { storages: [{ ...storage, shared }] }))
  expect(hosts(place(wanted, someFacts(both(false))), '-wk-')).toEqual(['a', 'b', 'a', 'b'])
  expect(refusal(wanted, someFacts(both(true))).message).toContain('10 GiB of disk space free on local-lvm')
})

test('what does not fit is refused with the numbers of every host and what would fit', async () => {
  const wanted = await anInventory({ workers: 9, hosts: ['a', 'b'], with: sizing(4, '16G') })
  const error = refusal(wanted, someFacts([aHost('a', { memory: 50 * GiB }), aHost('b', { memory: 50 * GiB })]))
  expect(error.message).toBe(
    'Not enough capacity for all machines: dev-wk-6 to dev-wk-9 (4 machines of workers) ask for 4 vCPU and 16 GiB of memory each, and a has 12 GiB of memory free; b has 0 GiB of memory free.',
  )
  expect(error.where).toMatch(/^cluster\.yaml:3:15 {2}\(worker_count\)$/)
  expect(error.fix).toBe('5 of 9 machines of workers fit: reduce the count to 5, use smaller machines, or add a host.')
})

test.each([
  ['too little memory', { cpu: 4, ram: '80G' }, 'pve1 then has 18 GiB less memory than needed'],
  [
    'too little disk space',
    { cpu: 4, ram: '8G', disk: '2T' },
    '1024 GiB of disk space free on local-lvm, and 2048 GiB needed',
  ],
  ['no such device', { cpu: 4, ram: '8G', devices: ['hba'] }, 'pve1 then has no free device of the PCI mapping hba'],
])('a guest that is yet to be made is refused with %s, and one that is there already is not', async (_, size, text) => {
  const wanted = await anInventory({ with: { guests: [{ name: 'nas', host: 'pve1', create: true, ...size }] } })
  expect(refusal(wanted, someFacts([aHost('pve1', { pciMappings: ['gpu'] })])).message).toContain(text)
  const grown = aHost('pve1', { memory: 128 * GiB })
  expect(() => place(wanted, someFacts([grown], [aGuest(120, 'pve1', { name: 'nas' })]))).not.toThrow()
})

test('a host whose size the token may not see is reported', async () => {
  const error = refusal(await anInventory(), someFacts([aHost('pve1', { cpus: 0, memory: 0 })]))
  expect(error.message).toContain('pve1 has a size that this token cannot read (Sys.Audit is missing)')
})

test('large machines that greedy placing would leave out are placed first in a second attempt', async () => {
  const wanted = await anInventory({
    hosts: ['a', 'b'],
    with: {
      sizing: { control_plane: { cpu: 1, ram: '2G' } },
      workers: [
        { name: 'small-1', ram: '16G' },
        { name: 'small-2', ram: '16G' },
        { name: 'large', ram: '60G' },
      ],
      worker_count: 3,
    },
  })
  const placement = place(wanted, someFacts([aHost('a'), aHost('b')]))
  expect(placement.capacities.every(({ memory }) => memory.free >= 0)).toBe(true)
  expect(placement.hostOf.size).toBe(4)
})
