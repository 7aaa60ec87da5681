import { gzipSync } from 'node:zlib'
import { create } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { afterEach, expect, test } from 'vitest'
import { startTalosServer, type TalosServer } from '../../../tests/support/talos-server.js'
import { createDirectDialer } from '../../reach/direct.js'
import { EventType, State } from '../../wire/cosi/resource/state_pb.js'
import { MachineStatusEventSchema, MachineStatusEvent_MachineStage as Stage } from '../../wire/machine/events_pb.js'
import { ImageService } from '../../wire/machine/image_pb.js'
import { LifecycleService } from '../../wire/machine/lifecycle_pb.js'
import { ApplyConfigurationRequest_Mode, MachineService } from '../../wire/machine/machine_pb.js'
import { StorageService } from '../../wire/storage/storage_pb.js'
import { connectTalos } from './connect.js'
import type { TalosNode, TalosPort } from './port.js'
import { TalosError } from './talos-error.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const signal = new AbortController().signal
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }

async function serve(routes: (router: ConnectRouter) => void, options?: { maintenance?: boolean }) {
  const server = await startTalosServer(routes, options)
  closing.push(() => server.close())
  return server
}

function portTo(server: TalosServer, admin = server.admin): TalosPort {
  const port = connectTalos({
    dialer: createDirectDialer(),
    clock,
    credentials: async () => ({ ca: server.ca.crt, ...admin }),
  })
  closing.push(() => port.close())
  return port
}

async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

const at = (server: TalosServer) => ({ machine: 'dev-cp-1', address: '127.0.0.1', port: server.port })

async function nodeWith(routes: (router: ConnectRouter) => void): Promise<TalosNode> {
  const server = await serve(routes)
  return portTo(server).node(at(server))
}

const versionRoute = (tag: string) => ({
  version: () => ({ messages: [{ version: { tag, arch: 'amd64' }, platform: { name: 'nocloud', mode: 'cloud' } }] }),
})

test('a configured node tells its version over mutual TLS, and calls share one connection', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).node(at(server))
  const answers = await Promise.all(Array.from({ length: 20 }, () => node.version(signal)))
  expect(answers[0]).toEqual({ tag: 'v1.13.9', platform: 'nocloud', mode: 'cloud', arch: 'amd64' })
  expect(server.connections()).toBe(1)
})

test('after a cut the next call dials again', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).node(at(server))
  await node.version(signal)
  server.cut()
  await expect
    .poll(() =>
      node.version(signal).then(
        ({ tag }) => tag,
        () => 'cut',
      ),
    )
    .toBe('v1.13.9')
  expect(server.connections()).toBe(2)
})

test('a cut in the middle of a stream is an error that says so and passes', async () => {
  const server = await serve((router) =>
    router.service(MachineService, {
      async *dmesg() {
        yield { bytes: Buffer.from('booting\n') }
        await new Promise(() => {})
      },
    }),
  )
  const node = portTo(server).node(at(server))
  const read = async () => {
    for await (const _ of node.dmesg({ follow: true, tail: false }, signal)) server.cut()
  }
  const error = await read().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TalosError)
  expect(error).toMatchObject({ machine: 'dev-cp-1', isPassing: true, grpcCode: 'Unavailable' })
})

test('a refusal names machine, address, code and what to do', async () => {
  const server = await serve((router) =>
    router.service(MachineService, {
      bootstrap() {
        throw new ConnectError('time is not in sync yet', Code.FailedPrecondition)
      },
    }),
  )
  const node = portTo(server).node(at(server))
  const error = await node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal).catch((thrown) => thrown)
  expect(error).toMatchObject({
    message: 'dev-cp-1: Bootstrap is not possible yet: time is not in sync yet',
    where: `dev-cp-1 (127.0.0.1:${server.port}), gRPC code FailedPrecondition`,
    fix: expect.stringContaining('Wait'),
    isPassing: true,
    exitCode: 1,
  })
})

test('a second bootstrap is told as already done', async () => {
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      bootstrap() {
        throw new ConnectError('etcd data directory is not empty', Code.AlreadyExists)
      },
    }),
  )
  expect(await node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal)).toBe('already')
})

test('nobody at home is an error with the reason of the network in it', async () => {
  const server = await serve((router) => router.service(MachineService, {}))
  const port = portTo(server)
  await server.close()
  const error = await port
    .node(at(server))
    .version(signal)
    .catch((thrown) => thrown)
  expect(error).toMatchObject({ grpcCode: 'Unavailable', isPassing: true })
  expect(error.message).toContain(`nothing listens on port ${server.port}`)
})

