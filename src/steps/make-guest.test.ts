import { expect, test } from 'vitest'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import type { StepContext } from './step.js'

const guest = { name: 'nas', vmid: 120, host: 'pve1', options: { cores: 2 } }
const context = {
  desired: { guestsToMake: [guest] },
  signal: AbortSignal.timeout(5000),
  assertLease: () => undefined,
} as unknown as StepContext

test.each([
  { what: 'nothing like it', guests: [{ name: 'db', vmid: 121 }], isThere: false },
  { what: 'a VM of its name under another VMID', guests: [{ name: 'nas', vmid: 999 }], isThere: true },
  { what: 'another VM under its VMID', guests: [{ name: 'db', vmid: 120 }], isThere: true },
])('where there is $what a guest has been made: $isThere', async ({ guests, isThere }) => {
  const machines = { findConfig: async () => undefined }
  const cluster = { resources: async () => ({ guests }) }
  const world = { proxmox: { machines, cluster } } as unknown as World
  expect(await stepOf('make-guest').done({ guest: 'nas' }, world, context)).toBe(isThere)
})
