import { afterEach, expect, test } from 'vitest'
import { statusOf } from '../../src/operations/status/status.js'
import { verdictOf } from '../../src/report/status-verdict.js'
import { plainFacts } from '../support/facts.js'
import { aStage, aTopology, clusterYaml, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

test('a VM that QEMU has given up is reported, and started again', async () => {
  stage = await aStage({
    speed: 1000,
    topology: aTopology(),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) },
  })
  await stage.up()
  stage.lab.proxmox.trouble.internalError(3000)

  const { plan, observed } = await stage.plan()
  expect(titlesOf(plan)).toContain('stop and start dev-wk-1')
  expect(plan.steps.map(({ reason }) => reason)).toContain('QEMU has stopped its VM: internal-error')
  const status = statusOf(plainFacts(await stage.inventory(), observed), plan)
  expect(status.healthy).toBe(false)
  expect(verdictOf(status).problems).toContainEqual({
    text: 'The processors of dev-wk-1 are paused: internal-error.',
    fix: 'Stop and start it: ichor up',
  })

  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})
