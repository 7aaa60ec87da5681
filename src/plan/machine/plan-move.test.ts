import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { notesOf } from '../../../tests/support/plan-notes.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor, stepName, stepNames } from '../../../tests/support/worlds.js'
import type { Observed } from '../../observe/observed.js'
import { planRound } from '../../rounds/plan-round.js'

const hosts = ['pve1', 'pve2', 'pve3']

async function evacuating(...evacuate: string[]) {
  const with_ = { placement: { evacuate }, roll: { check: { url: 'https://10.0.0.1/' } } }
  return specFor(await anInventory({ controlPlanes: 3, workers: 3, hosts, with: with_ }))
}

async function aCluster() {
  const spec = await evacuating()
  const empty = aWorld(hosts)
  return carriedOut(planOf(spec, empty).steps, spec(empty), empty)
}

test('machines leave in turns, after one check and without a drain; the next waits until each is well', async () => {
  const made = await aCluster()
  const spec = await evacuating('pve1')
  const steps = planRound(spec(made), made, 1)
  const moves = steps.filter(({ kind }) => kind === 'migrate-machine')
  expect(moves.map(({ machine, lane, turn, after }) => [machine, lane, turn?.name, after.map(stepName)])).toEqual([
    ['dev-cp-1', 'migrate:pve1', 'controlplane', ['check-evacuation:pve1']],
    ['dev-wk-1', 'migrate:pve1', 'pool:workers', ['check-evacuation:pve1']],
  ])
  expect(steps.some(({ kind }) => kind === 'drain-node')).toBe(false)
  const check = steps.find(({ kind, machine }) => kind === 'check-roll' && machine === 'dev-wk-1')
  expect(check?.after.map(stepName)).toEqual(['await-back:dev-wk-1'])
})

test('what else a machine needs it gets after its move, and one that is off moves before it is started', async () => {
  const spec = await evacuating('pve1')
  const changed = afterMishap(await aCluster(), 'dev-cp-1', 'memory was changed')
  const off = afterMishap(changed, 'dev-wk-1', 'it was switched off')
  const { steps } = planOf(spec, off)
  const rounds = (kind: string, of: string) =>
    steps.filter((step) => step.kind === kind && step.machine === of).map(({ round }) => round)
  expect([rounds('migrate-machine', 'dev-cp-1'), rounds('reconfigure-vm', 'dev-cp-1')]).toEqual([[1], [2]])
  const start = steps.find(({ kind, machine }) => kind === 'start-machine' && machine === 'dev-wk-1')
  expect(start?.after.map(stepName)).toContain('migrate-machine:dev-wk-1')
})

test('a machine that runs leaves once those are back that left the same host while they were off', async () => {
  const spec = await evacuating('pve1')
  const off = afterMishap(await aCluster(), 'dev-wk-1', 'it was switched off')
  const steps = planRound(spec(off), off, 1)
  const live = steps.find(({ kind, machine }) => kind === 'migrate-machine' && machine === 'dev-cp-1')
  expect(live?.after.map(stepName)).toEqual(['check-evacuation:pve1', 'reach-machine:dev-wk-1'])
})

test.each(['dev-cp-1', 'dev-cp-2'])('while %s is off, no other control plane moves before it is back', async (name) => {
  const spec = await evacuating('pve1', 'pve2')
  const off = afterMishap(await aCluster(), name, 'it was switched off')
  const other = name === 'dev-cp-1' ? 'dev-cp-2' : 'dev-cp-1'
  const moves = planOf(spec, off).steps.filter(({ kind }) => kind === 'migrate-machine')
  const rounds = Object.fromEntries(moves.map(({ machine, round }) => [machine, round]))
  expect(rounds).toMatchObject({ [name]: 1, [other]: 2 })
})

test('a machine that is still being made is finished where it is, and moves in the next round', async () => {
  const made = await aCluster()
  const spec = await evacuating('pve1')
  const making = made.machines.map((machine) =>
    machine.name === 'dev-wk-1' ? { ...machine, mark: { ...machine.mark, stage: 'making' as const } } : machine,
  )
  const moves = planOf(spec, { ...made, machines: making }).steps.filter(({ kind }) => kind === 'migrate-machine')
  expect(moves.map(({ machine, round }) => [machine, round])).toEqual([
    ['dev-cp-1', 1],
    ['dev-wk-1', 2],
  ])
})

test('there and back, nothing is left to do, and no mark remembers it', async () => {
  const made = await aCluster()
  const [there, back] = [await evacuating('pve1'), await evacuating()]
  const moved = carriedOut(planRound(there(made), made, 1), there(made), made)
  expect(moved.machines.filter(({ host }) => host === 'pve1')).toEqual([])
  expect(stepNames(planOf(there, moved).steps)).toEqual([])
  const returned = carriedOut(planRound(back(moved), moved, 1), back(moved), moved)
  expect(returned.machines.map(({ name, host, mark }) => [name, host, mark.more])).toEqual(
    made.machines.map(({ name, host, mark }) => [name, host, mark.more]),
  )
})

