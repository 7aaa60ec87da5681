import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connected } from '../../src/connect.js'
import type { TalosNode } from '../../src/talos/api/port.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

const signal = AbortSignal.timeout(110_000)
let stage: Stage
let connected: Connected
let controlPlane: TalosNode
let worker: TalosNode

beforeAll(async () => {
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) }
  stage = await aStage({ topology: aTopology(), files })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  connected = await stage.connect()
  const { machines } = await stage.inventory()
  const nodeOf = (role: string): TalosNode => {
    const machine = machines.find((candidate) => candidate.role === role)
    const address = machine?.nics[0].addresses[0]?.split('/')[0] ?? ''
    return connected.world.talos.node({ machine: machine?.name ?? '', address })
  }
  controlPlane = nodeOf('controlplane')
  worker = nodeOf('worker')
})
afterAll(() => stage.close())

test('a node reports its version, stage, identity and config', async () => {
  const { machines } = await stage.inventory()
  expect(await controlPlane.version(signal)).toMatchObject({ tag: 'v1.13.9', platform: 'nocloud' })
  expect(await controlPlane.resources.machineStatus(signal)).toMatchObject({ stage: 'running', ready: true })
  expect(await controlPlane.resources.systemUuid(signal)).toBe(machines[0]?.identity.uuid)
  expect(await controlPlane.resources.machineConfig(signal)).toContain('type: controlplane')
})

test('etcd shows its members and a leader, and has no alarms', async () => {
  const [member] = await controlPlane.etcd.members({ local: false }, signal)
  const status = await controlPlane.etcd.status(signal)
  expect(member).toMatchObject({ isLearner: false })
  expect(status).toMatchObject({ member: member?.id, leader: member?.id })
  expect(await controlPlane.etcd.alarms(signal)).toEqual([])
})

test('a snapshot ends with the checksum of what comes before', async () => {
  const chunks: Uint8Array[] = []
  for await (const chunk of controlPlane.etcd.snapshot(signal)) chunks.push(chunk)
  const file = Buffer.concat(chunks)
  expect(file.length % 512).toBe(32)
  const sum = createHash('sha256').update(file.subarray(0, -32)).digest()
  expect(file.subarray(-32).equals(sum)).toBe(true)
})

test('a worker says that etcd is not its business', async () => {
  await expect(worker.etcd.status(signal)).rejects.toMatchObject({ name: 'TalosError', grpcCode: 'Unimplemented' })
})

test('a second bootstrap changes nothing', async () => {
  expect(await controlPlane.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal)).toBe('already')
})

test('a config that Talos would refuse is refused, with its own words', async () => {
  const refused = controlPlane.applyConfiguration('machine: {type: nonsense}\n', { mode: 'auto' }, signal)
  await expect(refused).rejects.toMatchObject({ grpcCode: 'InvalidArgument', isTransient: false })
})

test('a dry run of the same config changes nothing', async () => {
  const config = await worker.resources.machineConfig(signal)
  const { details } = await worker.applyConfiguration(config, { mode: 'auto', dryRun: true }, signal)
  expect(details).toContain('Dry run summary')
  expect(await worker.resources.machineConfig(signal)).toBe(config)
})

test('a reboot cuts the API, and the same node answers again afterwards', async () => {
  await worker.reboot('default', signal)
  await expect.poll(() => stageOf(worker), { timeout: 20_000, interval: 20 }).not.toBe('running')
  await expect.poll(() => stageOf(worker), { timeout: 30_000, interval: 50 }).toBe('running')
})

test('an upgrade by the lifecycle service installs, reports how it goes, and leaves the reboot to us', async () => {
  const config = await worker.resources.machineConfig(signal)
  const installer = /image: (\S+-installer\/\S+)/.exec(config)?.[1] ?? ''
  const lines: string[] = []
  const answer = await worker.upgrade(installer, { stage: false, onProgress: (line) => lines.push(line) }, signal)
  expect(answer).toEqual({ by: 'lifecycle' })
  expect(lines.join('\n')).toContain('pulled')
  expect(await stageOf(worker)).toBe('running')
})

test('an installer that no registry has is not upgraded to', async () => {
  const upgrade = worker.upgrade('registry.example/nocloud-installer/none:v1.13.9', { stage: false }, signal)
  await expect(upgrade).rejects.toMatchObject({ name: 'TalosError' })
})

test.each(['refuse', 'drop-answer', 'cut-stream'] as const)(
  'after a disturbance (%s) the next call gets through',
  async (kind) => {
    stage.lab.faults.add({ match: { surface: 'talos', method: 'Dmesg' }, action: { kind } })
    const read = async () => {
      for await (const _ of worker.dmesg({ follow: false, tail: false }, signal));
    }
    await expect(read()).rejects.toMatchObject({ name: 'TalosError', isTransient: true })
    await expect(read()).resolves.toBeUndefined()
  },
)

test('an expired certificate of the node is reported as such', async () => {
  const uuid = await worker.resources.systemUuid(signal)
  await stage.lab.talos.expireCertificate(uuid)
  const fresh = await stage.connect()
  const { machines } = await stage.inventory()
  const address = machines[1]?.nics[0].addresses[0]?.split('/')[0] ?? ''
  const node = fresh.world.talos.node({ machine: 'dev-wk-1', address })
  await expect(node.version(signal)).rejects.toThrow('its certificate has expired')
  await stage.lab.talos.expireCertificate(uuid, false)
  await expect.poll(() => stageOf(node), { timeout: 10_000 }).toBe('running')
})

test('a node that hangs does not hold us longer than we want to wait', async () => {
  const uuid = await worker.resources.systemUuid(signal)
  stage.lab.talos.hang(uuid)
  await expect(worker.version(AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'TimeoutError' })
  stage.lab.talos.hang(uuid, false)
  expect(await worker.version(signal)).toMatchObject({ tag: 'v1.13.9' })
})

function stageOf(node: TalosNode): Promise<string> {
  return node.resources.machineStatus(signal).then(
    (status) => status.stage,
    () => 'silent',
  )
}
