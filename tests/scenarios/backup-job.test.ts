import { afterEach, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

const yaml = (backup: string) =>
  clusterYaml({ controlPlanes: 1, workers: 2, extra: `backup: { ${backup} }\n` }).replace(
    'worker: { cpu: 2, ram: 4GiB, disk: 20G }',
    'worker: { cpu: 2, ram: 4GiB, disk: 20G, disks: [{ size: 10G }] }',
  )

test('the backup job of the inventory is made, put right, and goes with what asked for it', async () => {
  const machines = 'machines: { schedule: "sun 02:00", datastore: local }'
  stage = await aStage({ speed: 1000, topology: aTopology(), files: { 'cluster.yaml': yaml(machines) } })
  const { world, signal } = await byHand(stage)
  const theirs = { id: 'theirs', schedule: 'daily', storage: 'local', enabled: true, settings: {} }
  await world.proxmox.backup.setJob({ ...theirs, what: { vmids: [999] } }, signal)
  const jobs = async () => (await world.proxmox.backup.jobs(signal)).map(({ id, what }) => ({ id, what }))
  const [job] = [{ id: 'ichor-dev-machines', what: { vmids: [3000, 3001] } }]
  const other = { id: 'theirs', what: { vmids: [999] } }

  await stage.up({ until: 'vms' })
  expect(await jobs()).toEqual([other, job])
  await world.proxmox.backup.setJob({ ...theirs, id: 'ichor-dev-machines', what: { vmids: [3000] } }, signal)
  const { plan } = await stage.plan()
  expect(plan.steps.map(({ kind }) => kind)).toContain('set-backup-job')
  await stage.up({ until: 'vms' })
  expect(await jobs()).toEqual([other, job])
  await stage.write('cluster.yaml', yaml('etcd: { keep: 3 }'))
  await stage.up({ until: 'vms' })
  expect(await jobs()).toEqual([other])
  await stage.write('cluster.yaml', yaml(machines))
  await stage.up({ until: 'vms' })
  await stage.destroy()
  expect(await jobs()).toEqual([other])
})
