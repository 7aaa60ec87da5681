import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../../tests/support/lab.js'
import { seen } from '../cluster/seen.js'
import { findingDefinitions } from '../findings/index.js'
import { measure } from '../operations/measure.js'
import { exposition } from './exposition.js'
import type { Measurement } from './measurement.js'
import { samplesOf } from './samples.js'

const signal = new AbortController().signal
const GiB = 1024 ** 3
let stage: Stage
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ workers: 1 }) } })
  await stage.up()
})
afterAll(() => stage.close())

async function measured(): Promise<Measurement> {
  const { world } = await stage.connect()
  const beside = { expiries: [{ name: 'Talos CA', expires: '2036-01-01T00:00:00Z' }], backup: seen({}) }
  return measure({ inventory: await stage.inventory(), world, env: {} }, Promise.resolve(beside), signal)
}

const lines = async (...all: Measurement[]) =>
  (await exposition(samplesOf(all, { version: '1.2.3', definitions: findingDefinitions }))).split('\n')
const starting = (text: readonly string[], ...names: string[]) =>
  text.filter((line) => names.some((name) => line.startsWith(name)))

test('a healthy cluster: every source answers, nothing is found, and counters come from Proxmox', async () => {
  const text = await lines(await measured())
  expect(starting(text, 'ichor_source_up', 'ichor_build_info', 'ichor_plan_')).toEqual([
    'ichor_build_info{version="1.2.3"} 1',
    ...['proxmox', 'talos', 'etcd', 'kubernetes', 'backup'].map(
      (source) => `ichor_source_up{cluster="dev",source="${source}"} 1`,
    ),
    'ichor_plan_refused{cluster="dev"} 0',
    'ichor_plan_steps{cluster="dev",disruptive="true"} 0',
    'ichor_plan_steps{cluster="dev",disruptive="false"} 0',
  ])
  expect(starting(text, 'ichor_findings{').filter((line) => !line.endsWith(' 0'))).toEqual([
    'ichor_findings{cluster="dev",code="ICH0902",severity="info"} 1',
  ])
  expect(text).toContain('ichor_findings{cluster="dev",code="ICH0501",severity="blocks"} 0')
  expect(text).toContain(
    'ichor_machine_info{cluster="dev",machine="dev-wk-1",role="worker",host="pve1",vmid="3000",talos_version="v1.13.9",kubernetes_version="v1.36.3"} 1',
  )
  expect(text).toContain('ichor_machine_cpu_usage_ratio{cluster="dev",machine="dev-wk-1"} 0.01')
  expect(text).toContain(`ichor_host_memory_bytes{cluster="dev",host="pve1"} ${128 * GiB}`)
  expect(text).toContain('# TYPE ichor_machine_network_receive_bytes_total counter')
  const [received = ''] = starting(text, 'ichor_machine_network_receive_bytes_total{cluster="dev",machine="dev-wk-1"}')
  expect(Number(received.split(' ').at(-1))).toBeGreaterThan(0)
  expect(text).toContain(`ichor_etcd_db_quota_bytes{cluster="dev",machine="dev-cp-1"} ${2 * GiB}`)
  expect(text).toContain('ichor_certificate_expiry_timestamp_seconds{cluster="dev",name="Talos CA"} 2082758400')
  expect(text).toContain('ichor_backup_last_success_timestamp_seconds{cluster="dev",kind="snapshot"} 0')
  expect(text).toContain('ichor_host_loss_survivable{cluster="dev",host="pve2",aspect="etcd"} 1')
})

test('a lost host: its machines are not ready, its load is missing and not zero, and no further host may go', async () => {
  await stage.lab.proxmox.setHostOnline('pve3', false)
  const text = await lines(await measured())
  await stage.lab.proxmox.setHostOnline('pve3', true)
  expect(text).toContain('ichor_host_up{cluster="dev",host="pve3"} 0')
  expect(text).toContain('ichor_machine_ready{cluster="dev",machine="dev-cp-3"} 0')
  expect(
    starting(text, 'ichor_host_cpu_usage_ratio', 'ichor_host_loss_survivable').filter((line) => /pve3/.test(line)),
  ).toEqual([])
  expect(text).toContain('ichor_host_loss_survivable{cluster="dev",host="pve1",aspect="etcd"} 0')
})

test('a cluster that cannot be looked at is down and hides no other one', async () => {
  const text = await lines({ cluster: 'gone' }, await measured())
  expect(starting(text, 'ichor_').filter((line) => line.includes('"gone"'))).toEqual([
    'ichor_source_up{cluster="gone",source="proxmox"} 0',
  ])
  expect(text).toContain('ichor_source_up{cluster="dev",source="proxmox"} 1')
})
