import { expect, test } from 'vitest'
import { answered } from './talos-error.js'

const target = { machine: 'dev-cp-1', address: '10.0.10.11' }

test('a resource type that a node does not know is no matter of the certificate', () => {
  const unknown = answered('PermissionDenied', 'resource type "Nothings.talos.dev" is not supported', target, 'Get')
  expect(unknown.message).toBe(
    'dev-cp-1: Get asks for something that this Talos does not have: resource type "Nothings.talos.dev" is not supported',
  )
  expect(unknown.fix).not.toContain('os:admin')
  expect(answered('PermissionDenied', 'not authorized', target, 'Get').fix).toContain('os:admin')
})
