import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { World } from '../world.js'

const desired = await aDesired({ controlPlanes: 1 })

test.each([
  { code: 'Unavailable', isBorne: true },
  { code: 'PermissionDenied', isBorne: false },
])(
  'a reboot whose answer is $code may have happened and is not asked for twice: $isBorne',
  async ({ code, isBorne }) => {
    const modes: string[] = []
    const world = aStub<World>({
      talos: {
        node: () => ({
          applyConfiguration: async (_config, { mode }) => {
            modes.push(mode)
            return { mode, details: '', warnings: [] }
          },
          reboot: () => Promise.reject(Object.assign(new Error(code), { grpcCode: code })),
        }),
      },
    })
    const run = stepOf('reboot-with-config', { machine: 'dev-cp-1' }).run(aContext({ desired, world }))
    if (isBorne) await run
    else await expect(run).rejects.toThrow(code)
    expect(modes).toEqual(['staged'])
  },
)
