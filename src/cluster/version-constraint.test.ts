import { expect, test } from 'vitest'
import { allowsVersion } from './version-constraint.js'

const version = { major: 1, minor: 36, patch: 3 }

test.each([
  ['>=1.25.0-0', true],
  ['>= 1.25.0-0 < 1.36.0-0', false],
  ['>=1.25.0, <1.37.0', true],
  ['<1.30.0 || >=1.36', true],
  ['~1.36', true],
  ['~1.35', false],
  ['^1.20.0', true],
  ['1.36.x', true],
  ['>1.36', false],
  ['<=1.36', true],
  ['!=1.36.3', false],
  ['1.20 - 1.30', undefined],
  ['*', true],
])('%s allows v1.36.3: %s', (constraint, verdict) => {
  expect(allowsVersion(constraint, version)).toBe(verdict)
})
