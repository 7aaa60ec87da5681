import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

const type = 'VolumeStatuses.block.talos.dev'
const withVolume = (extra = '') =>
  clusterYaml({
    controlPlanes: 1,
    workers: 0,
    extra: `controlplane: [{ name: dev-cp-1, disks: [{ size: 10G, volume: data }] }]\n${extra}`,
  })

async function nodeOf({ connect }: Stage) {
  const { world } = await connect()
  return world.talos.node({ machine: 'dev-cp-1', address: '10.0.10.10' })
}

async function volumeOf(one: Stage): Promise<unknown> {
  return (await (await nodeOf(one)).resources.find(type, 'runtime', 'u-data', AbortSignal.timeout(10_000)))?.spec
}

/** The slots of the disks on which that happened. */
function disksOf({ lab }: Stage, event: string): unknown[] {
  return lab.ledger.entries().flatMap((entry) => (entry.event === event ? [entry.detail?.disk] : []))
}

test.each([8, 9] as const)('a data disk becomes a volume of the node, on Proxmox VE %i', async (pve) => {
  stage = await aStage({ pve, files: { 'cluster.yaml': withVolume() } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await volumeOf(stage)).toMatchObject({ phase: 'ready', filesystem: 'xfs' })
  expect(disksOf(stage, 'volume.provisioned')).toEqual(['scsi1'])
})

test('an ISO installs on the system disk, in whatever order the disks are found', async () => {
  const both = clusterYaml({
    extra:
      'talos: { boot: iso }\nsizing: { control_plane: { disks: [{ size: 10G, volume: data }] }, worker: { disks: [30G] } }\n',
  }).replace(/sizing:\n {2}.*\n {2}.*\n/, '')
  stage = await aStage({ files: { 'cluster.yaml': both } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(disksOf(stage, 'machine.installed')).toEqual(['scsi0', 'scsi0', 'scsi0', 'scsi0', 'scsi0'])
  expect(disksOf(stage, 'volume.provisioned')).toEqual(['scsi1', 'scsi1', 'scsi1'])
})

test.each([8, 9] as const)('a config of 1.9 names a link that exists, on Proxmox VE %i', async (pve) => {
  const yaml = withVolume('talos: { contract: v1.9 }\n').replace('talos_version: v1.13.9', 'talos_version: v1.9.5')
  stage = await aStage({ pve, files: { 'cluster.yaml': yaml } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect((await stage.plan()).plan.steps).toEqual([])
})

test('the old selector, which never found its disk, is drift that is repaired without a restart', async () => {
  const old = '{ name: dev-cp-1, disks: [10G], patches: [old.yaml] }'
  const selector = 'disk.serial == "ichor-scsi1"'
  const yaml = clusterYaml({ controlPlanes: 1, workers: 0, extra: `controlplane: [${old}]\n` })
  const patch = `apiVersion: v1alpha1\nkind: UserVolumeConfig\nname: data\nprovisioning: { diskSelector: { match: '${selector}' }, grow: true, minSize: 9GiB }\n`
  stage = await aStage({ files: { 'cluster.yaml': yaml, 'old.yaml': patch } })
  await expect(stage.up()).rejects.toThrow()
  expect(await volumeOf(stage)).toMatchObject({ phase: 'failed', errorMessage: 'no disks matched selector for volume' })

  const { observed } = await stage.plan()
  const problem = 'the volume data is failed: no disks matched selector for volume'
  expect(observed.machines).toMatchObject([{ talos: { problems: [{ text: problem }] } }])

  await stage.write('cluster.yaml', withVolume())
  const { plan } = await stage.plan()
  expect(titlesOf(plan).join()).not.toMatch(/reboot|restart|drain/)
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await volumeOf(stage)).toMatchObject({ phase: 'ready' })
})
