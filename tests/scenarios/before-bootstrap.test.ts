import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

async function killedBeforeBootstrap(): Promise<void> {
  stage = await aStage({
    topology: aTopology({ hosts: 3 }),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 0 }) },
  })
  const killed = stage.up({
    onEvent: (event) => {
      if (event.type === 'step.started' && event.step.startsWith('bootstrap-etcd')) stage.die()
    },
  })
  await expect(killed).rejects.toThrow()
}

const bootstraps = () => stage.lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')

test('a run killed before the bootstrap is finished by the next one, although etcd does not answer until then', async () => {
  await killedBeforeBootstrap()
  expect(bootstraps()).toEqual([])
  expect(await stage.up({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
  expect(bootstraps()).toHaveLength(1)
})

test('before the bootstrap a dead host with a control plane is named as what it is: no majority was lost', async () => {
  await killedBeforeBootstrap()
  await stage.lab.proxmox.setHostOnline('pve2', false)
  await expect(stage.up({ forceUnlock: true })).rejects.toMatchObject({
    message:
      'etcd was never bootstrapped, as far as can be seen, and pve2 cannot be reached: no etcd is bootstrapped without dev-cp-2.',
    fix: 'Bring pve2 back, then run the same command again. Nothing was changed.',
  })
  expect(bootstraps()).toEqual([])
  await stage.lab.proxmox.setHostOnline('pve2', true)
  expect(await stage.up({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
  expect(bootstraps()).toHaveLength(1)
})
