import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { PlanRefused } from '../../src/errors.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) }

test('an address at which somebody else answers is refused before anything is made', async () => {
  stage = await aStage({ topology: aTopology(), files })
  const foreignVm = createServer()
  await stage.lab.network.listen(foreignVm, '10.0.10.10', 6443)
  const failure = await stage.up().catch((error: unknown) => error)
  foreignVm.close()
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(String(failure)).toContain('10.0.10.10, the address of dev-cp-1, belongs to a host that responds on port 6443')
  expect(mutatingCalls(stage.lab)).toEqual([])
})

test('an address that a VM has by cloud-init is refused even while that VM is switched off', async () => {
  stage = await aStage({ topology: aTopology(), files })
  const { world, wait, signal } = await byHand(stage)
  const options = { name: 'database', ipconfig0: 'ip=10.0.10.10/24,gw=10.0.10.254' }
  await wait(world.proxmox.machines.create({ host: 'pve1', vmid: 700 }, options, signal))
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(String(failure)).toContain('belongs to VM 700 (database) on pve1')
})
