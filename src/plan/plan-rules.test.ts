import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import {
  aForeignVm,
  afterMishap,
  aWorld,
  carriedOut,
  type Mishap,
  mishaps,
  planOf,
  specFor,
} from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import { GiB } from '../cluster/machine.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { createSchedule } from '../execute/schedule.js'
import type { Observed } from '../observe/observed.js'
import { planRound } from '../rounds/plan-round.js'
import { nodeOfSeed, seedSlots } from '../vm/seed.js'
import { seenVolumes } from '../vm/storage-contents.js'
import { plainDigest } from './digest.js'
import type { PlannedStep } from './plan.js'

const runs = 100
const maxRounds = 10

const specs = fc.record({
  controlPlanes: fc.constantFrom(1, 3, 5),
  workers: fc.nat(5),
  cpu: fc.constantFrom(1, 2, 4),
  ram: fc.constantFrom('2GiB', '4GiB', '8GiB'),
  disk: fc.constantFrom('20G', '40G'),
})
type ASpec = typeof specs extends fc.Arbitrary<infer W> ? W : never

/** What was wanted, how much of it was created, what happened then, and what is wanted now. */
const stories = fc.record({
  hosts: fc.integer({ min: 1, max: 4 }).map((count) => Array.from({ length: count }, (_, n) => `pve${n + 1}`)),
  before: specs,
  after: fc.oneof(fc.constant(undefined), specs),
  foreignVms: fc.uniqueArray(fc.constantFrom<number[]>(100, 2000, 2001, 2003, 100_000, 100_002), { maxLength: 4 }),
  share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  mishaps: fc.array(fc.record({ which: fc.nat(9), what: fc.constantFrom(...(Object.keys(mishaps) as Mishap[])) }), {
    maxLength: 3,
  }),
})
type Story = typeof stories extends fc.Arbitrary<infer S> ? S : never

interface Scene {
  readonly spec: (observed: Observed) => Desired
  readonly observed: Observed
}

async function desireOf({ controlPlanes, workers, cpu, ram, disk }: ASpec, hosts: readonly string[]) {
  const size = { cpu, ram, disk }
  return specFor(
    await anInventory({ controlPlanes, workers, hosts, with: { sizing: { control_plane: size, worker: size } } }),
  )
}

/** `undefined` if even the first spec does not fit. */
async function sceneOf({
  hosts,
  before,
  after,
  foreignVms,
  share,
  mishaps: happened,
}: Story): Promise<Scene | undefined> {
  const guests = foreignVms.map((vmid, index) => aForeignVm(vmid, hosts[index % hosts.length] ?? 'pve1'))
  const first = await desireOf(before, hosts)
  const empty = aWorld(hosts, guests)
  const plan = unlessRefused(() => planOf(first, empty))
  if (plan === undefined) return undefined
  const made = carriedOut(plan.steps.slice(0, Math.floor(plan.steps.length * share)), first(empty), empty)
  const observed = happened.reduce((seen, { which, what }) => {
    const machine = seen.machines[which % Math.max(1, seen.machines.length)]
    return machine === undefined ? seen : afterMishap(seen, machine.name, what)
  }, made)
  return { spec: after === undefined ? first : await desireOf(after, hosts), observed }
}

function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return undefined
    throw thrown
  }
}

/** Rounds as `up` would run them, on the model; `undefined` if one was refused. */
function roundsOf({
  spec,
  observed,
}: Scene): { desired: Desired; seen: Observed; steps: readonly PlannedStep[] }[] | undefined {
  return unlessRefused(() => {
    const rounds: { desired: Desired; seen: Observed; steps: readonly PlannedStep[] }[] = []
    let seen = observed
    for (let round = 1; round <= maxRounds; round++) {
      const desired = spec(seen)
      const steps = planRound(desired, seen, round)
      rounds.push({ desired, seen, steps })
      if (steps.length === 0) return rounds
      seen = carriedOut(steps, desired, seen)
    }
    return rounds
  })
}

function forEveryStory(title: string, rule: (scene: Scene, story: Story) => void): void {
  test(title, async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const scene = await sceneOf(story)
        if (scene !== undefined) rule(scene, story)
      }),
      { numRuns: runs },
    )
  })
}

