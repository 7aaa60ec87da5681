import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import {
  afterMishap,
  aWorld,
  carriedOut,
  type Mishap,
  planOf,
  specFor,
  stepName,
  stepNames,
} from '../../../tests/support/worlds.js'
import type { Recovery } from '../../cluster/recovery.js'
import { ifSeen, seen } from '../../cluster/seen.js'
import type { Desired, DesiredRestore } from '../../desired/desired.js'
import { desiredRestore } from '../../desired/desired-restore.js'
import type { Observed } from '../../observe/observed.js'
import { planRounds } from '../../rounds/plan-rounds.js'
import { plainDigest } from '../digest.js'
import type { PlannedStep } from '../plan.js'
import { planRestoreRound } from './plan-restore.js'

const hosts = ['pve1', 'pve2', 'pve3']
const spec = specFor(await anInventory({ controlPlanes: 3, workers: 1, hosts }))
const empty = aWorld(hosts)
const standing = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
const all = ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']

const restore: DesiredRestore = {
  snapshot: 'one',
  run: 'run-1',
  skipHashCheck: false,
  mayBeGone: false,
  overHealthy: false,
  members: [],
}

function stepsOf(observed: Observed, flags: Partial<DesiredRestore> = {}, desire = spec): readonly PlannedStep[] {
  const towards = (now: Observed): Desired => desiredRestore(desire(now), { ...restore, ...flags }, now)
  return planRounds({ desire: towards, planRound: planRestoreRound }, observed, plainDigest).steps
}

const after = (mishap: Mishap, ...names: string[]) =>
  names.reduce((world, name) => afterMishap(world, name, mishap), standing)

function remembering(observed: Observed, recovery: Partial<Recovery>): Observed {
  const whole: Recovery = { snapshot: 'one', stage: 'clearing', run: 'run-0', ...recovery }
  return { ...observed, secrets: { ...observed.secrets, recovery: whole } }
}

const ofKind = (steps: readonly PlannedStep[], kind: string) => stepNames(steps.filter((step) => step.kind === kind))

test('nothing is left: machines are made, etcd is recovered once on the first, and none is ever bootstrapped', () => {
  const steps = stepsOf({ ...empty, secrets: standing.secrets })
  const names = stepNames(steps)
  expect(names[0]).toBe('begin-recovery:one')
  expect(ofKind(steps, 'claim-machine')).toHaveLength(4)
  expect(ofKind(steps, 'recover-etcd')).toEqual(['recover-etcd:dev-cp-1'])
  expect(names.at(-1)).toBe('await-kubernetes')
  for (const kind of ['save-etcd', 'bootstrap-etcd', 'wipe-etcd', 'retire-control-plane', 'prove-isolation'])
    expect(ofKind(steps, kind)).toEqual([])
})

test('a worker that is off is waited for once a control plane exists that certifies it, also where the endpoint is learned first', async () => {
  const byDhcp = specFor(
    await anInventory({ controlPlanes: 3, workers: 1, hosts, with: { network: { mode: 'dhcp' } } }),
  )
  const made = carriedOut(planOf(byDhcp, empty).steps, byDhcp(empty), empty)
  const left = all.reduce((world, name) => afterMishap(world, name, 'it is gone'), made)
  const steps = stepsOf(afterMishap(left, 'dev-wk-1', 'it was switched off'), { mayBeGone: true }, byDhcp)
  const find = (kind: string, machine: string) => steps.find(({ id }) => stepName(id) === `${kind}:${machine}`)
  const certifier = find('reach-machine', 'dev-cp-1')
  expect(find('start-machine', 'dev-wk-1')?.round).toBe(find('start-machine', 'dev-cp-1')?.round)
  expect(find('reach-machine', 'dev-wk-1')?.after).toContain(certifier?.id)
})

test('over an etcd that is well: saved, then written down, then wiped everywhere, and only then recovered', () => {
  const steps = stepsOf(standing, { overHealthy: true })
  const [saved, begun, ...rest] = steps
  expect([saved?.kind, begun?.kind]).toEqual(['save-etcd', 'begin-recovery'])
  expect(begun?.after).toEqual([saved?.id])
  const clearing = rest.filter(({ kind }) => /^(wipe-etcd|mark-survivor)$/.test(kind))
  expect(stepNames(clearing)).toEqual(['mark-survivor:dev-wk-1', ...all.map((name) => `wipe-etcd:${name}`)])
  for (const step of clearing) expect(step.after).toEqual([begun?.id])
  const recovered = steps.find(({ kind }) => kind === 'recover-etcd')
  expect(recovered?.round).toBeGreaterThan(Math.max(...clearing.map(({ round }) => round)))
})

test('a silent machine is switched off for good, deleted and recreated; a responding one is wiped and keeps its VM', () => {
  const given = { mayBeGone: true, overHealthy: true }
  const steps = stepsOf(after('it does not answer', 'dev-cp-1', 'dev-cp-2'), given)
  expect(ofKind(steps, 'wipe-etcd')).toEqual(['wipe-etcd:dev-cp-3'])
  for (const name of ['dev-cp-1', 'dev-cp-2']) {
    const retired = steps.find(({ kind, machine }) => kind === 'retire-control-plane' && machine === name)
    const deleted = steps.find(({ kind, machine }) => kind === 'delete-machine' && machine === name)
    expect(deleted?.after).toEqual([retired?.id])
    expect(stepNames(steps)).toContain(`claim-machine:${name}`)
  }
  expect(stepNames(steps)).not.toContain('claim-machine:dev-cp-3')
})

