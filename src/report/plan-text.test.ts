import { expect, test } from 'vitest'
import type { Plan } from '../plan/plan.js'
import { planText } from './plan-text.js'
import { textStyle } from './text-style.js'

const plan: Plan = {
  version: 1,
  cluster: 'dev',
  rounds: 1,
  away: [],
  notes: [],
  steps: [
    {
      id: 'delete-machine:wk-1',
      kind: 'delete-machine',
      title: 'delete the VM of wk-1',
      after: [],
      machine: 'wk-1',
      round: 1,
      args: { machine: 'wk-1' },
      reason: 'the inventory does not want it any more',
      changes: true,
      disruptive: true,
      losesData: 'disk scsi5 (10 GiB) of wk-1',
    },
  ],
}

test('a wide screen shows a step in one line, a narrow one shows reason and loss below it', () => {
  const plain = textStyle({}, {})
  expect(planText(plan, plain).split('\n')[1]).toBe(
    '  ! delete the VM of wk-1  the inventory does not want it any more  loses disk scsi5 (10 GiB) of wk-1',
  )
  expect(planText(plan, plain, 80).split('\n').slice(1, 4)).toEqual([
    '  ! delete the VM of wk-1',
    '      the inventory does not want it any more',
    '      loses disk scsi5 (10 GiB) of wk-1',
  ])
})

test('a plan that only waits says what for', () => {
  const waiting = plan.steps.map(({ losesData: _, ...step }) => ({
    ...step,
    title: 'wait for wk-1 to join Kubernetes',
    reason: 'it is no node yet',
    changes: false,
  }))
  expect(planText({ ...plan, steps: waiting }, textStyle({}, {}))).toBe(
    'nothing to change in dev; up would\n  · wait for wk-1 to join Kubernetes  it is no node yet\n',
  )
})
