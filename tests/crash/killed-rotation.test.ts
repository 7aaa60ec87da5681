import { expect, test } from 'vitest'
import type { RotationTarget } from '../../src/cluster/rotation.js'
import { countCalls, disturbRotation, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'
import { killRotation, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import { oneIn } from '../support/sample.js'
import { rotate } from '../support/verbs.js'

test.each<RotationTarget>(['talos-ca', 'kubernetes-ca'])(
  'a rotation of %s, killed at its calls: nobody is locked out, and the same verb finishes it',
  async (what) => {
    const undisturbed = await liveUndisturbed()
    const calls = await countCalls(rotate(what), undisturbed)
    expect(calls).toBeGreaterThanOrEqual(15)
    const story = (nth: number) => disturbRotation(nth, 'kill-caller', what, undisturbed)
    expect(await forEveryCall(calls, story, { oneIn: oneIn(6), sideBySide: 1 })).toEqual([])
  },
)

test('a real SIGKILL in the middle of a rotation: nobody is locked out, and the same verb finishes it', async () => {
  const life = await liveAsProcess()
  await killRotation(9, 'talos-ca', life)
  await killRotation(12, 'kubernetes-ca', life)
})
