import { expect, test } from 'vitest'
import { nearest } from './nearest.js'

const verbs = ['up', 'plan', 'destroy', 'status', 'validate']

test.each([
  ['valdate', 'validate'],
  ['statsu', 'status'],
  ['PLAN', 'plan'],
  ['xyzzy', undefined],
  ['', undefined],
])('%j most likely meant %j', (typed, meant) => {
  expect(nearest(typed, verbs)).toBe(meant)
})
