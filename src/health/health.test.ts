import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import type { KubernetesApi, NodeInfo } from '../kubernetes/port.js'
import type { EtcdMember, Service, TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import type { Check, CheckResult, HealthContext } from './check.js'
import { clusterChecks } from './cluster-checks.js'
import { waitFor } from './wait-for.js'

const signal = new AbortController().signal
const facts = {
  machines: [
    { name: 'dev-cp-1', role: 'controlplane', address: '10.0.10.11' },
    { name: 'dev-wk-1', role: 'worker', address: '10.0.10.21' },
  ],
  endpoints: [{ host: '10.0.10.11', port: 6443 }],
  hasCni: true,
} as const

const running = (id: string): Service => ({ id, state: 'Running', healthy: true, message: '' })
const member = (over: Partial<EtcdMember> = {}): EtcdMember => ({
  id: '00000000000000a1',
  hostname: 'dev-cp-1',
  peerUrls: ['https://10.0.10.11:2380'],
  isLearner: false,
  ...over,
})
const node = (name: string, address: string, over: Partial<NodeInfo> = {}): NodeInfo => ({
  name,
  systemUuid: '',
  ready: true,
  unschedulable: false,
  kubeletVersion: 'v1.36.3',
  internalAddresses: [address],
  labels: {},
  taints: [],
  annotations: {},
  ...over,
})
const readyStatus = { conditions: [{ type: 'Ready', status: 'True' }] }

interface Story {
  services?: Service[]
  members?: EtcdMember[]
  alarms?: { member: string; alarm: 'nospace' | 'corrupt' }[]
  nodes?: NodeInfo[]
  stage?: string
  memory?: number
  diagnostics?: { id: string; version: string; spec: unknown }[]
  volumes?: { id: string; version: string; spec: unknown }[]
  hasProxy?: boolean
  offline?: string
  /** Number of ready CoreDNS pods, of two. */
  readyDns?: number
  /** Static pods that do not run. */
  missingPods?: string[]
  /** Why the API server cannot read Secrets. */
  unreadable?: string
}

function worldOf(story: Story): Pick<World, 'talos' | 'kubernetes'> {
  const talosNode = (machine: string) => {
    const answer = async <T>(value: T) => {
      if (story.offline === machine) throw new Error('connection refused')
      return value
    }
    const staticPods = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => ({
      id: `kube-system/${name}-${machine}`,
      version: '1',
      spec: story.missingPods?.includes(name) ? {} : readyStatus,
    }))
    return fake<TalosNode>({
      version: () => answer({ tag: 'v1.13.9', platform: 'nocloud', mode: 'cloud', arch: 'amd64' }),
      memory: () => answer(story.memory ?? 4 * 1024 ** 3),
      services: () => answer(story.services ?? [running('etcd'), running('kubelet')]),
      etcd: { members: () => answer(story.members ?? [member()]), alarms: () => answer(story.alarms ?? []) },
      resources: {
        machineStatus: () => answer({ stage: story.stage ?? 'running', ready: true, unmet: [] }),
        find: () => answer({ id: 'EPHEMERAL', version: '1', spec: { phase: 'ready', size: 8 * 1024 ** 3 } }),
        list: (type: string) => {
          if (type.startsWith('StaticPod')) return answer(staticPods)
          return answer((type.startsWith('VolumeStatus') ? story.volumes : story.diagnostics) ?? [])
        },
      },
    })
  }
  const api = fake<KubernetesApi>({
    version: async () => 'v1.36.3',
    findSecretsProblem: async () => story.unreadable,
    nodes: async () => story.nodes ?? [node('dev-cp-1', '10.0.10.11'), node('dev-wk-1', '10.0.10.21')],
    list: async () =>
      ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { labels: { 'k8s-app': name } },
        status: readyStatus,
      })),
    find: async (kind) => {
      const object = { ...kind, metadata: {} }
      if (kind.kind === 'Deployment')
        return { ...object, spec: { replicas: 2 }, status: { readyReplicas: story.readyDns ?? 2 } }
      return story.hasProxy === false ? undefined : { ...object, status: { desiredNumberScheduled: 2, numberReady: 2 } }
    },
  })
  return {
    talos: { node: ({ machine }) => talosNode(machine) } as World['talos'],
    kubernetes: fake<World['kubernetes']>({ at: () => api }),
  }
}

const refused = (thrown: Error): CheckResult => ({ ok: false, reason: thrown.message })

const reportOf = async (checks: readonly Check[], context: HealthContext) => {
  const asked = await Promise.all(
    checks.map(async (check) => ({ name: check.name, result: await check.run(context).catch(refused) })),
  )
  return { healthy: asked.every(({ result }) => !('ok' in result) || result.ok), checks: asked }
}

