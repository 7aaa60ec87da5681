import { connect, constants } from 'node:http2'
import { createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ClusterService } from '../../../wire/cluster/cluster_pb.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, credentialsOf, type TestLab } from '../testing/a-lab.js'
import { aNode, bootstrap, specOf } from '../testing/a-node.js'
import { sessionTo } from '../testing/http2-session.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster()
})
afterEach(() => lab.close())

async function twoNodes() {
  const cp = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const worker = await aNode(lab, cluster, { name: 'wk-1', address: '10.5.0.20', role: 'worker' })
  return { cp, worker }
}

test('logs of two nodes come in one stream, each line with its node, and a dead node fails alone', async () => {
  const { cp } = await twoNodes()
  const headers = new Headers({ nodes: '10.5.0.2, 10.5.0.20, 10.5.0.99' })
  const seen = new Map<string, string>()
  for await (const { metadata, bytes } of cp.machine.logs(
    { namespace: 'system', id: 'apid', tailLines: -1 },
    { headers },
  )) {
    const node = metadata?.hostname ?? ''
    seen.set(node, `${seen.get(node) ?? ''}${metadata?.error ?? ''}${Buffer.from(bytes).toString()}`)
  }
  expect(seen.get('10.5.0.2')).toContain('apid: Health check successful')
  expect(seen.get('10.5.0.20')).toContain('apid: Health check successful')
  expect(seen.get('10.5.0.99')).toMatch(/^rpc error: code = Unavailable .*connection refused/)
})

test('one answer has an element for each node, also for one that does not answer', async () => {
  const { cp } = await twoNodes()
  const { messages } = await cp.machine.hostname(
    {},
    { headers: new Headers({ nodes: '10.5.0.20,10.5.0.99,10.5.0.2' }) },
  )
  expect(messages.map(({ metadata, hostname }) => [metadata?.hostname, hostname, metadata?.status?.code])).toEqual([
    ['10.5.0.20', 'wk-1', undefined],
    ['10.5.0.99', '', 14],
    ['10.5.0.2', 'cp-1', undefined],
  ])
})

test('only some services take several nodes', async () => {
  const { cp } = await twoNodes()
  const request = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev', id: 'machine' }
  const headers = new Headers({ nodes: '10.5.0.2,10.5.0.20' })
  await expect(cp.state.get(request, { headers })).rejects.toThrow(/one-2-many proxying is not supported/)
})

test('a method that is not served has status 12 and passes faults, roles and ledger as any other', async () => {
  await twoNodes()
  expect(await rawStatus('os:admin', '/machine.MachineService/DiskUsage')).toEqual([
    200,
    '12',
    'unknown method DiskUsage for service machine.MachineService',
  ])
  expect(await rawStatus('os:admin', '/machine.Nothing/Call')).toEqual([200, '12', 'unknown service machine.Nothing'])
  expect(await rawStatus('os:reader', '/machine.MachineService/PacketCapture')).toEqual([200, '7', 'not authorized'])
  const calls = lab.ledger.entries().filter(({ event }) => event === 'call')
  expect(calls.slice(-3).map(({ detail }) => [detail?.path, detail?.code])).toEqual([
    ['/machine.MachineService/DiskUsage', 'Unimplemented'],
    ['/machine.Nothing/Call', 'Unimplemented'],
    ['/machine.MachineService/PacketCapture', 'PermissionDenied'],
  ])
  lab.faults.add({ match: { method: 'DiskUsage' }, action: { kind: 'status', status: 14, message: 'busy' } })
  expect(await rawStatus('os:admin', '/machine.MachineService/DiskUsage')).toEqual([200, '14', 'busy'])
})

/** HTTP status, gRPC status and message of a call that our client does not have. */
function rawStatus(role: string, path: string): Promise<unknown[]> {
  const target = lab.network.resolve('10.5.0.2', 50000)
  const { ca, crt, key } = credentialsOf(cluster.os, cluster.client([role]))
  const session = connect(`https://${target?.host}:${target?.port}`, {
    ca,
    cert: crt,
    key,
    checkServerIdentity: () => undefined,
  })
  return new Promise((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    stream.on('response', (headers, flags) => {
      session.close()
      // grpc-go reads the status in the headers only if they end the stream.
      const ends = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
      resolve([headers[':status'], ends ? headers['grpc-status'] : 'no trailers', headers['grpc-message']])
    })
    stream.end(Buffer.alloc(5))
  })
}

test('a control plane judges the health of its cluster, check by check', async () => {
  const { cp } = await twoNodes()
  await bootstrap(cp)
  const target = lab.network.resolve('10.5.0.2', 50000)
  const { ca, crt, key } = credentialsOf(cluster.os, cluster.client(['os:reader']))
  const baseUrl = `https://${target?.host}:${target?.port}`
  const sessionManager = sessionTo(baseUrl, { ca, cert: crt, key, checkServerIdentity: () => undefined })
  const transport = createGrpcTransport({ baseUrl, sessionManager })
  const lines: string[] = []
  for await (const { message } of createClient(ClusterService, transport).healthCheck({
    waitTimeout: { seconds: 900n },
  }))
    lines.push(message)
  expect(lines[0]).toBe('discovered nodes: ["10.5.0.2" "10.5.0.20"]')
  expect(lines).toContain('waiting for etcd to be healthy: OK')
  expect(lines.at(-1)).toBe('waiting for all k8s nodes to report schedulable: OK')
})

test('definitions carry short names and columns, and a config is marked as text', async () => {
  const { cp } = await twoNodes()
  const type = 'ResourceDefinitions.meta.cosi.dev'
  expect(await specOf(cp, 'meta', type, 'linkstatuses.net.talos.dev')).toMatchObject({
    aliases: expect.arrayContaining(['links', 'link', 'ls']),
    printColumns: expect.arrayContaining([{ name: 'Link State', jsonPath: '{.linkState}' }]),
  })
  const { resource } = await cp.state.get({
    namespace: 'config',
    type: 'MachineConfigs.config.talos.dev',
    id: 'v1alpha1',
  })
  expect(resource?.metadata?.annotations).toEqual({ 'talos.dev/yaml-spec': '1' })
  const volume = await specOf(cp, 'runtime', 'VolumeStatuses.block.talos.dev', 'EPHEMERAL')
  expect(volume).toMatchObject({ size: expect.any(Number), prettySize: '19 GB' })
})