test('the certificate of another cluster is refused by us, and ours by another node', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const other = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const strangerCa = portTo(other).node(at(server))
  await expect(strangerCa.version(signal)).rejects.toThrow('an authority that we do not trust')

  const wrongClient = portTo(server, other.admin).node(at(server))
  const error = await wrongClient.version(signal).catch((thrown) => thrown)
  expect(error).toMatchObject({
    grpcCode: 'Unavailable',
    fix: expect.stringContaining('does not accept our certificate'),
  })
})

test('secrets that are missing are told as such, and not as a failure of the node', async () => {
  const credentials = async () => Promise.reject(new Error('the cluster has no secrets yet'))
  const port = connectTalos({ dialer: createDirectDialer(), clock, credentials })
  const node = port.node({ machine: 'dev-cp-1', address: '127.0.0.1' })
  await expect(node.version(signal)).rejects.toThrow(
    'dev-cp-1: Version could not be asked: the cluster has no secrets yet.',
  )
})

test('an expired client certificate is told before anything is dialled', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const expired = await server.ca.issueClient(['os:admin'], { expired: true })
  await expect(portTo(server, expired).node(at(server)).version(signal)).rejects.toThrow(/expired on/)
  expect(server.connections()).toBe(0)
})

test('a call ends when its signal fires, with the reason of the signal', async () => {
  const node = await nodeWith((router) => router.service(MachineService, { version: () => new Promise(() => {}) }))
  const stop = new AbortController()
  const call = node.version(stop.signal)
  setTimeout(() => stop.abort(new Error('the user pressed Ctrl-C')), 50)
  await expect(call).rejects.toThrow('the user pressed Ctrl-C')
})

test.each([
  { mode: 'auto', sent: ApplyConfigurationRequest_Mode.AUTO },
  { mode: 'no-reboot', sent: ApplyConfigurationRequest_Mode.NO_REBOOT },
  { mode: 'reboot', sent: ApplyConfigurationRequest_Mode.REBOOT },
  { mode: 'staged', sent: ApplyConfigurationRequest_Mode.STAGED },
  { mode: 'try', sent: ApplyConfigurationRequest_Mode.TRY },
] as const)('a config goes out in mode $mode, and the chosen mode comes back', async ({ mode, sent }) => {
  const seen: unknown[] = []
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      applyConfiguration(request) {
        seen.push({ mode: request.mode, dryRun: request.dryRun, seconds: request.tryModeTimeout?.seconds })
        return { messages: [{ mode: request.mode, modeDetails: 'done', warnings: ['beware'] }] }
      },
    }),
  )
  const result = await node.applyConfiguration(
    'version: v1alpha1',
    { mode, dryRun: true, tryTimeoutSeconds: 90 },
    signal,
  )
  expect(seen).toEqual([{ mode: sent, dryRun: true, seconds: 90n }])
  expect(result).toEqual({ mode, details: 'done', warnings: ['beware'] })
})

test('a kubeconfig is read out of a tar that never ends', async () => {
  const text = 'apiVersion: v1\nkind: Config\n'
  const header = Buffer.alloc(512)
  header.write('kubeconfig', 0)
  header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  const archive = gzipSync(Buffer.concat([header, Buffer.from(text)]))
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      async *kubeconfig() {
        yield { bytes: archive.subarray(0, 40) }
        yield { bytes: archive.subarray(40) }
      },
    }),
  )
  expect(await node.kubeconfig(signal)).toBe(text)
})

test('events lose their greeting and their odd type prefix', async () => {
  const payload = create(MachineStatusEventSchema, { stage: Stage.RUNNING, status: { ready: false } })
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      async *events() {
        yield {}
        const data = anyPack(MachineStatusEventSchema, payload)
        yield { id: 'e1', data: { ...data, typeUrl: 'talos/runtime/machine.MachineStatusEvent' } }
        yield { id: 'e2', data: { ...data, typeUrl: 'talos/runtime/machine.SomethingNew' } }
      },
    }),
  )
  const seen = await allOf(node.events({ tailEvents: -1 }, signal))
  expect(seen).toEqual([
    {
      id: 'e1',
      type: 'MachineStatusEvent',
      payload: { stage: 'RUNNING', status: { ready: false, unmetConditions: [] } },
    },
    { id: 'e2', type: 'SomethingNew', payload: undefined },
  ])
})

test('etcd member ids survive beyond 2^53, as hex, both ways', async () => {
  const removed: bigint[] = []
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      etcdMemberList: () => ({ messages: [{ members: [{ id: 0xf1dc_ba98_7654_3210n, hostname: 'dev-cp-1' }] }] }),
      etcdRemoveMemberByID(request) {
        removed.push(request.memberId)
        return { messages: [{}] }
      },
    }),
  )
  const [member] = await node.etcd.members({ local: false }, signal)
  expect(member?.id).toBe('f1dcba9876543210')
  await node.etcd.removeMember('f1dcba9876543210', signal)
  expect(removed).toEqual([0xf1dc_ba98_7654_3210n])
})

