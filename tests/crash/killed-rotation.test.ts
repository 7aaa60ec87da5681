import { expect, test } from 'vitest'
import { isRotatedCa, rotationTargets } from '../../src/cluster/rotation.js'
import { countCalls, disturbRotation, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'
import { killRotation, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import { clusterYaml } from '../support/lab.js'
import { oneIn } from '../support/sample.js'
import { rotate } from '../support/verbs.js'

const yaml = clusterYaml({ extra: 'secrets: plain\n' })
/** Its contract has room for a second key. */
const newer = yaml.replace('v1.13.9', 'v1.14.1')
const stories = [
  ...rotationTargets.filter(isRotatedCa).map((what) => ({ what, contract: 'v1.13', yaml })),
  ...rotationTargets.map((what) => ({ what, contract: 'v1.14', yaml: newer })),
]

test.each(stories)(
  'a rotation of $what on contract $contract, killed at its calls: nobody is locked out, and the same verb finishes it',
  async (story) => {
    const undisturbed = await liveUndisturbed({ files: { 'cluster.yaml': story.yaml } })
    const calls = await countCalls(rotate(story.what), undisturbed)
    expect(calls).toBeGreaterThanOrEqual(9)
    const kill = (nth: number) => disturbRotation(nth, 'kill-caller', story.what, undisturbed)
    expect(await forEveryCall(calls, kill, { oneIn: oneIn(Math.ceil(calls / 3)), sideBySide: 1 })).toEqual([])
  },
)

test('a real SIGKILL in the middle of a rotation: nobody is locked out, and the same verb finishes it', async () => {
  const life = await liveAsProcess(newer)
  await killRotation(9, 'talos-ca', life)
  await killRotation(12, 'kubernetes-ca', life)
  await killRotation(7, 'service-account-key', life)
  await killRotation(8, 'etcd-encryption-key', life)
})