const problemsOf = async (story: Story, over: Partial<typeof facts> = {}) => {
  const report = await reportOf(clusterChecks({ ...facts, ...over }), { world: worldOf(story), signal })
  const failed = report.checks.flatMap(({ name, result }) =>
    'ok' in result && !result.ok ? [`${name} (${result.reason})`] : [],
  )
  expect(report.healthy).toBe(failed.length === 0)
  return failed
}

test('the list of checks can be read aloud', () => {
  expect(clusterChecks(facts).map(({ name }) => name)).toEqual([
    'dev-cp-1: the Talos API to answer',
    'dev-wk-1: the Talos API to answer',
    'etcd members to be the control planes',
    'dev-cp-1: etcd to be healthy',
    'etcd members to be the same on every control plane',
    'dev-cp-1: no alarm in etcd',
    'dev-cp-1: memory enough for Talos',
    'dev-wk-1: memory enough for Talos',
    'dev-cp-1: free space for pods and images',
    'dev-wk-1: free space for pods and images',
    'dev-cp-1: its volumes to be ready',
    'dev-wk-1: its volumes to be ready',
    'dev-cp-1: no complaints of the node itself',
    'dev-wk-1: no complaints of the node itself',
    'dev-cp-1: kubelet to be healthy',
    'dev-wk-1: kubelet to be healthy',
    'dev-cp-1: the boot to be finished',
    'dev-wk-1: the boot to be finished',
    'the Kubernetes API to answer',
    'all nodes to report to Kubernetes',
    'dev-cp-1: the static pods to run',
    'the control plane to be ready in Kubernetes',
    'dev-cp-1: every Secret to be readable',
    'all nodes to be Ready',
    'kube-proxy to be ready',
    'CoreDNS to be ready',
    'all nodes schedulable',
  ])
})

test('a healthy cluster has nothing to complain about, with or without kube-proxy', async () => {
  expect(await problemsOf({})).toEqual([])
  expect(await problemsOf({ hasProxy: false })).toEqual([])
})

test.each<{ what: string; story: Story; says: string }>([
  {
    what: 'a volume without a disk',
    story: {
      volumes: [
        { id: 'EPHEMERAL', version: '1', spec: { phase: 'ready' } },
        { id: 'u-data', version: '1', spec: { phase: 'failed', errorMessage: 'no disks matched selector for volume' } },
      ],
    },
    says: 'dev-wk-1: its volumes to be ready (the volume data is failed: no disks matched selector for volume)',
  },
  {
    what: 'etcd that still prepares',
    story: { services: [{ id: 'etcd', state: 'Preparing', message: 'pulling image' }, running('kubelet')] },
    says: 'dev-cp-1: etcd to be healthy (it is in state Preparing: pulling image)',
  },
  {
    what: 'a learner',
    story: { members: [member({ isLearner: true })] },
    says: 'etcd members to be the control planes (dev-cp-1 is still learning)',
  },
  {
    what: 'a member of a machine that is gone',
    story: {
      members: [member(), member({ id: '00000000000000b2', hostname: 'old', peerUrls: ['https://10.0.10.99:2380'] })],
    },
    says: 'etcd members to be the control planes (member 00000000000000b2 (old) is no control plane of the inventory)',
  },
  {
    what: 'a control plane that is no member',
    story: { members: [] },
    says: 'etcd members to be the control planes (1 of 1 control planes are not members yet)',
  },
  {
    what: 'a kubelet that runs and is not well',
    story: { services: [running('etcd'), { ...running('kubelet'), healthy: false, message: 'no answer' }] },
    says: 'dev-wk-1: kubelet to be healthy (it is not healthy: no answer)',
  },
  {
    what: 'a node that is NotReady',
    story: { nodes: [node('dev-cp-1', '10.0.10.11'), node('dev-wk-1', '10.0.10.21', { ready: false })] },
    says: 'all nodes to be Ready (dev-wk-1 is not Ready)',
  },
  {
    what: 'Secrets that were encrypted with another key',
    story: { unreadable: 'Could not decrypt Secret objects' },
    says: 'dev-cp-1: every Secret to be readable (Could not decrypt Secret objects)',
  },
  {
    what: 'one CoreDNS of two',
    story: { readyDns: 1 },
    says: 'CoreDNS to be ready (1 of 2 CoreDNS pods are ready)',
  },
  {
    what: 'a scheduler that does not run',
    story: { missingPods: ['kube-scheduler'] },
    says: 'dev-cp-1: the static pods to run (kube-scheduler does not run)',
  },
  {
    what: 'a full etcd',
    story: { alarms: [{ member: '00000000000000a1', alarm: 'nospace' }] },
    says: 'dev-cp-1: no alarm in etcd (member 00000000000000a1 has no space left)',
  },
  {
    what: 'a node that never joined',
    story: { nodes: [node('dev-cp-1', '10.0.10.11'), node('other', '10.9.9.9')] },
    says: 'all nodes to report to Kubernetes (dev-wk-1 is not there)',
  },
  {
    what: 'a cordoned node',
    story: { nodes: [node('dev-cp-1', '10.0.10.11'), node('dev-wk-1', '10.0.10.21', { unschedulable: true })] },
    says: 'all nodes schedulable (dev-wk-1 is cordoned)',
  },
  {
    what: 'a control plane with too little memory',
    story: { memory: 1.5 * 1024 ** 3 },
    says: 'dev-cp-1: memory enough for Talos (only 1.5 GiB, 1.7 GiB are needed)',
  },
  {
    what: 'a complaint of the node',
    story: {
      diagnostics: [{ id: 'address-overlap', version: '1', spec: { message: 'pod and host networks overlap' } }],
    },
    says: 'dev-cp-1: no complaints of the node itself (pod and host networks overlap)',
  },
  {
    what: 'a machine that does not answer',
    story: { offline: 'dev-wk-1' },
    says: 'dev-wk-1: the Talos API to answer (connection refused)',
  },
])('$what is reported', async ({ story, says }) => {
  expect(await problemsOf(story)).toContain(says)
})

