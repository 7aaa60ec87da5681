import fc from 'fast-check'
import { pendingCsrs } from '../../../src/kubernetes/csrs.js'
import { drainNode } from '../../../src/kubernetes/drain.js'
import { errorFromStatus } from '../../../src/kubernetes/kubernetes-error.js'
import {
  cordonNode,
  nodeInfoOf,
  nodeKind,
  setNodeLabels,
  setNodeTaints,
  uncordonNode,
} from '../../../src/kubernetes/nodes.js'
import { createObjectCalls } from '../../../src/kubernetes/object-calls.js'
import { createResourcePaths } from '../../../src/kubernetes/resource-paths.js'
import type { Transport } from '../../../src/kubernetes/transport.js'
import { defineTarget } from '../target.js'
import { anyJson } from '../values.js'

const keys = [
  'kind',
  'apiVersion',
  'metadata',
  'name',
  'namespace',
  'labels',
  'annotations',
  'items',
  'resources',
  'namespaced',
  'spec',
  'status',
  'conditions',
  'type',
  'taints',
  'unschedulable',
  'nodeInfo',
  'systemUUID',
  'kubeletVersion',
  'addresses',
  'address',
  'continue',
  'resourceVersion',
  'ownerReferences',
  'code',
  'reason',
  'message',
  'details',
  'object',
  'request',
  'signerName',
  'uid',
  'phase',
]
const signal = new AbortController().signal

/** A clock on which every look takes an hour, so that whatever waits gives up. */
function hourlyClock() {
  let now = 0
  return {
    now: () => 0,
    monotonic: () => {
      now += 3_600_000
      return now
    },
    sleep: async () => {},
  }
}

const discovery = {
  resources: [
    { kind: 'Node', name: 'nodes', namespaced: false },
    { kind: 'Pod', name: 'pods', namespaced: true },
    { kind: 'CertificateSigningRequest', name: 'certificatesigningrequests', namespaced: false },
  ],
}

/** An API server that answers with the next of these, but for where its resources are. */
function serverThatSays(answers: readonly unknown[]): Transport {
  let next = 0
  const say = () => (next < 40 ? answers[next++ % answers.length] : {})
  return {
    json: async ({ verb }) => (verb === 'discover' && next % 2 === 0 ? discovery : say()),
    text: async () => String(say()),
  }
}

export const kubernetesAnswers = defineTarget({
  name: 'kubernetes-answers',
  prepare: async () => ({
    inputs: fc.tuple(
      fc.nat(1000),
      fc.array(fc.oneof(anyJson(keys), fc.record({ items: fc.array(anyJson(keys), { maxLength: 3 }) })), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
    read: ([which, answers]) => {
      const clock = hourlyClock()
      const transport = serverThatSays(answers)
      const objects = createObjectCalls(transport, createResourcePaths(transport, clock))
      const questions: (() => unknown)[] = [
        async () => (await objects.list(nodeKind, undefined, {}, signal)).map(nodeInfoOf),
        () => objects.find(nodeKind, undefined, 'dev-cp-1', signal),
        () => cordonNode(objects, 'dev-cp-1', signal),
        () => uncordonNode({ objects, clock }, 'dev-cp-1', { timeoutMs: 1000 }, signal),
        () => setNodeLabels(objects, 'dev-cp-1', { a: 'b', c: null }, signal),
        () => setNodeTaints(objects, 'dev-cp-1', [], signal),
        () => pendingCsrs(objects, signal),
        () => drainNode({ objects, transport, clock }, 'dev-cp-1', { timeoutMs: 1000 }, signal),
        () => errorFromStatus({ verb: 'get', object: 'Node', where: 'GET /' }, 500, answers[0]),
      ]
      return questions[which % questions.length]?.()
    },
  }),
})
