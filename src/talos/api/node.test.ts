import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { allOf, nodeWith, signal } from '../../../tests/support/talos-client.js'
import { ContainerDriver } from '../../wire/common/common_pb.js'
import { ApplyConfigurationRequest_Mode, MachineService } from '../../wire/machine/machine_pb.js'
import { TimeService } from '../../wire/time/time_pb.js'

test('a second bootstrap is reported as already done', async () => {
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      bootstrap() {
        throw new ConnectError('etcd data directory is not empty', Code.AlreadyExists)
      },
    }),
  )
  expect(await node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal)).toBe('already')
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

test.each([
  { namespace: 'system', service: 'etcd', driver: ContainerDriver.CONTAINERD },
  { namespace: 'k8s.io', service: 'kube-system/coredns-1:coredns', driver: ContainerDriver.CRI },
] as const)('logs of $service are asked of the containerd that runs it', async ({ namespace, service, driver }) => {
  const asked: unknown[] = []
  const node = await nodeWith((router) =>
    router.service(MachineService, {
      async *logs(request) {
        asked.push([request.namespace, request.id, request.driver, request.tailLines])
        yield { bytes: Buffer.from('ready\n') }
      },
    }),
  )
  await allOf(node.logs({ namespace, service, follow: false, tailLines: 20 }, signal))
  expect(asked).toEqual([[namespace, service, driver, 20]])
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

test('a service that ended says why until it is healthy again, and one that was not started yet did not end', async () => {
  const end = { state: 'Waiting', msg: 'Error running Containerd(etcd), going to restart forever: exit code 2' }
  const start = { state: 'Running', msg: 'Started task etcd' }
  const fine = { state: 'Running', msg: 'Health check successful' }
  const first = { state: 'Waiting', msg: 'Waiting for service "cri" to be "up"' }
  const stories = {
    first: [first],
    ended: [first, start, fine, end],
    again: [start, end, start],
    fine: [end, start, fine],
  }
  const services = Object.entries(stories).map(([id, events]) => ({ id, state: 'Waiting', events: { events } }))
  const node = await nodeWith((router) =>
    router.service(MachineService, { serviceList: () => ({ messages: [{ services }] }) }),
  )
  const why = Object.fromEntries((await node.services(signal)).map(({ id, ended }) => [id, ended]))
  expect(why).toEqual({ first: undefined, ended: end.msg, again: end.msg, fine: undefined })
})

test('both clocks are reported, and a missing one is a failure', async () => {
  const answers = [{ localtime: timestampFromMs(5000), remotetime: timestampFromMs(4000) }, {}]
  const node = await nodeWith((router) =>
    router.service(TimeService, { time: () => ({ messages: [{ server: 'ntp', ...answers.shift() }] }) }),
  )
  expect(await node.clock(signal)).toEqual({ node: 5000, server: 4000 })
  await expect(node.clock(signal)).rejects.toThrow('the answer has no time')
})
