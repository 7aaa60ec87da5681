import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import type { Installer } from '../desired/desired.js'
import { registerSchematic } from './register-schematic.js'

const desired = await aDesired()
const installer = { talosVersion: 'v1.13.9', schematic: { customization: {} } } as Installer

function aRound(register: () => Promise<void>) {
  return aContext({ desired, world: { factory: { register } } as never })
}

test('the machines of a round register their schematic once, also at the same time', async () => {
  let calls = 0
  const context = aRound(async () => void calls++)
  await Promise.all([registerSchematic(installer, context), registerSchematic({ ...installer }, context)])
  await registerSchematic(installer, context)
  expect(calls).toBe(1)
  await registerSchematic({ ...installer, schematic: { customization: { extraKernelArgs: ['a'] } } }, context)
  expect(calls).toBe(2)
})

test('a registration that failed is tried again', async () => {
  let calls = 0
  const context = aRound(async () => {
    if (calls++ === 0) throw new Error('the factory is down')
  })
  await expect(registerSchematic(installer, context)).rejects.toThrow('the factory is down')
  await registerSchematic(installer, context)
  expect(calls).toBe(2)
})