test('a run that was killed before the machine moved leaves a mark, which is put right', async () => {
  const made = await aCluster()
  const machines = made.machines.map((machine) =>
    machine.name === 'dev-wk-1' ? { ...machine, mark: { ...machine.mark, more: { home: 'pve1' } } } : machine,
  )
  const back = await evacuating()
  expect(stepNames(planOf(back, { ...made, machines }).steps)).toContain('forget-home:dev-wk-1')
  const there = await evacuating('pve1')
  expect(stepNames(planOf(there, { ...made, machines }).steps)).not.toContain('forget-home:dev-wk-1')
})

test('a machine that cannot return is noted', async () => {
  const made = await aCluster()
  const spec = await evacuating('pve1')
  const moved = carriedOut(planRound(spec(made), made, 1), spec(made), made)
  const small = moved.proxmox.hosts.map((host) => (host.name === 'pve1' ? { ...host, memory: 2 * 1024 ** 3 } : host))
  const plan = planOf(await evacuating(), { ...moved, proxmox: { ...moved.proxmox, hosts: small } })
  expect(plan.steps).toEqual([])
  expect(notesOf(plan).join('\n')).toMatch(/dev-cp-1.*: on pve\d since pve1 was evacuated; pve1 is not available/)
})

/** Proxmox cannot move it off its current host. */
const stuckOn = (observed: Observed, name: string): Observed => ({
  ...observed,
  machines: observed.machines.map((machine) =>
    machine.name === name ? { ...machine, stuck: ['a device of its host'] } : machine,
  ),
})

/** The state after all rounds of a plan. */
function finished(desire: Awaited<ReturnType<typeof evacuating>>, observed: Observed): Observed {
  let now = observed
  for (let round = 1; round <= 30; round++) {
    const steps = planRound(desire(now), now, round)
    if (steps.length === 0) return now
    now = carriedOut(steps, desire(now), now)
  }
  throw new Error('it does not end')
}

const placesIn = ({ machines }: Observed) =>
  Object.fromEntries(machines.map(({ name, host, mark }) => [name, [host, mark.more?.home]]))

test.each(['dev-cp-1', 'dev-wk-1'])(
  '%s, which cannot be moved, is replaced elsewhere and replaced back',
  async (name) => {
    const made = await aCluster()
    const [there, back] = [await evacuating('pve1'), await evacuating()]
    const away = finished(there, stuckOn(made, name))
    expect(placesIn(away)[name]).toEqual([expect.stringMatching(/pve[23]/), 'pve1'])
    const plan = planOf(back, stuckOn(away, name))
    const deleted = plan.steps.filter(({ kind }) => kind === 'delete-machine')
    expect(deleted.map(({ machine, reason }) => [machine, reason])).toEqual([
      [name, 'returns to pve1; it cannot be migrated (a device of its host): it is replaced by a new VM there'],
    ])
    expect(plan.steps.some(({ kind, machine }) => kind === 'migrate-machine' && machine === name)).toBe(false)
    expect(placesIn(finished(back, stuckOn(away, name)))).toEqual(placesIn(made))
  },
)

test('one whose VM is wiped or deleted already returns as well', async () => {
  const made = await aCluster()
  const [there, back] = [await evacuating('pve1'), await evacuating()]
  const away = finished(there, stuckOn(made, 'dev-wk-1'))
  const wiped = away.machines.map((machine) =>
    machine.name === 'dev-wk-1'
      ? {
          ...machine,
          status: 'stopped' as const,
          talos: { reach: 'off' as const },
          mark: { ...machine.mark, stage: 'leaving' as const },
        }
      : machine,
  )
  expect(placesIn(finished(back, { ...away, machines: wiped }))).toEqual(placesIn(made))
  const deleted = afterMishap(away, 'dev-wk-1', 'it is gone')
  const remembered = { ...deleted, proxmox: { ...deleted.proxmox, homes: { 'dev-wk-1': 'pve1' } } }
  expect(placesIn(finished(back, remembered))['dev-wk-1']).toEqual(['pve1', undefined])
  expect(placesIn(finished(there, remembered))['dev-wk-1']).toEqual([expect.stringMatching(/pve[23]/), 'pve1'])
})

test('one that cannot be moved stays where it is while its host has no space for it', async () => {
  const made = await aCluster()
  const [there, back] = [await evacuating('pve1'), await evacuating()]
  const away = stuckOn(finished(there, stuckOn(made, 'dev-wk-1')), 'dev-wk-1')
  const small = away.proxmox.hosts.map((host) => (host.name === 'pve1' ? { ...host, memory: 2 * 1024 ** 3 } : host))
  const plan = planOf(back, { ...away, proxmox: { ...away.proxmox, hosts: small } })
  expect(plan.steps).toEqual([])
  expect(notesOf(plan).join('\n')).toMatch(/dev-wk-1.*since pve1 was evacuated/)
})
