import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aDesired, withCluster } from '../../tests/support/contexts.js'
import { aWorld } from '../../tests/support/worlds.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { deliverConfig } from '../steps/apply-config.js'
import { claimMachine } from '../steps/claim-machine.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { drainNode, uncordonNode } from '../steps/drain-node.js'
import { fillMachine } from '../steps/fill-machine.js'
import { makeSecrets } from '../steps/make-secrets.js'
import { startMachine } from '../steps/power.js'
import { reconfigureVm } from '../steps/reconfigure-vm.js'
import { removeSeed } from '../steps/remove-seed.js'
import { plainDigest } from './digest.js'
import { createDraft, type Draft } from './draft.js'

const machine = 'dev-wk-1'
const desired = await aDesired({ workers: 2 })
const aDraft = (wanted: Desired = desired) => createDraft(wanted, aWorld(['pve1']), 1)

test('a step that is not planned cannot be waited for', () => {
  const draft = aDraft()
  draft.add(startMachine, { machine: 'dev-wk-2' }, 'a test')
  expect(() => draft.ref(startMachine, { machine })).toThrow(
    'no step start-machine?{"machine":"dev-wk-1"} is planned in this round',
  )
  expect(() => draft.ref(deleteMachine, { machine: 'dev-wk-2' })).toThrow('no step delete-machine')
  expect(draft.refIfPlanned(startMachine, { machine })).toBeUndefined()
  expect(draft.refs(deleteMachine)).toEqual([])
})

test('a step is found by a subset of its arguments, and by no others', () => {
  const draft = aDraft()
  const filled = draft.add(fillMachine, { machine, isNew: true, isComplete: false }, 'a test')
  expect(draft.ref(fillMachine, { machine })).toBe(filled)
  expect(draft.ref(fillMachine, { machine, isNew: true })).toBe(filled)
  expect(draft.refIfPlanned(fillMachine, { machine, isNew: false })).toBeUndefined()
  expect(draft.refs(fillMachine)).toEqual([filled])
})

test('a step that is added twice exists once, with its first reason', () => {
  const draft = aDraft()
  const first = draft.add(startMachine, { machine }, 'it is new')
  expect(draft.add(startMachine, { machine }, 'it is off')).toBe(first)
  expect(draft.steps).toMatchObject([{ id: first, reason: 'it is new', machine, after: [] }])
})

test('a step that is added twice waits for all that it was added behind, and comes after them', () => {
  const draft = aDraft()
  const claimed = draft.add(claimMachine, { machine }, 'a test')
  const started = draft.add(startMachine, { machine }, 'a test', [claimed])
  const uncordoned = draft.add(uncordonNode, { machine }, 'left cordoned', [started])
  const drained = draft.add(drainNode, { machine, purpose: { config: true } }, 'a test', [started])
  const turn = { name: 'pool:workers', limit: 1, chain: machine }
  expect(draft.add(uncordonNode, { machine }, 'it is back', [drained], turn)).toBe(uncordoned)
  expect(draft.steps.map(({ id }) => id)).toEqual([claimed, started, drained, uncordoned])
  expect(draft.steps.at(-1)).toMatchObject({ after: [started, drained], reason: 'left cordoned', turn })
  expect(draft.ref(uncordonNode, { machine })).toBe(uncordoned)
})

test('what waits for a step moves with it, and a circle is refused', () => {
  const draft = aDraft()
  const claimed = draft.add(claimMachine, { machine }, 'a test')
  const started = draft.add(startMachine, { machine }, 'a test', [claimed])
  const secrets = draft.add(makeSecrets, {}, 'a test')
  draft.add(claimMachine, { machine }, 'a test', [secrets])
  expect(draft.steps.map(({ id }) => id)).toEqual([secrets, claimed, started])
  expect(() => draft.add(claimMachine, { machine }, 'a test', [started])).toThrow('which waits for it')
})

