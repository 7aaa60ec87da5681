import { expect, test } from 'vitest'
import { createClock } from '../clock.js'
import { nodeInfoOf, nodeKind } from './nodes.js'
import { createObjectCalls } from './object-calls.js'
import { createResourcePaths } from './resource-paths.js'
import type { Call, Transport } from './transport.js'

const signal = AbortSignal.timeout(5000)
const discovery = { resources: [{ kind: 'Node', name: 'nodes', namespaced: false }] }

/** Calls to a server, or to a proxy in front of it, that returns this response. */
function callsTo(answer: unknown) {
  const transport: Transport = {
    json: async ({ verb }: Call) => (verb === 'discover' ? discovery : answer),
    text: async () => '',
  }
  return createObjectCalls(transport, createResourcePaths(transport, createClock(1000)))
}

test('a list of nothing may be null, as Go writes it', async () => {
  expect(await callsTo({ items: null }).list(nodeKind, undefined, {}, signal)).toEqual([])
})

test.each([undefined, 'a login page', [], {}, { items: 'none' }, { items: [{}] }, { items: [{ metadata: [] }] }])(
  '%j is no list of the Kubernetes API, and is reported so',
  async (answer) => {
    await expect(callsTo(answer).list(nodeKind, undefined, {}, signal)).rejects.toMatchObject({
      name: 'KubernetesError',
      message: 'Could not list Node objects: the answer is not one of the Kubernetes API.',
    })
  },
)

test('a list that begins again and again ends with an error', async () => {
  const endless = { items: [], metadata: { continue: 'again' } }
  await expect(callsTo(endless).list(nodeKind, undefined, {}, signal)).rejects.toThrow('not one of the Kubernetes API')
})

test.each([undefined, 7, { metadata: 'x' }])('%j is no object of the Kubernetes API', async (answer) => {
  await expect(callsTo(answer).find(nodeKind, undefined, 'a', signal)).rejects.toThrow('not one of the Kubernetes API')
})

test('fields of the wrong type are not there', async () => {
  const answer = {
    metadata: { name: 7, labels: { good: 'x', bad: 1 }, annotations: 'none' },
    spec: { taints: 'none', unschedulable: 'yes' },
    status: { conditions: {}, addresses: [null, { type: 'InternalIP' }], nodeInfo: 'x' },
  }
  const node = await callsTo(answer).find(nodeKind, undefined, 'a', signal)
  expect(node && nodeInfoOf(node)).toEqual({
    name: '',
    systemUuid: '',
    ready: false,
    unschedulable: false,
    kubeletVersion: '',
    internalAddresses: [''],
    labels: { good: 'x' },
    taints: [],
    annotations: {},
  })
})
