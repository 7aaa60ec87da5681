import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { approveKubeletCsrs } from '../kubernetes/approve-kubelet-csrs.js'
import { connectKubernetes } from '../kubernetes/connect.js'
import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import { createDirectDialer } from '../reach/direct.js'
import type { FaultAction } from '../simulator/faults.js'
import { workload } from '../simulator/kubernetes/charts/chart.js'
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../simulator/kubernetes/testing.js'
import type { Clock } from '../world.js'
import type { AddonContext } from './addon.js'
import { addonProblems } from './check-addon.js'
import { helmImage, helmJobObjects } from './helm-job.js'
import { installAddon, removeAddon } from './install.js'
import { findHelmJob, inlineManifestOf } from './install-objects.js'
import { changeOf, observeAddons, readInstalledAddons } from './installed-addons.js'
import { combineMachineNeeds, type PlannedAddon } from './planned-addon.js'
import { type AddonsSettings, resolveAddons } from './resolve-addons.js'
import { addonsSchema } from './schema.js'
import { readRecord } from './trusted-record.js'

const signal = new AbortController().signal
const clusters: TestCluster[] = []

afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close()
})

const context: AddonContext = {
  clusterName: 'test',
  kubernetesVersion: 'v1.33.3',
  loadBalancer: ['10.0.10.200-10.0.10.220'],
  controlPlanes: 1,
  workers: 2,
  proxmox: { endpoint: 'https://pve1.example.com:8006', insecure: false, region: 'lab', datastore: 'local-lvm' },
  secrets: {
    'proxmox_ccm.token_id': 'test-ccm@pve!ichor',
    'proxmox_ccm.token_secret': 'a',
    'proxmox_csi.token_id': 'test-csi@pve!ichor',
    'proxmox_csi.token_secret': 'b',
    'flux.key': 'key',
    'argocd.key': 'key',
  },
}

function plan(addons: Record<string, unknown>, given: Partial<AddonContext> = {}): PlannedAddon[] {
  return resolveAddons(addonsSchema.parse(addons) as AddonsSettings, { ...context, ...given })
}

interface Lab {
  readonly cluster: TestCluster
  readonly api: KubernetesApi
  readonly clock: Clock
}

/** A cluster whose machines meet the needs of these addons. */
async function startLab(
  planned: readonly PlannedAddon[],
  options: Pick<TestClusterOptions, 'rendersUnknownCharts'> = {},
): Promise<Lab> {
  const needs = combineMachineNeeds(planned)
  const cluster = await startTestCluster({
    speed: 400,
    facts: { cni: needs.cni, kubeProxy: needs.kubeProxy },
    ...options,
  })
  clusters.push(cluster)
  const topology = { 'topology.kubernetes.io/region': 'lab', 'topology.kubernetes.io/zone': 'pve1' }
  const common = {
    rotateServerCertificates: needs.rotateServerCertificates,
    externalCloudProvider: needs.externalCloudProvider,
    extensions: needs.extensions,
    userVolumes: needs.userVolumes,
    labels: needs.topologyLabels ? topology : {},
  }
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
  cluster.addNode({ ...common, nodeName: 'cp-1', role: 'controlplane', addresses: ['10.0.10.11'], taints })
  cluster.addNode({ ...common, nodeName: 'wk-1', addresses: ['10.0.10.21'] })
  cluster.addNode({ ...common, nodeName: 'wk-2', addresses: ['10.0.10.22'] })
  const clock = {
    now: () => cluster.clock.now(),
    monotonic: () => cluster.clock.now(),
    sleep: (ms: number, abort: AbortSignal) => cluster.clock.sleep(ms, abort),
  }
  const credentials = async () => ({ ca: cluster.ca.crt, ...cluster.admin })
  const port = connectKubernetes({ dialer: createDirectDialer(), clock, credentials })
  return { cluster, api: port.at([{ host: cluster.host, port: cluster.port }]), clock }
}

async function installAll({ api, clock }: Lab, planned: readonly PlannedAddon[]): Promise<string[]> {
  const notes: string[] = []
  for (const addon of planned) await installAddon({ api, clock, note: (line) => notes.push(line) }, addon, signal)
  return notes
}

