import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

const seeds = ({ lab }: Stage) => whatIsThere(lab).volumes.filter((volume) => volume.includes(':iso/'))

test('three control planes and two workers on three hosts become one healthy cluster, and nothing is left afterwards', async () => {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ extra: '' }) } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { observed, plan } = await stage.plan()
  expect(plan.steps).toEqual([])
  expect(ifSeen(observed.etcd)?.members).toHaveLength(3)
  expect(observed.machines.map(({ node }) => node?.ready)).toEqual([true, true, true, true, true])
  const before = mutatingCalls(stage.lab)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(mutatingCalls(stage.lab)).toEqual(before)
  expect(seeds(stage)).toEqual([])
  await stage.destroy()
  const { vms, volumes, pools } = whatIsThere(stage.lab)
  expect({ vms, pools }).toEqual({ vms: [], pools: [] })
  // Images are shared with other clusters, and stay.
  expect(volumes).toEqual(['pve1', 'pve2', 'pve3'].map((host) => expect.stringMatching(`^${host} local:import/`)))
  expect(stage.lab.proxmox.unknown()).toEqual([])
})
