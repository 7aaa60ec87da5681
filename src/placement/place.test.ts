import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aGuest, aHost, anInventory, someFacts } from '../../tests/support/inventories.js'
import { GiB } from '../cluster/machine.js'
import { PlanRefused } from '../errors.js'
import type { Facts, HostFacts, Wanted } from './facts.js'
import { place } from './place.js'

const sizing = (cpu: number, ram: string) => ({
  sizing: { control_plane: { cpu: 2, ram: '4G' }, worker: { cpu, ram } },
})

function hosts({ hostOf }: ReturnType<typeof place>, role = ''): string[] {
  return [...hostOf].filter(([name]) => name.includes(role)).map(([, host]) => host)
}

function refusal(wanted: Wanted, facts: Facts): PlanRefused {
  try {
    place(wanted, facts)
  } catch (error) {
    if (error instanceof PlanRefused) return error
  }
  throw new Error('it was not refused')
}

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

const world = fc.record({
  controlPlanes: fc.constantFrom(1, 3, 5),
  workers: fc.integer({ min: 0, max: 12 }),
  cpu: fc.integer({ min: 1, max: 12 }),
  memory: fc.integer({ min: 2, max: 24 }),
  strategy: fc.constantFrom('spread', 'pack'),
  hosts: fc.array(
    fc.record({
      cpus: fc.integer({ min: 1, max: 32 }),
      memory: fc.integer({ min: 2, max: 128 }),
      disk: fc.integer({ min: 10, max: 800 }),
      online: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  others: fc.array(
    fc.record({
      host: fc.nat(4),
      cpus: fc.integer({ min: 1, max: 8 }),
      memory: fc.integer({ min: 1, max: 32 }),
      running: fc.boolean(),
      onboot: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
})

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never

async function enact({ controlPlanes, workers, cpu, memory, strategy, hosts: sizes, others }: World) {
  const names = sizes.map((_, index) => `pve${index + 1}`)
  const wanted = await anInventory({
    controlPlanes,
    workers,
    hosts: names,
    with: { ...sizing(cpu, `${memory}G`), placement: { strategy } },
  })
  const all = sizes.map((size, index): HostFacts => {
    const storage = { id: 'local-lvm', shared: false, free: size.disk * GiB, total: 1000 * GiB, content: ['images'] }
    return aHost(`pve${index + 1}`, {
      cpus: size.cpus,
      memory: size.memory * GiB,
      online: size.online,
      storages: [storage],
    })
  })
  const guests = others.map((guest, index) =>
    aGuest(500 + index, `pve${guest.host + 1}`, { ...guest, host: `pve${guest.host + 1}`, memory: guest.memory * GiB }),
  )
  return { wanted, facts: someFacts(all, guests) }
}

function tryPlace(wanted: Wanted, facts: Facts) {
  try {
    return place(wanted, facts)
  } catch (error) {
    if (error instanceof PlanRefused) return undefined
    throw error
  }
}

test('whatever the world: nothing is overcommitted, hosts out of use stay empty, and the answer is always the same', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const { wanted, facts } = await enact(drawn)
      const placement = tryPlace(wanted, facts)
      expect(tryPlace(wanted, facts)).toEqual(placement)
      if (placement === undefined) return
      expect(placement.hostOf.size).toBe(wanted.machines.length)
      for (const host of facts.hosts) {
        const row = placement.capacities.find(({ name }) => name === host.name)
        const here = wanted.machines.filter(({ name }) => placement.hostOf.get(name) === host.name)
        if (!host.online) expect(here).toEqual([])
        if (here.length === 0) continue
        expect(row?.memory.free).toBeGreaterThanOrEqual(0)
        expect(row?.cpu.free).toBeGreaterThanOrEqual(0)
        const disk = here.reduce((sum, machine) => sum + machine.disk, 0)
        expect(disk).toBeLessThanOrEqual(host.storages[0]?.free ?? 0)
      }
    }),
    { numRuns: 150 },
  )
})

test('in any situation: placed machines stay, and growing a pool moves none', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const { wanted, facts } = await enact(drawn)
      const placement = tryPlace(wanted, facts)
      if (placement === undefined) return
      const ours = wanted.machines.map((machine, index) =>
        aGuest(2000 + index, placement.hostOf.get(machine.name) ?? '', {
          name: machine.name,
          isOurs: true,
          cpus: machine.cpu,
          memory: machine.memory,
        }),
      )
      const built = { hosts: facts.hosts, guests: [...facts.guests, ...ours] }
      expect(place(wanted, built)).toMatchObject({ hostOf: placement.hostOf })
      const grown = await enact({ ...drawn, workers: drawn.workers + 1 })
      const later = tryPlace(grown.wanted, built)
      for (const [name, host] of later === undefined ? [] : placement.hostOf) expect(later?.hostOf.get(name)).toBe(host)
    }),
    { numRuns: 100 },
  )
})

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
