import { fromBinary } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ContainerDriver, ContainerdNamespace } from '../../../wire/common/common_pb.js'
import { EventType } from '../../../wire/cosi/resource/state_pb.js'
import { MachineStatusEventSchema, MachineStatusEvent_MachineStage as Stage } from '../../../wire/machine/events_pb.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type TestLab, until } from '../testing/a-lab.js'
import { aNode, bootstrap, collect, specOf } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster()
})
afterEach(() => lab.close())

test('events begin with an empty one and cover every stage', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const stages: number[] = []
  const reading = (async () => {
    let first = true
    for await (const event of node.machine.events({ tailEvents: -1 })) {
      if (first) expect(event.data).toBeUndefined()
      first = false
      if (event.data?.typeUrl !== 'talos/runtime/machine.MachineStatusEvent') continue
      const { stage } = fromBinary(MachineStatusEventSchema, event.data.value)
      stages.push(stage)
      if (stage === Stage.RUNNING) return
    }
  })()
  await bootstrap(node)
  await reading
  expect(stages[0]).toBe(Stage.BOOTING)
  expect(stages.at(-1)).toBe(Stage.RUNNING)
})

test('a watch of one resource begins empty, shows what is, and then what changes', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const seen: [number | undefined, string | undefined][] = []
  const watching = (async () => {
    const request = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev', id: 'machine', apiVersion: 1 }
    for await (const { event } of node.state.watch(request)) {
      seen.push([event[0]?.eventType, event[0]?.resource?.spec?.yamlSpec])
      if (event[0]?.resource?.spec?.yamlSpec.includes('stage: running')) return
    }
  })()
  await bootstrap(node)
  await watching
  expect(seen[0]).toEqual([undefined, undefined])
  expect(seen[1]?.[0]).toBe(EventType.CREATED)
  expect(seen.at(-1)?.[0]).toBe(EventType.UPDATED)
})

test('a watch of a kind sends the existing resources, then the end of the list', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const types: (number | undefined)[] = []
  const request = {
    namespace: 'network',
    type: 'LinkStatuses.net.talos.dev',
    options: { bootstrapContents: true },
    apiVersion: 1,
  }
  for await (const { event } of node.state.watch(request)) {
    types.push(event[0]?.eventType)
    if (event[0]?.eventType === EventType.BOOTSTRAPPED) break
  }
  expect(types).toEqual([undefined, EventType.CREATED, EventType.CREATED, EventType.BOOTSTRAPPED])
})

test('logs of a service and the kernel are there, and an unknown service is not', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const apid = await collect(node.machine.logs({ namespace: 'system', id: 'apid', tailLines: -1 }))
  expect(apid.toString()).toContain('Health check successful')
  const kernel = (await collect(node.machine.dmesg({}))).toString()
  expect(kernel).toMatch(/^kern: {4}info: \[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\]: Linux version/m)
  expect(kernel).toMatch(/^user: warning: \[\S+Z\]: \[talos\] /m)
  await expect(collect(node.machine.logs({ namespace: 'system', id: 'nothing', tailLines: -1 }))).rejects.toThrow(
    'not registered',
  )
})

test('what was written to META is listed, and an image that is nowhere fails before anything is pulled', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await node.machine.metaWrite({ key: 12, value: Buffer.from('rack 7') })
  expect(await specOf(node, 'runtime', 'MetaKeys.runtime.talos.dev', '0x0c')).toEqual({ value: 'rack 7' })
  const imageRef = `factory.talos.dev/nocloud-installer/${'0'.repeat(64)}:v1.13.9`
  const seen: string[] = []
  const pull = async () => {
    const containerd = { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM }
    for await (const { response } of node.images.pull({ containerd, imageRef })) seen.push(response.case ?? '')
  }
  await expect(pull()).rejects.toMatchObject({ code: Code.NotFound })
  expect(seen).toEqual([])
})

test('a control plane forwards to other nodes, and a worker does not', async () => {
  const first = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const worker = await aNode(lab, cluster, { name: 'wk-1', address: '10.5.0.20', role: 'worker' })
  const one = await first.machine.hostname({}, { headers: { node: '10.5.0.20' } })
  expect(one.messages[0]?.hostname).toBe('wk-1')
  const many = await first.machine.hostname({}, { headers: { nodes: '10.5.0.2,10.5.0.20' } })
  expect(many.messages.map(({ hostname, metadata }) => [hostname, metadata?.hostname])).toEqual([
    ['cp-1', '10.5.0.2'],
    ['wk-1', '10.5.0.20'],
  ])
  await expect(worker.machine.hostname({}, { headers: { node: '10.5.0.2' } })).rejects.toThrow('no request forwarding')
})

test('the agent speaks only with extension and option, and the power button is ignored for minutes', async () => {
  const bare = await aNode(lab, cluster, {
    name: 'cp-1',
    address: '10.5.0.2',
    vm: { medium: { extensions: [] }, agent: true },
  })
  const able = await aNode(lab, cluster, { name: 'cp-2', address: '10.5.0.3', vm: { agent: true } })
  const closed = await aNode(lab, cluster, { name: 'cp-3', address: '10.5.0.4', vm: { agent: false } })
  expect([bare, able, closed].map(({ guest }) => guest.agent()?.hostname)).toEqual([undefined, 'cp-2', undefined])
  able.guest.acpiShutdown()
  const asked = lab.clock.now()
  await until('it is off', () => able.offs() === 1)
  expect(lab.clock.now() - asked).toBeGreaterThan(120_000)
})

test('a machine that is not asked to be static names itself and takes a lease', async () => {
  const vm = lab.boot({ name: 'x', seed: { 'user-data': cluster.config({}) } })
  await until('it has an address', () => (lab.guests.machines()[0]?.addresses.length ?? 0) > 0)
  expect(lab.guests.machines()[0]?.hostname).toMatch(/^talos-[0-9a-z]{3}-[0-9a-z]{3}$/)
  expect(lab.guests.machines()[0]?.addresses).toEqual([
    lab.network.lease(vm.hardware.nics[0]?.mac ?? '', 'vmbr0')?.cidr.split('/')[0],
  ])
})
