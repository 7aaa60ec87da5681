import { expect, test } from 'vitest'
import { countCalls, disturbVerb, forEveryCall, liveUndisturbed, type Site } from '../support/disturbed-runs.js'
import { killVerb, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import { clusterYaml } from '../support/lab.js'
import { evacuateHosts } from '../support/verbs.js'

/** Every third call; `ICHOR_CRASH_ALL=1` takes every one. */
const oneIn = process.env.ICHOR_CRASH_ALL === undefined ? 3 : 1
const extra = 'secrets: plain\n'
const clones = `${extra}talos:\n  boot: template\n  full_clone: false\n`

test.each<{ how: string; site: Site }>([
  { how: 'machines are moved', site: { files: { 'cluster.yaml': clusterYaml({ extra }) } } },
  {
    how: 'linked clones, which cannot be moved, are replaced',
    site: { files: { 'cluster.yaml': clusterYaml({ extra: clones }) } },
  },
])('evacuate, killed at its calls: $how', async ({ site }) => {
  const undisturbed = await liveUndisturbed(site)
  const change = evacuateHosts(['pve1'])
  const calls = await countCalls(change, undisturbed)
  expect(calls).toBeGreaterThanOrEqual(5)
  const story = (nth: number) => disturbVerb(nth, 'kill-caller', change, undisturbed)
  expect(await forEveryCall(calls, story, { oneIn, sideBySide: 1 })).toEqual([])
})

test('a real SIGKILL in the middle of an evacuation: the next up finishes it', async () => {
  await killVerb(['evacuate', 'pve1'], 4, await liveAsProcess())
})
