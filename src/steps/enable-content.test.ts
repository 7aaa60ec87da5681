import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { World } from '../world.js'

test('a token of ichor access may not change storages: the fix names an administrator, not ichor access', async () => {
  const enableContent = async () => {
    throw aProxmoxError('forbidden')
  }
  const world = aStub<World>({ proxmox: { storage: { enableContent } } })
  const step = stepOf('enable-content', { storage: 'local', content: 'import' })
  await expect(step.run(aContext({ desired: await aDesired(), world }))).rejects.toMatchObject({
    message: 'This token may not change which content storage local allows.',
    fix: expect.stringMatching(/^Have an administrator run ichor access --enable-content/),
  })
})