test('a snapshot streams out, and streams back in chunks that a node takes', async () => {
  const file = Buffer.alloc(300_000, 7)
  const got: Uint8Array[] = []
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      async *etcdSnapshot() {
        for (let sent = 0; sent < file.length; sent += 1024) yield { bytes: file.subarray(sent, sent + 1024) }
      },
      async etcdRecover(chunks) {
        for await (const { bytes } of chunks) got.push(bytes)
        return { messages: [{}] }
      },
    }),
  )
  const taken = Buffer.concat(await allOf(node.etcd.snapshot(signal)))
  expect(taken.equals(file)).toBe(true)
  await node.etcd.recover(
    (async function* () {
      yield taken
    })(),
    signal,
  )
  expect(Buffer.concat(got).equals(file)).toBe(true)
  expect(Math.max(...got.map((chunk) => chunk.length))).toBeLessThanOrEqual(32 * 1024)
})

test('a failure that comes as a message of the stream is a failure', async () => {
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      async *logs() {
        yield { metadata: { error: 'service "nope" is not registered' } }
      },
    }),
  )
  const options = { service: 'nope', namespace: 'system', follow: false, tailLines: -1 } as const
  await expect(allOf(node.logs(options, signal))).rejects.toThrow('service "nope" is not registered')
})

const resource = (id: string, yamlSpec: string) => ({ metadata: { id, version: '3' }, spec: { yamlSpec } })

test('resources come with their parsed spec; none is undefined', async () => {
  const node = await nodeWith((router) =>
    router.service(State, {
      get(request) {
        if (request.id === 'machine') {
          const spec =
            'stage: running\nstatus:\n  ready: false\n  unmetConditions:\n    - name: services\n      reason: etcd\n'
          return { resource: resource('machine', spec) }
        }
        if (request.id === 'v1alpha1')
          return { resource: resource('v1alpha1', '|\n  version: v1alpha1\n  ---\n  kind: X\n') }
        if (request.id === 'systeminformation')
          return { resource: resource('x', 'uuid: B80C72EA-4C55-8B7F-8CCD-F027DAAFA86A') }
        throw new ConnectError('none', Code.NotFound)
      },
      async *list() {
        yield { resource: resource('sda', 'dev_path: /dev/sda\n') }
      },
    }),
  )
  const { resources } = node
  expect(await resources.machineStatus(signal)).toEqual({
    stage: 'running',
    ready: false,
    unmet: [{ name: 'services', reason: 'etcd' }],
  })
  expect(await resources.machineConfig(signal)).toBe('version: v1alpha1\n---\nkind: X\n')
  expect(await resources.systemUuid(signal)).toBe('b80c72ea-4c55-8b7f-8ccd-f027daafa86a')
  expect(await resources.find('SystemDisks.block.talos.dev', 'runtime', 'system-disk', signal)).toBeUndefined()
  expect(await resources.list('Disks.block.talos.dev', 'runtime', signal)).toEqual([
    { id: 'sda', version: '3', spec: { dev_path: '/dev/sda' } },
  ])
})

test('a watch skips its empty beginning and asks for what is there already', async () => {
  const asked: unknown[] = []
  const node = await nodeWith((router) =>
    router.service(State, {
      async *watch(request) {
        asked.push([request.apiVersion, request.options?.bootstrapContents ?? false, request.id])
        yield {}
        yield { event: [{ eventType: EventType.CREATED, resource: resource('a', 'x: 1') }] }
        yield { event: [{ eventType: EventType.BOOTSTRAPPED }, { eventType: EventType.NOOP }] }
        yield { event: [{ eventType: EventType.DESTROYED, resource: { metadata: { id: 'a', version: '4' } } }] }
      },
    }),
  )
  const all = await allOf(node.resources.watch('T', 'n', {}, signal))
  expect(all.map(({ type }) => type)).toEqual(['created', 'bootstrapped', 'destroyed'])
  await allOf(node.resources.watch('T', 'n', { id: 'a' }, signal))
  expect(asked).toEqual([
    [1, true, undefined],
    [1, false, 'a'],
  ])
})

interface UpgradeStory {
  readonly tag: string
  readonly stage: boolean
  readonly calls: string[]
  readonly by: 'lifecycle' | 'machine'
}

test.each<UpgradeStory>([
  { tag: 'v1.12.11', stage: false, calls: ['machine'], by: 'machine' },
  { tag: 'v1.13.0', stage: false, calls: ['pull', 'lifecycle'], by: 'lifecycle' },
  { tag: 'v1.14.0-rc.1', stage: false, calls: ['pull', 'lifecycle'], by: 'lifecycle' },
  { tag: 'v1.13.9', stage: true, calls: ['machine'], by: 'machine' },
])('a node on $tag (staged: $stage) is upgraded by $by', async ({ tag, stage, calls, by }) => {
  const seen: string[] = []
  const node = await nodeWith((router) => upgradeRoutes(router, tag, seen, 0))
  const lines: string[] = []
  const answer = await node.upgrade('factory/installer:v2', { stage, onProgress: (line) => lines.push(line) }, signal)
  expect(answer).toEqual({ by })
  expect(seen).toEqual(calls)
})