test('interrupted while clearing: nothing is saved or recorded again, and only machines with the old etcd are cleared', () => {
  const half = carriedOut(
    stepsOf(standing, { overHealthy: true }).filter(
      ({ kind, machine }) => kind === 'begin-recovery' || (kind === 'wipe-etcd' && machine === 'dev-cp-1'),
    ),
    spec(standing),
    standing,
  )
  const steps = stepsOf(remembering(half, {}), { overHealthy: true })
  expect(ofKind(steps, 'save-etcd')).toEqual([])
  expect(ofKind(steps, 'begin-recovery')).toEqual([])
  expect(ofKind(steps, 'wipe-etcd')).toEqual(['wipe-etcd:dev-cp-2', 'wipe-etcd:dev-cp-3'])
})

test('interrupted after every old member was gone: whatever etcd is seen is the restored one', () => {
  expect(stepNames(stepsOf(remembering(standing, { stage: 'recovering' })))).toEqual(['end-recovery:one'])
})

test('interrupted while recovering, and one that may hold something came back: clearing begins again', () => {
  const steps = stepsOf(remembering(after('it does not answer', ...all), { stage: 'recovering' }), { mayBeGone: true })
  expect(stepNames(steps)[0]).toBe('begin-recovery:one')
  expect(ofKind(steps, 'retire-control-plane')).toHaveLength(3)
  expect(ofKind(steps, 'save-etcd')).toEqual([])
})

test('another snapshot takes over while the old etcd is being cleared', () => {
  const steps = stepsOf(remembering(after('it is gone', ...all), { snapshot: 'two' }))
  expect(stepNames(steps)[0]).toBe('begin-recovery:one')
})

test('what this run has done is done; what another one did is not', () => {
  const done = (run: string) => remembering(standing, { stage: 'done', run })
  expect(stepsOf(done('run-1'))).toEqual([])
  expect(stepNames(stepsOf(done('run-0'), { overHealthy: true }))[0]).toBe('save-etcd')
})

/** The desired state while the host of that machine does not respond. */
const without =
  (name: string) =>
  (observed: Observed): Desired => {
    const desired = spec(observed)
    const lost = desired.machines.filter(({ machine }) => machine.name === name)
    return {
      ...desired,
      machines: desired.machines.filter((one) => !lost.includes(one)),
      away: lost.map(({ machine, vmid }) => ({ machine, vmid, host: 'pve1', why: 'pve1 is offline' })),
    }
  }

test('a worker that cannot be reached during the restore restarts when it is back', () => {
  const away = after('it is gone', 'dev-wk-1')
  const steps = stepsOf(away, { overHealthy: true }, without('dev-wk-1'))
  expect(ofKind(steps, 'claim-machine')).toEqual([])
  const towards = desiredRestore(without('dev-wk-1')(away), { ...restore, overHealthy: true }, away)
  const { secrets } = carriedOut(steps, towards, away)
  expect(secrets.recovery).toMatchObject({ stage: 'done', gone: ['dev-wk-1'] })
  const back = planOf(spec, { ...standing, secrets }).steps
  expect(stepNames(back)).toEqual(expect.arrayContaining(['mark-survivor:dev-wk-1', 'restart-survivor:dev-wk-1']))
})

test.each(['clearing', 'recovering'] as const)(
  'interrupted while %s, before a worker that ran through it was marked: it is marked before etcd comes back',
  (stage) => {
    const { etcd: _, ...rest } = after('it is gone', ...all)
    const cleared: Observed = { ...rest, etcd: seen(undefined), kubernetes: seen(undefined) }
    const steps = stepsOf(remembering(cleared, { stage }))
    const marked = steps.find(({ kind }) => kind === 'mark-survivor')
    expect(marked?.machine).toBe('dev-wk-1')
    expect(steps.find(({ kind }) => kind === 'recover-etcd')?.after).toContain(marked?.id)
  },
)

test('the first control plane stood on a host that is gone: etcd is recovered on the next', () => {
  const left = after('it is gone', 'dev-cp-1')
  const steps = stepsOf(left, { mayBeGone: true, overHealthy: true }, without('dev-cp-1'))
  expect(ofKind(steps, 'recover-etcd')).toEqual(['recover-etcd:dev-cp-2'])
  expect(stepNames(steps)).not.toContain('claim-machine:dev-cp-1')
})

test('a drill proves that it is alone and gets images before anything is recovered', () => {
  const steps = stepsOf({ ...empty, secrets: standing.secrets }, { mustNotReach: ['10.0.10.10:50000'] })
  const proved = steps.find(({ kind }) => kind === 'prove-isolation')
  const reached = steps.find(({ kind, machine }) => kind === 'reach-machine' && machine === 'dev-cp-1')
  expect(proved?.after).toEqual([reached?.id])
  const pulled = steps.find(({ kind }) => kind === 'pull-image')
  expect(pulled?.after).toEqual([reached?.id])
  expect(steps.find(({ kind }) => kind === 'recover-etcd')?.after).toEqual(
    expect.arrayContaining([proved?.id, pulled?.id]),
  )
})

test('a worker that was off during the restore is not rebooted after it', () => {
  const steps = stepsOf(after('it was switched off', 'dev-wk-1'), { overHealthy: true })
  expect(ofKind(steps, 'mark-survivor')).toEqual([])
  expect(ifSeen(standing.etcd)?.members).toHaveLength(3)
})
