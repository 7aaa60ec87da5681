import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

const wanting = (ram: string) =>
  clusterYaml({ controlPlanes: 1, workers: 2 }).replace('worker: { cpu: 2, ram: 4GiB', `worker: { cpu: 2, ram: ${ram}`)

test('a start that fails inside a restart is reported at once, and the cordon does not block the next run', async () => {
  stage = await aStage({ speed: 1000, topology: aTopology(), files: { 'cluster.yaml': wanting('4GiB') } })
  await stage.up()
  await stage.write('cluster.yaml', wanting('5GiB'))
  stage.lab.proxmox.trouble.failStarts(3000)
  stage.events.splice(0)

  await expect(stage.up()).rejects.toThrow('QEMU exited with code 1')
  const failed = stage.events.flatMap((event) => (event.type === 'step.failed' ? [event] : []))
  expect(failed.map(({ step }) => step.split('?')[0])).toEqual(['restart-vm'])
  expect(failed[0]?.problem).toContain('QEMU exited with code 1')

  // Still broken: the next run fails for the same reason, and not for another one.
  await expect(stage.up()).rejects.toThrow('QEMU exited with code 1')

  stage.lab.proxmox.trouble.failStarts(3000, false)
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const nodes = ifSeen((await stage.plan()).observed.kubernetes)?.nodes ?? []
  expect(nodes.map(({ unschedulable }) => unschedulable)).toEqual([false, false, false])
})