test('carrying plans out leaves nothing to do, no seed, and neither nodes nor etcd members of machines that are gone', async () => {
  let carried = 0
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const scene = await sceneOf(story)
      const rounds = scene === undefined ? undefined : roundsOf(scene)
      if (rounds === undefined) return
      const last = rounds.at(-1)
      // If etcd cannot be observed, nothing is removed: the run ends waiting for it, and fails if it does not return.
      const isBlind = last !== undefined && !last.seen.etcd.seen
      expect(last?.steps.map(({ kind }) => kind)).toEqual(isBlind ? ['check-health'] : [])
      if (isBlind) return
      const { id = '' } = last?.desired.cluster ?? {}
      const volumes = last === undefined ? [] : seenVolumes(last.seen.proxmox)
      expect(volumes.filter(({ volid }) => nodeOfSeed(volid, id) !== undefined)).toEqual([])
      for (const { options } of last?.seen.machines ?? []) expect(seedSlots(options)).toEqual([])
      const wanted = last?.desired.machines.map(({ machine }) => machine.name) ?? []
      for (const { hostname } of (last && ifSeen(last.seen.etcd)?.members) ?? []) expect(wanted).toContain(hostname)
      for (const { name } of (last && ifSeen(last.seen.kubernetes)?.nodes) ?? []) expect(wanted).toContain(name)
      if (rounds.length > 1) carried++
    }),
    { numRuns: runs },
  )
  expect(carried).toBeGreaterThan(runs / 3)
})

forEveryStory('the same world and the same spec give the same plan', ({ spec, observed }) => {
  const plan = () => {
    const made = unlessRefused(() => planOf(spec, observed))
    return { ...made, steps: made?.steps.map((step) => ({ ...step, digest: step.digest(plainDigest) })) }
  }
  expect(plan()).toEqual(plan())
})

forEveryStory('foreign VMs are never named, and their VMIDs never taken', (scene, { foreignVms }) => {
  for (const { desired, seen, steps } of roundsOf(scene) ?? []) {
    const ours = new Set([
      ...desired.machines.map(({ machine }) => machine.name),
      ...seen.machines.map(({ name }) => name),
      ...(ifSeen(seen.kubernetes)?.nodes.map(({ name }) => name) ?? []),
    ])
    for (const { machine } of steps) if (machine !== undefined) expect(ours).toContain(machine)
    const vmids = desired.machines.map(({ vmid }) => vmid)
    expect(new Set(vmids).size).toBe(vmids.length)
    expect(vmids.filter((vmid) => foreignVms.includes(vmid))).toEqual([])
  }
})

forEveryStory('no host is given more memory than it has', (scene) => {
  for (const { desired, seen } of roundsOf(scene) ?? []) {
    for (const { name, memory = 0 } of seen.proxmox.hosts) {
      const foreignVms = seen.proxmox.guests
        .filter(({ host }) => host === name)
        .reduce((sum, guest) => sum + guest.memory, 0)
      const ours = desired.machines
        .filter(({ host }) => host === name)
        .reduce((sum, { machine }) => sum + machine.memory, 0)
      expect(foreignVms + ours).toBeLessThanOrEqual(memory - 2 * GiB)
    }
  }
})

const pausing = new Set([
  'restart-vm',
  'change-config',
  'reboot-with-config',
  'drain-node',
  'reset-machine',
  'stop-machine',
])

forEveryStory('never two control planes are away at once', (scene) => {
  for (const { desired, seen, steps } of roundsOf(scene) ?? []) {
    const isControlPlane = new Set([
      ...desired.machines.filter(({ machine }) => machine.role === 'controlplane').map(({ machine }) => machine.name),
      ...seen.machines.filter(({ mark }) => mark.role === 'controlplane').map(({ name }) => name),
    ])
    const schedule = createSchedule(
      steps.map((step) => {
        const lane = stepOf(step.kind, step.args).lane(desired, seen)
        return { ...step, lanes: lane === undefined ? [] : [lane] }
      }),
    )
    const left = new Map<string, number>()
    for (const { machine = '', turn } of steps)
      if (turn !== undefined && isControlPlane.has(machine)) left.set(machine, (left.get(machine) ?? 0) + 1)
    const away = new Set<string>()
    for (;;) {
      const batch: PlannedStep[] = []
      for (let next = schedule.take(); next !== undefined; next = schedule.take()) batch.push(next)
      if (batch.length === 0) break
      for (const { kind, machine = '' } of batch)
        if (pausing.has(kind) && isControlPlane.has(machine)) away.add(machine)
      expect(away.size).toBeLessThanOrEqual(1)
      for (const { id, machine = '', turn } of batch) {
        schedule.finish(id)
        if (turn !== undefined && left.has(machine)) left.set(machine, (left.get(machine) ?? 1) - 1)
        if (left.get(machine) === 0) away.delete(machine)
      }
    }
    expect(schedule.left().map(({ id }) => id)).toEqual([])
  }
})
