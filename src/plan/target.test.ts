import { expect, test } from 'vitest'
import { aStep } from '../../tests/support/steps.js'
import { withinTarget } from './target.js'

const steps = [
  aStep('image'),
  aStep('claim-1', { machine: 'one', after: ['image'] }),
  aStep('claim-2', { machine: 'two', after: ['image'] }),
  aStep('start-1', { machine: 'one', after: ['claim-1'] }),
  aStep('health', { after: ['start-1', 'claim-2'] }),
]
const ids = (...machines: string[]) => withinTarget(steps, new Set(machines)).map(({ id }) => id)

test('only what is about the target, and what it depends on, however far', () => {
  expect(ids('one')).toEqual(['image', 'claim-1', 'start-1'])
  expect(ids('two')).toEqual(['image', 'claim-2'])
  expect(ids('one', 'two')).toEqual(['image', 'claim-1', 'claim-2', 'start-1'])
  expect(ids('three')).toEqual([])
})