test('the ends are the steps that no other step depends on', () => {
  const draft = aDraft()
  const claimed = draft.add(claimMachine, { machine }, 'a test')
  const started = draft.add(startMachine, { machine }, 'a test', [claimed, undefined, claimed])
  const secrets = draft.add(makeSecrets, {}, 'a test')
  expect(draft.ends()).toEqual([started, secrets])
  expect(draft.steps[1]?.after).toEqual([claimed])
})

test('other arguments are another step, whatever they hold; their order does not matter', () => {
  const texts = fc.oneof(fc.constantFrom('a', 'a:b', 'b', '{"a":1}', '?'), fc.string())
  const args = fc.record({ host: texts, volume: texts })
  fc.assert(
    fc.property(args, args, (one, other) => {
      const draft = aDraft()
      const isSame = one.host === other.host && one.volume === other.volume
      expect(draft.add(removeSeed, one, '') === draft.add(removeSeed, other, '')).toBe(isSame)
      expect(draft.add(removeSeed, { volume: one.volume, host: one.host }, '')).toBe(draft.ref(removeSeed, one))
    }),
  )
})

test('the purpose of a drain is a part of it', () => {
  const draft = aDraft()
  const purposes = [
    { restart: ['memory'] },
    { restart: ['memory', 'cores'] },
    { config: true },
    { leave: true },
  ] as const
  const ids = purposes.map((purpose) => draft.add(drainNode, { machine, purpose }, 'a test'))
  expect(new Set(ids).size).toBe(purposes.length)
})

function changing(change: (wanted: DesiredMachine) => Partial<DesiredMachine>): Desired {
  return { ...desired, machines: desired.machines.map((wanted) => ({ ...wanted, ...change(wanted) })) }
}

const otherOptions = changing(({ options }) => ({ options: { ...options, memory: 4097 } }))
const otherConfig = changing(() => ({ configInputs: () => 'others' }))
const otherDisks = changing(({ disks }) => ({ disks: disks.map((disk) => ({ ...disk, datastore: 'ceph' })) }))
const otherEndpoint = withCluster(desired, { endpoint: 'https://10.0.0.99:6443' })

const claim = (draft: Draft) => draft.add(claimMachine, { machine }, 'a test')
const fill = (draft: Draft) => draft.add(fillMachine, { machine, isNew: true }, 'a test')
const refill = (draft: Draft) => draft.add(fillMachine, { machine, isNew: false }, 'a test')
const deliver = (draft: Draft) => draft.add(deliverConfig, { machine }, 'a test')
const set = (draft: Draft) => draft.add(reconfigureVm, { machine, keys: ['memory'] }, 'a test')

test.each([
  { what: 'a claim with other options', add: claim, to: otherOptions, isOther: true },
  { what: 'a VM that is set to other options', add: set, to: otherOptions, isOther: true },
  { what: 'a new machine with other disks', add: fill, to: otherDisks, isOther: true },
  { what: 'a new machine with another config', add: fill, to: otherConfig, isOther: true },
  { what: 'a new machine with another endpoint', add: fill, to: otherEndpoint, isOther: true },
  { what: 'a made machine with another config, which gets only disks,', add: refill, to: otherConfig, isOther: false },
  { what: 'a config that is sent', add: deliver, to: otherConfig, isOther: true },
  { what: 'a config that is sent with another endpoint', add: deliver, to: otherEndpoint, isOther: true },
])('$what is a step of the same id with another digest: $isOther', ({ add, to, isOther }) => {
  const stepIn = (wanted: Desired) => {
    const draft = aDraft(wanted)
    add(draft)
    const [step] = draft.steps
    return { id: step?.id, digest: step?.digest(plainDigest) }
  }
  expect(stepIn(to).id).toBe(stepIn(desired).id)
  expect(stepIn(to).digest !== stepIn(desired).digest).toBe(isOther)
})

test('a step that writes nothing of its own has no digest', () => {
  const draft = aDraft()
  draft.add(startMachine, { machine }, 'a test')
  expect(draft.steps[0]?.digest(plainDigest)).toBeNull()
})