describe('every addon of the catalogue comes up healthy in the lab', () => {
  test.each([
    { addons: { cilium: true } },
    { addons: { cilium: { kube_proxy_replacement: false, hubble: true } } },
    { addons: { flannel: true } },
    { addons: { metallb: true } },
    { addons: { proxmox_ccm: true } },
    { addons: { proxmox_csi: true } },
    { addons: { longhorn: true } },
    { addons: { metrics_server: true } },
    { addons: { traefik: true } },
    { addons: { traefik: { host_ports: [80, 443, 1883, 8883] } } },
    { addons: { ingress_nginx: { host_ports: [80, 443] } } },
    { addons: { cert_manager: true } },
    { addons: { prometheus_crds: true } },
    { addons: { kube_prometheus_stack: true } },
    { addons: { victoria_metrics: true } },
    { addons: { loki: true, proxmox_csi: true } },
    { addons: { vector: { elasticsearch: 'https://logs.example:9200' } } },
    { addons: { flux: { repository: 'ssh://git@git.example.com/fleet.git', path: 'clusters/a', key: 'x' } } },
    { addons: { argocd: { repository: 'https://git.example.com/apps.git', path: 'apps' } } },
    { addons: { cilium: true, network_policies: { namespaces: ['default'] } } },
  ])('$addons', async ({ addons }) => {
    const planned = plan(addons)
    const lab = await startLab(planned)
    await installAll(lab, planned)
    for (const addon of planned) expect(await addonProblems(lab.api, addon.checks, signal)).toEqual([])
    const installed = await readInstalledAddons(lab.api, signal)
    expect(
      planned.map((addon) =>
        changeOf(
          addon,
          installed.find(({ name }) => name === addon.name),
        ),
      ),
    ).not.toContain('update')
  })
})

describe('the examples of the design', () => {
  test.each([
    {
      example: 'production',
      addons: {
        proxmox_ccm: true,
        prometheus_crds: true,
        flux: { repository: 'ssh://git@git.example.com/fleet.git', key: 'k' },
      },
    },
    {
      example: 'fluodata',
      addons: {
        cilium: true,
        longhorn: { replicas: 2 },
        traefik: { host_ports: [80, 443, 1883, 8883] },
        argocd: { repository: 'https://git.example.com/apps.git' },
      },
    },
    {
      example: 'em-infra',
      addons: {
        metrics_server: true,
        traefik: { host_ports: [80, 443] },
        proxmox_csi: { storage_class: 'local-lvm' },
        flux: true,
      },
    },
  ])('$example is useful in the end', async ({ addons }) => {
    const planned = plan(addons)
    const lab = await startLab(planned)
    await installAll(lab, planned)
    const problems = await Promise.all(planned.map((addon) => addonProblems(lab.api, addon.checks, signal)))
    expect(problems.flat()).toEqual([])
  })
})

