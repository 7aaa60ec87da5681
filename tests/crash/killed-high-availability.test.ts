import { expect, test } from 'vitest'
import {
  countCalls,
  disturbDestruction,
  disturbVerb,
  forEveryCall,
  liveUndisturbed,
} from '../support/disturbed-runs.js'
import { aTopology, type Change, clusterYaml } from '../support/lab.js'
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
/** Every third call; `ICHOR_CRASH_ALL=1` takes every one. */
const oneIn = process.env.ICHOR_CRASH_ALL === undefined ? 3 : 1

test.each<{ verb: string; change: Change }>([
  { verb: 'scale workers=1', change: scaleTo('workers=1') },
  { verb: 'replace dev-wk-1', change: replace('dev-wk-1') },
  { verb: 'evacuate pve1', change: evacuateHosts(['pve1']) },
])('$verb under Proxmox HA, killed at its calls: the next up finishes', async ({ change }) => {
  const calls = await countCalls(change, undisturbed)
  expect(calls).toBeGreaterThanOrEqual(5)
  const story = (nth: number) => disturbVerb(nth, 'kill-caller', change, undisturbed)
  expect(await forEveryCall(calls, story, { oneIn })).toEqual([])
})

test('destroy under Proxmox HA, killed at its calls: the next one leaves nothing', async () => {
  const story = (nth: number) => disturbDestruction(nth, 'kill-caller', undisturbed)
  expect(await forEveryCall(undisturbed.callsOfDestroy, story, { oneIn })).toEqual([])
})
