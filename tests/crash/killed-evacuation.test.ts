import { expect, test } from 'vitest'
import type { Topology } from '../../src/simulator/index.js'
import { killAtCalls, liveUndisturbed, type Site, standingAfter } from '../support/disturbed-runs.js'
import { killVerb, liveUndisturbed as liveAsProcess } from '../support/killed-processes.js'
import { aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { evacuateHosts } from '../support/verbs.js'

const extra = 'secrets: plain\n'
const clones = `${extra}talos:\n  boot: template\n  full_clone: false\n`
const hosts = aTopology({ hosts: 3 })
/** Linked clones on ZFS stay with their template; on LVM-thin they can be moved. */
const linked: Site = {
  files: { 'cluster.yaml': clusterYaml({ extra: clones }) },
  topology: { ...hosts, storages: hosts.storages.map(onZfs) },
}

function onZfs(storage: Topology['storages'][number]): Topology['storages'][number] {
  return storage.type === 'lvmthin' ? { ...storage, type: 'zfspool' } : storage
}

async function homesIn(stage: Stage): Promise<string[]> {
  const { machines } = (await stage.plan()).observed
  return machines.flatMap(({ name, mark }) => (mark.more?.home === 'pve1' ? [name] : []))
}

const isOnHost = (vm: string) => vm.includes(' pve1 ')
/** Each kill is followed by a whole run, and these are long. */
const kills = 6

test.each<{ how: string; site: Site }>([
  { how: 'machines are moved', site: { files: { 'cluster.yaml': clusterYaml({ extra }) } } },
  { how: 'linked clones, which cannot be moved, are replaced', site: linked },
])('evacuate, killed at its calls: $how', async ({ site }) => {
  const undisturbed = await liveUndisturbed(site)
  const change = evacuateHosts(['pve1'])
  const isRemembered = async (stage: Stage) => expect(await homesIn(stage)).toEqual(['dev-cp-1', 'dev-wk-1'])
  expect(await killAtCalls(change, undisturbed, kills, isRemembered)).toEqual([])
})

test('the return of linked clones, which are replaced, killed at its calls: all are back on their host', async () => {
  const undisturbed = await liveUndisturbed(linked)
  const evacuated = await standingAfter(evacuateHosts(['pve1']), undisturbed)
  const areHome = async (stage: Stage) => {
    expect(whatIsThere(stage.lab).vms.filter(isOnHost)).toEqual(undisturbed.built.vms.filter(isOnHost))
    expect(await homesIn(stage)).toEqual([])
  }
  expect(await killAtCalls(evacuateHosts(['pve1'], { isReturn: true }), evacuated, kills, areHome)).toEqual([])
})

test('a real SIGKILL in the middle of an evacuation: the next up finishes it', async () => {
  await killVerb(['evacuate', 'pve1'], 4, await liveAsProcess())
})
