import { expect, test } from 'vitest'
import { aStep } from '../../tests/support/steps.js'
import { aWorld } from '../../tests/support/worlds.js'
import { consentTo } from './consent.js'
import { plainDigest } from './digest.js'
import type { Plan, PlannedStep } from './plan.js'

const observed = aWorld(['pve1'])

function aPlan(...steps: PlannedStep[]): Plan {
  return {
    cluster: 'dev',
    rounds: 1,
    steps,
    away: [],
    unknown: [],
    notes: [],
    expected: aWorld([]),
    digester: plainDigest,
  }
}

const reboot = aStep('reboot', { machine: 'dev-wk-1', disruptive: true })
const drain = (machine: string) => aStep('drain', { machine, disruptive: true, softens: true })

test('a machine that was shown to be interrupted may be drained, though its node was not Ready when the plan was made', () => {
  expect(() => consentTo(aPlan(reboot), observed)([drain('dev-wk-1'), reboot])).not.toThrow()
})

test.each([
  { what: 'a drain of another machine', step: drain('dev-wk-2') },
  { what: 'another interruption of the same machine', step: aStep('reset', { machine: 'dev-wk-1', disruptive: true }) },
  { what: 'a drain that loses data', step: { ...drain('dev-wk-1'), loses: ['1 volume'] } },
])('$what was not agreed to', ({ step }) => {
  expect(() => consentTo(aPlan(reboot), observed)([reboot, step])).toThrow(`it would now also "${step.title}"`)
})

test('a drain alone is no consent to drain again for something else', () => {
  expect(() => consentTo(aPlan(aStep('note')), observed)([drain('dev-wk-1')])).toThrow('it would now also "drain"')
})

test('the node of a machine whose member was shown to leave etcd may go, once Kubernetes responds', () => {
  const removal = aStep('remove-etcd-member', { machine: 'dev-cp-3' })
  const deletion = (machine: string) => aStep('delete-node', { machine })
  expect(() => consentTo(aPlan(removal), observed)([removal, deletion('dev-cp-3')])).not.toThrow()
  expect(() => consentTo(aPlan(removal), observed)([removal, deletion('dev-cp-2')])).toThrow('it would now also')
})
