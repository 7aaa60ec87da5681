import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { watchWorkload } from '../support/watched-workload.js'

let stage: Stage
afterEach(() => stage.close())

const vip = '10.0.10.5'
/** Images enrol the keys of Secure Boot since Talos 1.14. */
const yaml = (extra: string) =>
  clusterYaml({ controlPlanes: 3, workers: 3, extra })
    .replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`)
    .replace('v1.13.9', 'v1.14.1')

const controlPlanes = { machines: ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'], maxAway: 1 }
const workers = { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 }

test('secure boot and disk encryption come with other VMs, one after the other, and the cluster is there all the time', async () => {
  stage = await aStage({ speed: 40, files: { 'cluster.yaml': yaml('') } })
  await stage.up()
  const workload = await watchWorkload(stage, vip)
  await stage.write('cluster.yaml', yaml('talos: { secure_boot: true, disk_encryption: true }\n'))
  const { plan } = await stage.plan()
  const reasons = plan.steps.filter(({ kind }) => kind === 'delete-machine').map(({ reason }) => reason)
  expect(reasons).toEqual(Array(6).fill('secure boot off -> on, disk encryption changed, needs another VM'))
  expect(await stage.up({ signal: AbortSignal.timeout(240_000) })).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const { observed } = await stage.plan()
  for (const { mark, talos } of observed.machines) {
    expect(mark.image).toContain('-secureboot.qcow2')
    expect(talos.reach === 'secured' && talos.config.seen ? talos.config.value : '').toContain('provider: luks2')
  }
  workload.kept({ controlPlanes, workers })
})
