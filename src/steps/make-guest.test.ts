import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aForeignVm } from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import type { World } from '../world.js'

const guests = [{ name: 'nas', host: 'pve1', vmid: 120, cpu: 1, ram: '1G', create: true }]
const context = aContext({ desired: await aDesired({ with: { guests } }) })

test.each([
  { what: 'nothing like it', there: aForeignVm(121, 'pve1', 'db'), isThere: false },
  { what: 'a VM of its name under another VMID', there: aForeignVm(999, 'pve1', 'nas'), isThere: true },
  { what: 'another VM under its VMID', there: aForeignVm(120, 'pve1', 'db'), isThere: true },
])('where there is $what a guest has been made: $isThere', async ({ there, isThere }) => {
  const machines = { findConfig: async () => undefined }
  const cluster = { resources: async () => ({ guests: [there], hosts: [], storages: [] }) }
  const world = aStub<World>({ proxmox: { machines, cluster } })
  expect(await stepOf('make-guest', { guest: 'nas' }).done({ ...context, ...world })).toBe(isThere)
})