test('an installer that ends badly is a failure although the call ends well', async () => {
  const node = await nodeWith((router) => upgradeRoutes(router, 'v1.13.9', [], 4))
  await expect(node.upgrade('factory/installer:v2', { stage: false }, signal)).rejects.toThrow(
    'the installer ended with 4, after "writing"',
  )
})

function upgradeRoutes(router: ConnectRouter, tag: string, seen: string[], exitCode: number): void {
  router.service(MachineService, {
    ...versionRoute(tag),
    upgrade() {
      seen.push('machine')
      return { messages: [{ ack: 'upgrade request received' }] }
    },
  })
  router.service(ImageService, {
    async *pull() {
      seen.push('pull')
      yield { response: { case: 'name', value: 'factory/installer@sha256:1' } }
    },
  })
  router.service(LifecycleService, {
    async *upgrade() {
      seen.push('lifecycle')
      yield { progress: { response: { case: 'message', value: 'writing' } } }
      yield { progress: { response: { case: 'exitCode', value: exitCode } } }
    },
  })
}

test('an image is pulled by the old call where the new service is missing', async () => {
  const pulled: string[] = []
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      imagePull(request) {
        pulled.push(request.reference)
        return { messages: [{}] }
      },
    }),
  )
  await node.pullImage('kubelet:v1', 'system', signal)
  expect(pulled).toEqual(['kubelet:v1'])
})

test('services say whether they are healthy, or that it is not known', async () => {
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      serviceList: () => ({
        messages: [
          {
            services: [
              { id: 'etcd', state: 'Running', health: { healthy: true, lastMessage: 'fine' } },
              {
                id: 'kubelet',
                state: 'Preparing',
                health: { unknown: true },
                events: { events: [{ msg: 'pulling' }] },
              },
            ],
          },
        ],
      }),
    }),
  )
  expect(await node.services(signal)).toEqual([
    { id: 'etcd', state: 'Running', healthy: true, message: 'fine' },
    { id: 'kubelet', state: 'Preparing', message: 'pulling' },
  ])
})

const uuid = 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a'
const mac = '02:CA:F5:11:7F:D0'

function maintenanceRoutes(router: ConnectRouter, applied: string[]): void {
  router.service(State, {
    get: () => ({ resource: resource('systeminformation', `uuid: ${uuid}`) }),
    async *list() {
      yield { resource: resource('eth0', `hardwareAddr: ${mac.toLowerCase()}\nkind: ""\n`) }
      yield { resource: resource('bond0', 'hardwareAddr: 02:00:00:00:00:01\nkind: bond\n') }
    },
  })
  router.service(MachineService, {
    applyConfiguration(request) {
      applied.push(Buffer.from(request.data).toString())
      return { messages: [{ mode: ApplyConfigurationRequest_Mode.NO_REBOOT }] }
    },
  })
  router.service(StorageService, { disks: () => ({ messages: [{ disks: [{ deviceName: '/dev/sda', size: 42n }] }] }) })
}

test('a machine in maintenance shows who it is, and takes its config on that same connection', async () => {
  const applied: string[] = []
  const server = await serve((router) => maintenanceRoutes(router, applied), { maintenance: true })
  const node = portTo(server).maintenance(at(server))
  expect(await node.findIdentity(signal)).toEqual({ uuid, macs: [mac] })
  const before = server.connections()
  await node.applyConfiguration('version: v1alpha1', { uuid: uuid.toUpperCase(), mac }, signal)
  expect(applied).toEqual(['version: v1alpha1'])
  expect(server.connections()).toBe(before + 1)
  expect(await node.disks(signal)).toMatchObject([{ path: '/dev/sda', size: 42 }])
})

test.each([
  { other: 'uuid', expected: { uuid: '00000000-0000-8000-8000-000000000000', mac } },
  { other: 'MAC', expected: { uuid, mac: '02:00:00:00:00:01' } },
])('a machine with another $other gets nothing', async ({ expected }) => {
  const applied: string[] = []
  const server = await serve((router) => maintenanceRoutes(router, applied), { maintenance: true })
  const node = portTo(server).maintenance(at(server))
  await expect(node.applyConfiguration('secret', expected, signal)).rejects.toThrow('is not dev-cp-1')
  expect(applied).toEqual([])
})

test('a node that asks for a certificate, and one that is not there, are not in maintenance', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).maintenance(at(server))
  expect(await node.findIdentity(signal)).toBeUndefined()
  await server.close()
  expect(await node.findIdentity(signal)).toBeUndefined()
})
