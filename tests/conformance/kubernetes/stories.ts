import { installObjects } from '../../../src/addons/install-objects.js'
import { resolveAddons } from '../../../src/addons/resolve-addons.js'
import { approveKubeletCsrs } from '../../../src/kubernetes/approve-kubelet-csrs.js'
import { KubernetesError } from '../../../src/kubernetes/kubernetes-error.js'
import type { KubernetesObject } from '../../../src/kubernetes/port.js'
import { addonsSchema } from '../../support/addons-schema.js'
import { create, patchStatus, type Subject, signal, until } from './subject.js'

/** A story is asked to both; what it returns must be the same, and must hold. */
export interface Story {
  readonly title: string
  readonly tell: (subject: Subject) => Promise<unknown>
  readonly expect?: unknown
}

const ours = { fieldManager: 'ichor', force: true }
const theirs = { fieldManager: 'somebody', force: false }
const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' }

function deployment(name: string, replicas: number, env: readonly { name: string; value: string }[]): KubernetesObject {
  const labels = { app: name }
  return {
    ...deployments,
    metadata: { name, namespace: 'default', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80 }], env }],
          tolerations: [{ key: 'a', operator: 'Exists' }],
        },
      },
    },
  }
}

const service: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
}

const configMap = (data: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  data,
})

function fieldsOf(object: KubernetesObject | undefined, manager: string): unknown {
  const { managedFields = [] } = (object?.metadata ?? {}) as {
    managedFields?: readonly { manager: string; operation: string; fieldsV1: unknown }[]
  }
  return managedFields.find((entry) => entry.manager === manager && entry.operation === 'Apply')?.fieldsV1
}

async function failureOf(
  run: () => Promise<unknown>,
): Promise<{ status: number | undefined; reason: string; message: string }> {
  try {
    await run()
  } catch (error) {
    if (error instanceof KubernetesError) return { status: error.status, reason: error.reason, message: error.message }
    throw error
  }
  throw new Error('it succeeded')
}

const findDeployment = (subject: Subject, name: string) => subject.api.find(deployments, 'default', name, signal)

const applyStories: readonly Story[] = [
  {
    title: 'server-side apply of a Deployment gives the same fields to its manager',
    tell: async (subject) => {
      await subject.api.apply(
        [
          deployment('web', 2, [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ]),
        ],
        ours,
        signal,
      )
      return fieldsOf(await findDeployment(subject, 'web'), 'ichor')
    },
  },
  {
    title: 'and of a Service and a ConfigMap',
    tell: async (subject) => {
      await subject.api.apply([service, configMap({ a: '1', b: '2' })], ours, signal)
      const found = [
        await subject.api.find({ apiVersion: 'v1', kind: 'Service' }, 'default', 'web', signal),
        await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'settings', signal),
      ]
      return found.map((object) => fieldsOf(object, 'ichor'))
    },
  },
  {
    title: 'the same apply again changes nothing',
    tell: async (subject) => {
      const before = await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'settings', signal)
      await subject.api.apply([configMap({ a: '1', b: '2' })], ours, signal)
      const after = await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'settings', signal)
      return before?.metadata.resourceVersion === after?.metadata.resourceVersion
    },
    expect: true,
  },
  {
    title: 'a key that is no longer applied goes',
    tell: async (subject) => {
      await subject.api.apply([configMap({ a: '1' })], ours, signal)
      return (await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'settings', signal))?.data
    },
    expect: { a: '1' },
  },
  {
    title: 'an item of a keyed list that is no longer applied goes',
    tell: async (subject) => {
      await subject.api.apply([deployment('web', 2, [{ name: 'A', value: '1' }])], ours, signal)
      const found = (await findDeployment(subject, 'web'))?.spec as {
        template: { spec: { containers: { env?: unknown }[] } }
      }
      return found.template.spec.containers[0]?.env
    },
    expect: [{ name: 'A', value: '1' }],
  },
  {
    title: 'somebody else meets a conflict on what we own',
    tell: (subject) =>
      failureOf(() => subject.api.apply([deployment('web', 5, [{ name: 'A', value: '1' }])], theirs, signal)),
  },
  {
    title: 'somebody else may apply the same values, and then shares them',
    tell: async (subject) => {
      await subject.api.apply([configMap({ a: '1' })], theirs, signal)
      return fieldsOf(
        await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'settings', signal),
        'somebody',
      )
    },
  },
  {
    title: 'a forced apply takes fields over',
    tell: async (subject) => {
      await subject.api.apply([configMap({ a: '9' })], { ...theirs, force: true }, signal)
      const found = await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'settings', signal)
      return { data: found?.data, ours: fieldsOf(found, 'ichor'), theirs: fieldsOf(found, 'somebody') }
    },
  },
  {
    title: 'apply into a namespace that does not exist',
    tell: (subject) =>
      failureOf(() =>
        subject.api.apply([{ ...configMap({}), metadata: { name: 'x', namespace: 'nowhere' } }], ours, signal),
      ),
  },
  {
    title: 'a name that is not valid',
    tell: async (subject) => {
      const { status, reason } = await failureOf(() =>
        subject.api.apply([{ ...configMap({}), metadata: { name: 'Not_A_Name', namespace: 'default' } }], ours, signal),
      )
      return { status, reason }
    },
    expect: { status: 422, reason: 'Invalid' },
  },
  {
    title: 'the template of a Job cannot be changed',
    tell: async (subject) => {
      const job = (image: string): KubernetesObject => ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'once', namespace: 'default' },
        spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image }] } } },
      })
      await subject.api.apply([job('one')], ours, signal)
      const { status, reason } = await failureOf(() => subject.api.apply([job('two')], ours, signal))
      return { status, reason }
    },
    expect: { status: 422, reason: 'Invalid' },
  },
]

