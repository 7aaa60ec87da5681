import { expect, test } from 'vitest'
import { killAtCalls, liveUndisturbed, type Site } from '../support/disturbed-runs.js'
import { killVerb, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import { clusterYaml } from '../support/lab.js'
import { evacuateHosts } from '../support/verbs.js'

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
  expect(await killAtCalls(change, undisturbed)).toEqual([])
})

test('a real SIGKILL in the middle of an evacuation: the next up finishes it', async () => {
  await killVerb(['evacuate', 'pve1'], 4, await liveAsProcess())
})
