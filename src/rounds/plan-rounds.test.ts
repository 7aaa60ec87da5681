import { expect, test } from 'vitest'
import { aDesired } from '../../tests/support/contexts.js'
import { notesOf } from '../../tests/support/plan-notes.js'
import { aStep } from '../../tests/support/steps.js'
import { aWorld } from '../../tests/support/worlds.js'
import { plainDigest } from '../plan/digest.js'
import type { PlannedStep } from '../plan/plan.js'
import { maxRounds, planRounds } from './plan-rounds.js'

const desired = await aDesired()

/** All rounds of a planner that returns these one by one, then repeats the last one. */
function roundsOf(...rounds: readonly (readonly PlannedStep[])[]) {
  const planRound = (_desired: unknown, _observed: unknown, round: number) =>
    rounds[Math.min(round, rounds.length) - 1] ?? []
  return planRounds({ desire: () => desired, planRound }, aWorld(['pve1']), plainDigest)
}

const check = (content: string, change: Partial<PlannedStep> = {}) =>
  aStep('check-health', { digest: (digester) => digester(content), ...change })

test('a step that comes again with other content is shown each time', () => {
  const { rounds, steps } = roundsOf([check('a')], [check('b')], [check('a')], [])
  expect(rounds).toBe(3)
  expect(steps.map((step) => step.digest(String))).toEqual(['a', 'b', 'a'])
})

test('a step that comes again and loses more is shown again', () => {
  expect(roundsOf([check('a')], [check('a', { loses: ['disk scsi1'] })], []).steps).toHaveLength(2)
})

test('a round that would only repeat the one before it is the end', () => {
  expect(roundsOf([check('a')])).toMatchObject({ rounds: 1, steps: [{ kind: 'check-health' }] })
})

test('rounds that never end are cut off, and all that were planned are shown', () => {
  let content = 0
  const planRound = () => [check(String(content++))]
  const plan = planRounds({ desire: () => desired, planRound }, aWorld(['pve1']), plainDigest)
  expect(plan.rounds).toBe(maxRounds(desired))
  expect(plan.steps).toHaveLength(plan.rounds)
})

test.each([
  {
    quorate: false,
    notes: ['The Proxmox cluster has lost its quorum: it accepts no changes until enough hosts are online.'],
  },
  { quorate: true, notes: [] },
])('a plan says whether Proxmox can change anything at all: $quorate', ({ quorate, notes }) => {
  const world = aWorld(['pve1'])
  const observed = { ...world, proxmox: { ...world.proxmox, quorate } }
  expect(notesOf(planRounds({ desire: () => desired, planRound: () => [] }, observed, plainDigest))).toEqual(notes)
})
