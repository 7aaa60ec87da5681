import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { optionText } from '../proxmox/model/option-text.js'
import type { World } from '../world.js'

const desired = await aDesired({ workers: 1 })
const claim = stepOf('claim-machine', { machine: 'dev-wk-1' })
const task = { host: 'pve1', upid: 'UPID' }

/** A host without VMs, on which creation may fail in its worker. */
function aHost({ fails }: { fails?: (options: VmOptions) => Error | undefined } = {}) {
  const created: VmOptions[] = []
  let there: Record<string, string> | undefined
  let failure: Error | undefined
  const world = aStub<World>({
    proxmox: {
      machines: {
        findConfig: async () => (there === undefined ? undefined : { options: there, digest: 'd' }),
        create: async (_vm, options) => {
          created.push(options)
          failure = fails?.(options)
          if (failure === undefined || /taken/.test(failure.message))
            there = Object.fromEntries(Object.entries(options).map(([key, value]) => [key, optionText(value)]))
          return task
        },
      },
      tasks: {
        running: async () => [],
        wait: async () => {
          if (failure !== undefined) throw failure
          return { warnings: [] }
        },
      },
    },
  })
  return { world, created }
}

test('a VM is born with its tags', async () => {
  const { world, created } = aHost()
  await claim.run(aContext({ desired, world }))
  expect(created.map(({ tags }) => tags)).toEqual([desired.cluster.tags.join(';')])
  expect(await claim.done(aContext({ desired, attempt: 2, world }))).toBe(true)
})

test.each(['forbidden-tag', 'forbidden'] as const)(
  'a token that may not set tags (%s) claims without them',
  async (kind) => {
    const { world, created } = aHost({ fails: ({ tags }) => (tags === undefined ? undefined : aProxmoxError(kind)) })
    await claim.run(aContext({ desired, world }))
    expect(created.map(({ tags }) => tags)).toEqual([desired.cluster.tags.join(';'), undefined])
  },
)

test('a VMID that our own worker from before a kill has taken in this moment is claimed', async () => {
  const { world } = aHost({ fails: () => aProxmoxError('vmid-taken') })
  await expect(claim.run(aContext({ desired, world }))).resolves.toBeUndefined()
})
