import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor, stepNames } from '../../../tests/support/worlds.js'
import { seen, unseen } from '../../cluster/seen.js'
import { withoutMember } from '../../etcd/planned-etcd.js'
import type { Observed } from '../../observe/observed.js'
import { planRound } from '../../rounds/plan-round.js'

const hosts = ['pve1', 'pve2', 'pve3']
const spec = specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts }))
const empty = aWorld(hosts)
const standing = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
const old = ['dev-cp-1', 'dev-cp-2']

/** Restored on dev-cp-3 alone; these machines were given up. */
function restoredWithout(gone: readonly string[], world: Observed = standing): Observed {
  const etcd = gone.reduce((whole, name) => withoutMember(whole, name), world.etcd)
  const recovery = { snapshot: 'one', stage: 'done' as const, run: 'run-0', gone }
  return { ...world, etcd, secrets: { ...world.secrets, recovery } }
}

const firstRound = (observed: Observed) => planRound(spec(observed), observed, 1)

test('old control planes are all switched off before any is deleted, and nothing else happens meanwhile', () => {
  const steps = firstRound(restoredWithout(old))
  expect(stepNames(steps)).toEqual([
    ...old.map((name) => `retire-control-plane:${name}`),
    ...old.map((name) => `delete-machine:${name}`),
  ])
  const retired = steps.slice(0, 2).map(({ id }) => id)
  for (const step of steps.slice(2)) expect(step.after).toEqual(retired)
})

test('one that does not answer is not started: its disk holds the old etcd', () => {
  const off = afterMishap(restoredWithout(old), 'dev-cp-1', 'it was switched off')
  expect(stepNames(firstRound(off))).not.toContain('start-machine:dev-cp-1')
})

test('the plan leads to a complete cluster, in which no machine is given up any more', () => {
  const before = restoredWithout(old)
  const { steps } = planOf(spec, before)
  for (const name of old) expect(stepNames(steps)).toContain(`claim-machine:${name}`)
  expect(carriedOut(steps, spec(before), before).secrets.recovery?.gone).toEqual([])
})

test('one that has joined the restored etcd is not one of them', () => {
  const { recovery } = restoredWithout(['dev-cp-1']).secrets
  const joined = { ...standing, secrets: { ...standing.secrets, ...(recovery === undefined ? {} : { recovery }) } }
  expect(stepNames(firstRound(joined))).toEqual(['forget-gone:dev-cp-1'])
})

test('a worker is marked to restart', () => {
  expect(stepNames(firstRound(restoredWithout(['dev-wk-1'])))).toEqual([
    'mark-survivor:dev-wk-1',
    'forget-gone:dev-wk-1',
  ])
})

test('while the restored etcd cannot be seen, the old one is kept', () => {
  for (const etcd of [unseen('no control plane answers'), seen(undefined)])
    expect(() => firstRound({ ...restoredWithout(old), etcd })).toThrow(
      'dev-cp-1, dev-cp-2 returned with the old etcd, and the restored one cannot be read.',
    )
})

test('whose VM is gone, too, is forgotten; whose host is still away is not', () => {
  const without = afterMishap(restoredWithout(['dev-cp-1']), 'dev-cp-1', 'it is gone')
  expect(stepNames(firstRound(without))).toEqual(['forget-gone:dev-cp-1'])
  const away = {
    ...without,
    unverified: [{ vmid: 2000, host: 'pve1', because: 'away' as const, text: 'VM 2000 on pve1', holds: 'dev-cp-1' }],
  }
  expect(stepNames(firstRound(away)).filter((name) => name.startsWith('forget-gone'))).toEqual([])
})
