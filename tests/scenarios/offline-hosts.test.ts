import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage, type UpOptions } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'

let stage: Stage
afterEach(() => stage.close())

const begin = async (hosts: number, yaml: string) => {
  stage = await aStage({ speed: 1000, topology: aTopology({ hosts }), files: { 'cluster.yaml': yaml } })
}

test('a plan says which hosts are offline, and which control planes share a host because of it', async () => {
  await begin(3, clusterYaml({ workers: 0 }))
  await stage.lab.proxmox.setHostOnline('pve2', false)
  const notes = notesOf((await stage.plan()).plan)
  expect(notes).toContain('pve2 is offline: no machine is placed on it.')
  expect(notes).toContain(
    'dev-cp-1, dev-cp-3 are on pve1: if it is lost, etcd loses its majority. Bring pve2 back first to spread them.',
  )
})

test('a plan says what the loss of a host means for etcd', async () => {
  await begin(3, clusterYaml({ workers: 1 }))
  await stage.up({ until: 'bootstrap' })
  await stage.lab.proxmox.setHostOnline('pve2', false)
  expect(notesOf((await stage.plan()).plan)).toContain(
    'pve2 is offline with dev-cp-2. 2 of 3 control planes are left: etcd loses its majority if another one fails.',
  )
})

test('without quorum a run is refused before anyone is asked or anything is changed', async () => {
  await begin(3, clusterYaml({ controlPlanes: 1, workers: 0 }))
  await stage.lab.proxmox.setHostOnline('pve2', false)
  await stage.lab.proxmox.setHostOnline('pve3', false)
  const before = mutatingCalls(stage.lab).length
  let asked = 0
  const confirm = async () => {
    asked++
    return true
  }
  await expect(stage.up({ confirm })).rejects.toMatchObject({
    code: 'refused',
    exitCode: 3,
    message: 'The Proxmox cluster has lost its quorum and accepts no changes.',
    fix: 'Bring pve2, pve3 back, or check the network between the hosts. Nothing was changed.',
  })
  expect([asked, mutatingCalls(stage.lab).length]).toEqual([0, before])
})

test.each([
  { key: 'target_nodes', extra: '  target_nodes: [pve1, pve7]\n', capacity: '' },
  {
    key: 'pve_capacity',
    extra: '',
    capacity: 'pve_capacity: { pve1: { cpu: 8, ram: 16GiB }, pve7: { cpu: 8, ram: 16GiB } }\n',
  },
])('a host in $key that Proxmox does not have is named, with those that there are', async ({ extra, capacity }) => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 0, extra: capacity })
  await begin(3, yaml.replace('  datastore: local-lvm\n', `  datastore: local-lvm\n${extra}`))
  await expect(stage.plan()).rejects.toMatchObject({
    message:
      'The inventory names pve7, which is not a host of this Proxmox cluster. Its hosts are pve1, pve2 and pve3.',
    fix: 'Correct the name in the inventory, or remove it.',
  })
})

test.each([
  { clockOffsetMs: 26 * 3_600_000, clock: '26 h behind' },
  { clockOffsetMs: -3 * 86_400_000, clock: '3 d ahead of' },
])('a computer whose clock is $clock that of Proxmox shows so first, and nothing is made', async (time) => {
  await begin(1, clusterYaml({ controlPlanes: 1, workers: 0 }))
  const before = mutatingCalls(stage.lab).length
  const through: NonNullable<UpOptions['through']> = (world) => {
    const { cluster } = world.proxmox
    const version = async (signal: AbortSignal) => ({
      ...(await cluster.version(signal)),
      clockOffsetMs: time.clockOffsetMs,
    })
    return { ...world, proxmox: { ...world.proxmox, cluster: { ...cluster, version } } }
  }
  await expect(stage.up({ through })).rejects.toMatchObject({
    exitCode: 3,
    message: `The clock of this computer is ${time.clock} that of Proxmox.`,
  })
  expect(mutatingCalls(stage.lab).length).toBe(before)
})