const everyAddon = { cert_manager: true, metallb: true, metrics_server: true, cilium: true, network_policies: true }

/** What ichor really applies when it installs addons: jobs, accounts, roles, policies, workloads. */
function addonObjects(): KubernetesObject[] {
  const context = {
    clusterName: 'judge',
    kubernetesVersion: 'v1.36.3',
    loadBalancer: ['10.0.10.200-10.0.10.210'],
    controlPlanes: 3,
    workers: 2,
    proxmox: { endpoint: 'https://pve1:8006', insecure: false, region: 'r', datastore: 'd' },
    secrets: {},
  }
  return resolveAddons(addonsSchema.parse(everyAddon), context).flatMap(installObjects)
}

const addonStories: readonly Story[] = [
  {
    title: 'everything that addons apply is taken, and owned alike',
    tell: async ({ api }) => {
      const objects = addonObjects()
      await api.apply(objects, ours, signal)
      const owned = await Promise.all(
        objects.map(async (object) => {
          const { name = '', namespace } = object.metadata
          return [`${object.kind} ${name}`, fieldsOf(await api.find(object, namespace, name, signal), 'ichor')]
        }),
      )
      return Object.fromEntries(owned)
    },
  },
  {
    title: 'and the same again changes none of it',
    tell: async ({ api }) => {
      const objects = addonObjects()
      const generations = () =>
        Promise.all(
          objects.map(async (object) => {
            const { name = '', namespace } = object.metadata
            const found = await api.find(object, namespace, name, signal)
            return (found?.metadata as { generation?: number } | undefined)?.generation
          }),
        )
      const before = await generations()
      await api.apply(objects, ours, signal)
      const after = await generations()
      return before.every((generation, index) => generation === after[index])
    },
    expect: true,
  },
]

const widgetCrd: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

const widgets = { apiVersion: 'example.com/v1', kind: 'Widget' }
const widget = (sizes: readonly number[]): KubernetesObject => ({
  ...widgets,
  metadata: { name: 'one', namespace: 'default' },
  spec: { sizes, colour: 'red' },
})

const customStories: readonly Story[] = [
  {
    title: 'a kind that is not defined is simply not there',
    tell: (subject) => subject.api.find(widgets, 'default', 'one', signal),
    expect: undefined,
  },
  {
    title: 'a definition and its first object are applied in one go',
    tell: async (subject) => {
      await subject.api.apply([widget([1, 2]), widgetCrd], ours, signal)
      const found = await subject.api.find(widgets, 'default', 'one', signal)
      return { spec: found?.spec, fields: fieldsOf(found, 'ichor') }
    },
  },
  {
    title: 'lists of custom resources are replaced as a whole',
    tell: async (subject) => {
      await subject.api.apply([widget([3])], ours, signal)
      return (await subject.api.find(widgets, 'default', 'one', signal))?.spec
    },
    expect: { sizes: [3], colour: 'red' },
  },
  {
    title: 'with the definition its objects go',
    tell: async (subject) => {
      await subject.api.delete(widgetCrd, undefined, 'widgets.example.com', signal)
      await until(
        'the definition is gone',
        async () => (await subject.api.find(widgetCrd, undefined, 'widgets.example.com', signal)) === undefined,
      )
      return subject.api.find(widgetCrd, undefined, 'widgets.example.com', signal)
    },
    expect: undefined,
  },
]

const node = 'wk-1'
const podPath = '/api/v1/namespaces/default/pods'
const budgetPath = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

