import { expect, test } from 'vitest'
import { disturbDestruction, forEveryCall, killAtCalls, liveUndisturbed } from '../support/disturbed-runs.js'
import { aTopology, type Change, clusterYaml } from '../support/lab.js'
import { oneIn } from '../support/sample.js'
import { evacuateHosts, replace, scaleTo } from '../support/verbs.js'

const GiB = 1024 ** 3
const { storages, ...hosts } = aTopology({ hosts: 3 })
const shared = { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB } as const
const extra = 'secrets: plain\nplacement:\n  ha: true\n'
const yaml = clusterYaml({ extra }).replace('datastore: local-lvm', 'datastore: ceph')
const undisturbed = await liveUndisturbed({
  topology: { ...hosts, storages: [...storages, shared] },
  files: { 'cluster.yaml': yaml },
  pve: 9,
})

test.each<{ verb: string; change: Change }>([
  { verb: 'scale workers=1', change: scaleTo('workers=1') },
  { verb: 'replace dev-wk-1', change: replace('dev-wk-1') },
  { verb: 'evacuate pve1', change: evacuateHosts(['pve1']) },
])('$verb under Proxmox HA, killed at its calls: the next up finishes', async ({ change }) => {
  expect(await killAtCalls(change, undisturbed)).toEqual([])
})

test('destroy under Proxmox HA, killed at its calls: the next one leaves nothing', async () => {
  const story = (nth: number) => disturbDestruction(nth, 'kill-caller', undisturbed)
  expect(await forEveryCall(undisturbed.callsOfDestroy, story, { oneIn: oneIn(3) })).toEqual([])
})
