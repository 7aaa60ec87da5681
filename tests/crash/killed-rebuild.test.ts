import { expect, test } from 'vitest'
import { forEveryCall, killAtCalls, liveUndisturbed } from '../support/disturbed-runs.js'
import {
  killPrune,
  killUp,
  killVerb,
  liveUndisturbed as liveAsProcess,
  loseHost,
  pruneCluster,
} from '../support/killed-processes.js'
import { killedAtItsCalls } from '../support/killed-story.js'
import { clusterYaml } from '../support/lab.js'
import { oneIn } from '../support/sample.js'
import { edited, replace } from '../support/verbs.js'
import { hostGone } from '../support/worst-day-stories.js'

const plain = 'secrets: plain\n'
const threeAndOne = clusterYaml({ workers: 1, extra: plain })
/** Images enrol the keys of Secure Boot since Talos 1.14. */
const withNewTalos = threeAndOne.replace('v1.13.9', 'v1.14.1')
const withSurge = clusterYaml({ workers: 0, extra: `${plain}worker_pools: [{ name: web, count: 2, surge: 1 }]\n` })
/** Each kill is followed by a whole run, and these are long. */
const kills = 6

test.each([
  { setting: 'talos.disk_encryption', before: threeAndOne, most: kills },
  // The same steps with another image.
  { setting: 'talos.secure_boot', before: withNewTalos, most: 3 },
])('other VMs for the sake of $setting, killed at its calls: the next up finishes it', async (rebuild) => {
  const { setting, before, most } = rebuild
  const undisturbed = await liveUndisturbed({ files: { 'cluster.yaml': before } })
  expect(await killAtCalls(edited({ path: setting, value: true }), undisturbed, most)).toEqual([])
})

test('replace in a pool with surge, killed at its calls: the next up finishes it', async () => {
  const undisturbed = await liveUndisturbed({ files: { 'cluster.yaml': withSurge } })
  expect(await killAtCalls(replace('dev-web-1'), undisturbed, kills)).toEqual([])
})

test('the machines of a host that is gone, killed at its calls: the next up finishes it', () =>
  killedAtItsCalls(hostGone))

test('image prune, killed at its calls: the next one deletes what is left, and nothing else', async () => {
  const standing = await pruneCluster()
  try {
    expect(standing.calls).toBeGreaterThanOrEqual(4)
    expect(
      await forEveryCall(standing.calls, (nth) => killPrune(nth, standing), { oneIn: oneIn(2), sideBySide: 1 }),
    ).toEqual([])
  } finally {
    standing.forget()
  }
})

test('a real SIGKILL in the middle of each: the next up finishes it', async () => {
  const life = await liveAsProcess(threeAndOne)
  await killUp(20, life, (yaml) => `${yaml}talos: { disk_encryption: true }\n`)
  const gone = ['replace', '--host', 'pve2', '--gone', '--confirm-host', 'pve2']
  await killVerb(gone, 6, life, (workshop) => loseHost('pve2', workshop))
  await killVerb(['replace', 'dev-web-1'], 8, await liveAsProcess(withSurge))
})