test('control planes that see other members than their peers are reported', async () => {
  const second = { name: 'dev-cp-2', role: 'controlplane', address: '10.0.10.12' } as const
  const machines = [facts.machines[0], second]
  const { talos, ...world } = worldOf({})
  const split = (machine: string) => ({
    ...talos.node({ machine, address: '' }),
    etcd: { members: async () => [member({ id: machine })], alarms: async () => [] },
  })
  const context = { world: { ...world, talos: { node: ({ machine }: { machine: string }) => split(machine) } }, signal }
  const { checks } = await reportOf(clusterChecks({ ...facts, machines }), context as never)
  const reported = checks.find(({ name }) => name === 'etcd members to be the same on every control plane')
  expect(reported?.result).toMatchObject({
    ok: false,
    reason: 'dev-cp-2 sees dev-cp-1/dev-cp-2, dev-cp-1 dev-cp-1/dev-cp-1',
  })
})

test('without a network addon nodes need not be Ready', async () => {
  const nodes = [node('dev-cp-1', '10.0.10.11', { ready: false }), node('dev-wk-1', '10.0.10.21', { ready: false })]
  expect(await problemsOf({ nodes }, { hasCni: false } as never)).toEqual([])
})

function waitingWorld() {
  let now = 0
  const clock = {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  return { ...worldOf({}), clock }
}

test('a wait reports its goal, duration and last reason', async () => {
  const answers = [new Error('connection refused'), { ok: false, reason: 'it is in state Preparing' }, { ok: true }]
  const check: Check = {
    name: 'dev-cp-1: etcd to be healthy',
    run: async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer as { ok: true }
    },
  }
  const heard: string[] = []
  const waiting = {
    world: waitingWorld(),
    timeoutMs: 60_000,
    intervalMs: 6000,
    onWait: (text: string) => heard.push(text),
  }
  expect(await waitFor(check, waiting, signal)).toEqual({ ok: true })
  expect(heard).toEqual([
    'dev-cp-1: etcd to be healthy (0 s, last: connection refused)',
    'dev-cp-1: etcd to be healthy (6 s, last: it is in state Preparing)',
  ])
})

test('it gives up in time, with the last reason', async () => {
  const check: Check = {
    name: 'all nodes to be Ready',
    run: async () => ({ ok: false, reason: 'dev-wk-1 is not Ready' }),
  }
  const giveUp = waitFor(check, { world: waitingWorld(), timeoutMs: 20_000 }, signal)
  await expect(giveUp).rejects.toThrow(
    'Waited without success for all nodes to be Ready (20 s, last: dev-wk-1 is not Ready).',
  )
})

test('what does not apply is not waited for, and an abort ends the wait', async () => {
  const skipped: Check = { name: 'x', run: async () => ({ skipped: 'there is none' }) }
  expect(await waitFor(skipped, { world: waitingWorld(), timeoutMs: 1 }, signal)).toEqual({ skipped: 'there is none' })
  const never: Check = { name: 'x', run: async () => ({ ok: false, reason: 'no' }) }
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(waitFor(never, { world: waitingWorld(), timeoutMs: 1e9 }, stopped)).rejects.toThrow('stopped')
})
