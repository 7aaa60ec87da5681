import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { nodeWith, resource, signal } from '../../../tests/support/talos-client.js'
import { State } from '../../wire/cosi/resource/state_pb.js'

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
        if (request.id === 'routed')
          return { resource: resource('routed', 'addresses: [10.0.10.11/24, "fd00::11/64"]\n') }
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
  expect(await resources.nodeAddresses(signal)).toEqual(['10.0.10.11', 'fd00::11'])
  expect(await resources.find('SystemDisks.block.talos.dev', 'runtime', 'system-disk', signal)).toBeUndefined()
  expect(await resources.list('Disks.block.talos.dev', 'runtime', signal)).toEqual([
    { id: 'sda', version: '3', spec: { dev_path: '/dev/sda' } },
  ])
})

test('a spec that is not YAML is an error of the node, not of ichor', async () => {
  const node = await nodeWith((router) => router.service(State, { get: () => ({ resource: resource('x', '{') }) }))
  const asked = [
    node.resources.machineStatus(signal),
    node.resources.machineConfig(signal),
    node.resources.find('T', 'n', 'x', signal),
  ]
  for (const answer of asked) await expect(answer).rejects.toMatchObject({ name: 'TalosError', grpcCode: 'Internal' })
})

test.each(['status: ready', '- 1', 'stage: [1]', 'status: {unmetConditions: [null]}'])(
  'a machine whose status is %j is in an unknown stage',
  async (spec) => {
    const node = await nodeWith((router) =>
      router.service(State, { get: () => ({ resource: resource('machine', spec) }) }),
    )
    expect(await node.resources.machineStatus(signal)).toMatchObject({ stage: 'unknown', ready: false })
  },
)