describe('faults', () => {
  test.each<{
    what: string
    path: string
    method: string
    action: FaultAction
    times?: number
    says: RegExp
    fix: RegExp
  }>([
    {
      what: 'a repository that is down',
      method: 'HELM',
      path: 'cert-manager',
      action: { kind: 'refuse' },
      times: 9,
      says: /connection refused/,
      fix: /mirror for charts/,
    },
    {
      what: 'a chart that fails',
      method: 'HELM',
      path: 'cert-manager',
      action: { kind: 'fail-task', message: 'template: cert-manager: nil pointer' },
      times: 9,
      says: /nil pointer/,
      fix: /addons\.cert_manager\.values/,
    },
    {
      what: 'an image that cannot be pulled',
      method: 'PULL',
      path: 'alpine/helm',
      action: { kind: 'refuse' },
      times: 99,
      says: /Back-off pulling image/,
      fix: /mirror for images/,
    },
    {
      what: 'a webhook that refuses',
      method: 'ADMIT',
      path: '/deployments/cert-manager/',
      action: { kind: 'status', status: 500, message: 'no endpoints available' },
      times: 9,
      says: /failed calling webhook/,
      fix: /webhook/,
    },
  ])(
    '$what: the error names the addon, what helm said and the way on; the next run resumes',
    async ({ method, path, action, times, says, fix }) => {
      const planned = plan({ cert_manager: true })
      const lab = await startLab(planned)
      const rule = lab.cluster.faults.add({ match: { surface: 'kubernetes', method, path }, action, times: times ?? 1 })
      const failure = await installAll(lab, planned).catch((error: unknown) => error)
      expect(failure).toMatchObject({
        name: 'AddonFailed',
        exitCode: 1,
        message: expect.stringMatching(says),
        where: expect.stringContaining('addons.cert_manager'),
        fix: expect.stringMatching(fix),
      })
      expect(await adminBindings(lab.api)).toEqual([])
      lab.cluster.faults.remove(rule)
      await installAll(lab, planned)
      expect(await addonProblems(lab.api, planned[0]?.checks ?? [], signal)).toEqual([])
    },
  )

  test('a workload whose image cannot be pulled: the error has the reason from the cluster', async () => {
    const planned = plan({ cert_manager: true })
    const lab = await startLab(planned)
    lab.cluster.faults.add({
      match: { method: 'PULL', path: 'cert-manager-webhook' },
      action: { kind: 'refuse' },
      times: 999,
    })
    const failure = await installAll(lab, planned).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/cert-manager-webhook: 0 of 1 pods are ready.*Failed to pull image/),
      fix: expect.stringContaining('namespace cert-manager'),
    })
  })

  test('a chart that the lab does not know fails and names itself', async () => {
    const custom = { name: 'shop', chart: { repository: 'https://charts.example.com', name: 'shop', version: '1.0.0' } }
    const planned = plan({ custom: [custom] })
    const lab = await startLab(planned)
    await expect(installAll(lab, planned)).rejects.toThrow('chart "shop" is not known in this lab')
  })

  test('a chart that the lab does not know is rendered by the helm of this computer, where the lab may', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ichor-helm-'))
    const path = process.env.PATH
    try {
      const deployment = workload('Deployment', 'shop', 'shop')
      await writeFile(join(folder, 'helm'), `#!/bin/sh\ncat <<'END'\n${JSON.stringify(deployment)}\nEND\n`, {
        mode: 0o755,
      })
      process.env.PATH = `${folder}:${path}`
      const chart = { repository: 'https://charts.example.com', name: 'shop', version: '1.0.0' }
      const planned = plan({ custom: [{ name: 'shop', namespace: 'shop', chart }] })
      const lab = await startLab(planned, { rendersUnknownCharts: true })
      await installAll(lab, planned)
      const found = await lab.api.find({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'shop', 'shop', signal)
      expect(found?.status).toMatchObject({ readyReplicas: 1 })
    } finally {
      process.env.PATH = path
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('a helm operation that was cut off does not block the next one', async () => {
    const planned = plan({ cert_manager: true })
    const lab = await startLab(planned)
    await lab.api.apply(
      [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cert-manager' } },
        {
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'helm.sh/release.v1',
          metadata: {
            name: 'sh.helm.release.v1.cert-manager.v1',
            namespace: 'cert-manager',
            labels: { owner: 'helm', name: 'cert-manager', status: 'pending-install', version: '1' },
          },
        },
      ],
      { fieldManager: 'helm', force: true },
      signal,
    )
    await installAll(lab, planned)
    expect(await addonProblems(lab.api, planned[0]?.checks ?? [], signal)).toEqual([])
  })
})

async function adminBindings(api: KubernetesApi): Promise<string[]> {
  const bindings = await api.list(
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' },
    undefined,
    {},
    signal,
  )
  return bindings.flatMap(({ metadata }) => (metadata.name?.startsWith('ichor-helm') ? [metadata.name] : []))
}

test('cluster-admin and values are gone when the job has ended', async () => {
  const planned = plan({ cert_manager: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  expect(await adminBindings(lab.api)).toEqual([])
  const secrets = await lab.api.list({ apiVersion: 'v1', kind: 'Secret' }, 'kube-system', {}, signal)
  expect(secrets.filter(({ metadata }) => metadata.name?.startsWith('ichor-helm'))).toEqual([])
})

describe('in the lab a helm job that would not work on a fresh cluster fails', () => {
  type Spec = Record<string, unknown> & { containers: Record<string, unknown>[] }
  const edits: { lacks: string; edit: (spec: Spec) => Spec; says: RegExp }[] = [
    { lacks: 'the host network', edit: (spec) => ({ ...spec, hostNetwork: false }), says: /host network/ },
    { lacks: 'dnsPolicy Default', edit: (spec) => ({ ...spec, dnsPolicy: 'ClusterFirst' }), says: /dnsPolicy/ },
    {
      lacks: 'KubePrism',
      edit: (spec) => ({ ...spec, containers: spec.containers.map((one) => ({ ...one, env: [] })) }),
      says: /KubePrism/,
    },
    {
      lacks: 'an image by digest',
      edit: (spec) => ({
        ...spec,
        containers: spec.containers.map((one) => ({ ...one, image: 'docker.io/alpine/helm:3.19.0' })),
      }),
      says: /digest/,
    },
    {
      lacks: 'its values in a Secret',
      edit: (spec) => ({
        ...spec,
        volumes: [
          { name: 'values', configMap: { name: 'x' } },
          { name: 'home', emptyDir: {} },
          { name: 'tmp', emptyDir: {} },
        ],
      }),
      says: /Secret/,
    },
    { lacks: 'cluster-admin', edit: (spec) => ({ ...spec, serviceAccountName: 'default' }), says: /forbidden/ },
    {
      lacks: 'a toleration',
      edit: (spec) => ({
        ...spec,
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
          { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
        ],
      }),
      says: /uninitialized/,
    },
  ]
  test.each(edits)('without $lacks', async ({ edit, says }) => {
    const [addon] = plan({ cert_manager: true })
    const job = addon === undefined ? undefined : findHelmJob(addon)
    if (job === undefined) throw new Error('cert-manager is a chart')
    const lab = await startLab([])
    const objects = helmJobObjects(job).map((object) => (object.kind === 'Job' ? withPodSpec(object, edit) : object))
    await lab.api.apply(objects, { fieldManager: 'test', force: true }, signal)
    const log = await firstLog(lab)
    expect(log).toMatch(says)
  })

  function withPodSpec(job: KubernetesObject, edit: (spec: Spec) => Spec): KubernetesObject {
    const spec = job.spec as { template: { spec: Spec } }
    return { ...job, spec: { ...spec, template: { ...spec.template, spec: edit(spec.template.spec) } } }
  }

  async function firstLog({ api, clock }: Lab): Promise<string> {
    for (let tries = 0; tries < 300; tries++) {
      const pods = await api.list(
        { apiVersion: 'v1', kind: 'Pod' },
        'kube-system',
        { labelSelector: 'ichor.dev/addon=cert_manager' },
        signal,
      )
      const failed = pods.find((pod) => (pod.status as { phase?: string }).phase === 'Failed')
      if (failed !== undefined) return api.podLogs('kube-system', failed.metadata.name ?? '', {}, signal)
      await clock.sleep(1_000, signal)
    }
    throw new Error('no pod failed')
  }
})

test('removing an addon takes its release, its objects and its record away', async () => {
  const planned = plan({ metallb: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const installed = await readInstalledAddons(lab.api, signal)
  expect(installed.map(({ name }) => name)).toEqual(['metallb'])
  for (const addon of installed) await removeAddon({ ...lab, note: () => {} }, addon, helmImage(undefined), signal)
  expect(await readInstalledAddons(lab.api, signal)).toEqual([])
  expect(
    await lab.api.find({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'metallb-system', 'metallb-controller', signal),
  ).toBeUndefined()
})

test('an edited record deletes nothing of others, and does not hide data loss', async () => {
  const planned = plan({ metallb: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap' }
  const foreign = { ...configMap, metadata: { name: 'payroll', namespace: 'default' }, data: { a: 'b' } }
  await lab.api.apply([foreign], { fieldManager: 'somebody', force: true }, signal)
  const [record] = await readInstalledAddons(lab.api, signal)
  if (record === undefined) throw new Error('there is one')
  const edit = { ...record, objects: [{ ...configMap, namespace: 'default', name: 'payroll' }, ...record.objects] }
  const notes: string[] = []
  const tools = { ...lab, note: (text: string) => void notes.push(text) }
  await removeAddon(tools, edit, helmImage(undefined), signal)
  expect(await lab.api.find(configMap, 'default', 'payroll', signal)).toBeDefined()
  expect(notes).toContain('ConfigMap payroll was not applied by ichor and is not deleted')

  await expect(removeAddon(tools, { ...record, namespace: 'prod' }, helmImage(undefined), signal)).rejects.toThrow(
    'is not what ichor installs',
  )
  expect(readRecord(JSON.stringify({ ...record, name: 'longhorn', holdsData: false }))?.holdsData).toBe(true)
  expect(readRecord(JSON.stringify({ ...record, name: 'somebodys', holdsData: false }))?.holdsData).toBe(true)
  expect(readRecord('{')).toBeUndefined()
})

test('a namespace that is closed and not there yet is made, and stays when the addon goes', async () => {
  const planned = plan({ cilium: true, network_policies: { namespaces: ['shop'] } })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const namespace = () => lab.api.find({ apiVersion: 'v1', kind: 'Namespace' }, undefined, 'shop', signal)
  expect(await namespace()).toBeDefined()
  const record = (await readInstalledAddons(lab.api, signal)).find(({ name }) => name === 'network_policies')
  if (record === undefined) throw new Error('nothing was written down')
  const tools = { ...lab, note: () => {} }
  await removeAddon(tools, record, helmImage(undefined), signal)
  expect(await namespace()).toBeDefined()
})

test('changes in the inventory are installed, and removed parts are pruned', async () => {
  const first = plan({ cilium: true, network_policies: { namespaces: ['default', 'kube-public'] } })
  const lab = await startLab(first)
  await installAll(lab, first)
  const second = plan({ cilium: true, network_policies: { namespaces: ['default'] } })
  const installed = await readInstalledAddons(lab.api, signal)
  const changes = second.map((addon) =>
    changeOf(
      addon,
      installed.find(({ name }) => name === addon.name),
    ),
  )
  expect(changes).toEqual(['none', 'update'])
  await installAll(lab, second)
  expect(
    await lab.api.list({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }, 'kube-public', {}, signal),
  ).toEqual([])
})

test('job logs need approved kubelet certificates, as on a real cluster', async () => {
  const planned = plan({ metrics_server: true })
  const lab = await startLab(planned)
  lab.cluster.faults.add({ match: { method: 'HELM' }, action: { kind: 'refuse' }, times: 99 })
  const metrics = planned.filter(({ name }) => name === 'metrics_server')
  const unreadable = await installAll(lab, metrics).catch((error: unknown) => error)
  expect(String(unreadable)).toContain('tls: internal error')
  await approveKubeletCsrs(
    lab.api,
    [
      { name: 'cp-1', addresses: ['10.0.10.11'] },
      { name: 'wk-1', addresses: ['10.0.10.21'] },
      { name: 'wk-2', addresses: ['10.0.10.22'] },
    ],
    signal,
  )
  const readable = await installAll(lab, metrics).catch((error: unknown) => error)
  expect(String(readable)).toContain('connection refused')
})

test('delivered as inline manifests, Cilium makes the nodes Ready without an API call of ichor', async () => {
  const planned = plan({ cilium: { delivery: 'inline' } })
  const cluster = await startTestCluster({
    speed: 400,
    facts: { cni: 'none', kubeProxy: false, inlineManifests: planned.map(inlineManifestOf) },
  })
  clusters.push(cluster)
  const kubelet = cluster.addNode({ nodeName: 'cp-1', role: 'controlplane' })
  for (let tries = 0; tries < 300 && !kubelet.isNodeReady; tries++) await cluster.clock.sleep(1_000)
  expect(kubelet.isNodeReady).toBe(true)
})

test('the state of installed addons is reported without the inventory', async () => {
  const planned = plan({ cert_manager: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const version = planned[0]?.version
  const [before] = await observeAddons(lab.api, signal)
  expect(before).toMatchObject({ name: 'cert_manager', version, spec: planned[0]?.hash, healthy: true })
  expect([before?.reason, before?.missing]).toEqual([undefined, undefined])
  await lab.api.delete({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'cert-manager', 'cert-manager-webhook', signal)
  expect(await observeAddons(lab.api, signal)).toMatchObject([
    {
      healthy: false,
      reason: 'Deployment cert-manager/cert-manager-webhook does not exist',
      missing: 'Deployment cert-manager/cert-manager-webhook does not exist',
    },
  ])
})

test('a part that was deleted by hand is restored, unless GitOps manages it', async () => {
  const planned = plan({ cert_manager: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  await lab.api.delete({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'cert-manager', 'cert-manager-webhook', signal)
  const [addon] = planned
  const [installed] = await readInstalledAddons(lab.api, signal)
  if (addon === undefined) throw new Error('there is one')
  const problems = await addonProblems(lab.api, addon.checks, signal)
  expect(changeOf(addon, installed, problems)).toBe('update')
  expect(changeOf({ ...addon, managedBy: 'gitops' }, installed, problems)).toBe('none')
  await installAll(lab, planned)
  expect(await addonProblems(lab.api, addon.checks, signal)).toEqual([])
})