function pod(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: 'guarded' } },
    spec: { nodeName: node, terminationGracePeriodSeconds: 0, containers: [{ name: 'a', image: 'nginx' }] },
  }
}

const budget: KubernetesObject = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'guarded', namespace: 'default' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
}

const nodeStories: readonly Story[] = [
  {
    title: 'a pod that never ran is evicted whatever its budget says',
    tell: async (subject) => {
      await create(subject, budgetPath, budget)
      await create(subject, podPath, {
        ...pod('waiting'),
        spec: { ...(pod('waiting').spec as object), nodeName: undefined },
      })
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'waiting', namespace: 'default' } }
      await subject.transport.json(
        { method: 'POST', path: `${podPath}/waiting/eviction`, body, verb: 'evict', object: 'Pod waiting' },
        signal,
      )
      await subject.api.delete({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, 'default', 'guarded', signal)
      return subject.api.find({ apiVersion: 'v1', kind: 'Pod' }, 'default', 'waiting', signal)
    },
    expect: undefined,
  },
  {
    title: 'a cordon of ours is lifted, a taint of somebody else stays',
    tell: async ({ api }) => {
      await api.apply(
        [
          {
            apiVersion: 'v1',
            kind: 'Node',
            metadata: { name: node },
            spec: { taints: [{ key: 'theirs', effect: 'NoSchedule' }] },
          },
        ],
        { ...theirs, force: true },
        signal,
      )
      await api.cordon(node, signal)
      const cordoned = (await api.nodes(signal)).find(({ name }) => name === node)?.unschedulable
      await api.uncordon(node, { timeoutMs: 60_000 }, signal)
      await api.setNodeTaints(node, [{ key: 'ours', value: 'x', effect: 'NoSchedule' }], signal)
      await api.setNodeLabels(node, { zone: 'a', gone: null }, signal)
      const found = (await api.nodes(signal)).find(({ name }) => name === node)
      const taints = found?.taints.filter(({ key }) => !key.startsWith('node.kubernetes.io/')).map(({ key }) => key)
      await api.setNodeTaints(node, [], signal)
      return { cordoned, now: found?.unschedulable, taints, zone: found?.labels.zone }
    },
    expect: { cordoned: true, now: false, taints: ['theirs', 'ours'], zone: 'a' },
  },
  {
    title: 'an eviction that a budget forbids is refused, and drain says so',
    tell: async (subject) => {
      await create(subject, budgetPath, budget)
      await create(subject, podPath, pod('guarded-1'))
      await patchStatus(subject, `${podPath}/guarded-1`, {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
      })
      await patchStatus(subject, `${budgetPath}/guarded`, {
        observedGeneration: 1,
        disruptionsAllowed: 0,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      })
      const failure = await failureOf(() => subject.api.drain(node, { timeoutMs: 1_000 }, signal))
      return { reason: failure.reason, words: failure.message.includes("it would violate the pod's disruption budget") }
    },
    expect: { reason: 'DisruptionBudget', words: true },
  },
  {
    title: 'drain ends when the budget lets the pods go',
    tell: async (subject) => {
      await subject.api.delete({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, 'default', 'guarded', signal)
      await subject.api.drain(node, { timeoutMs: 60_000 }, signal)
      const left = await subject.api.list(
        { apiVersion: 'v1', kind: 'Pod' },
        'default',
        { labelSelector: 'app=guarded' },
        signal,
      )
      return left.map(({ metadata }) => metadata.name)
    },
    expect: [],
  },
  {
    title: 'a serving certificate is approved for the right addresses only',
    tell: async ({ api }) => {
      const wrong = await approveKubeletCsrs(api, [{ name: node, addresses: ['10.9.9.9'] }], signal)
      const right = await approveKubeletCsrs(api, [{ name: node, addresses: ['10.0.10.21'] }], signal)
      const pending = await api.pendingCsrs(signal)
      return {
        wrong: wrong.approved.length,
        reasons: wrong.left.map(({ reason }) => reason),
        right: right.approved.length,
        pending: pending.length,
      }
    },
    expect: { wrong: 0, reasons: [`it names 10.0.10.21, which does not belong to ${node}`], right: 1, pending: 0 },
  },
  {
    title: 'what is deleted twice is gone once',
    tell: async ({ api }) => {
      await api.delete(deployments, 'default', 'web', signal)
      await api.delete(deployments, 'default', 'web', signal)
      await api.deleteNode('nobody', signal)
      return api.find(deployments, 'default', 'web', signal)
    },
    expect: undefined,
  },
]

export const stories: readonly Story[] = [...applyStories, ...customStories, ...nodeStories, ...addonStories]
