import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aGuest, aHost, anInventory, someFacts } from '../../tests/support/inventories.js'
import { sizing } from '../../tests/support/placement.js'
import { GiB } from '../cluster/machine.js'
import { PlanRefused } from '../errors.js'
import type { Facts, HostFacts, Wanted } from './facts.js'
import { place } from './place.js'

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
