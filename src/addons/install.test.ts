import { describe, expect, onTestFinished, test } from 'vitest'
import { installAll, plan, signal, startLab } from '../../tests/support/addon-lab.js'
import { approveKubeletCsrs } from '../kubernetes/approve-kubelet-csrs.js'
import { startTestCluster } from '../simulator/kubernetes/testing.js'
import { addonProblems } from './check-addon.js'
import { inlineManifestOf } from './install-objects.js'
import { changeOf, observeAddons, readInstalledAddons } from './installed-addons.js'

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
    // Nodes that register only now get their pods of a DaemonSet afterwards.
    const problems = async () =>
      (await Promise.all(planned.map(({ checks }) => addonProblems(lab.api, checks, signal)))).flat()
    await expect.poll(problems, { timeout: 20_000 }).toEqual([])
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
  onTestFinished(() => cluster.close())
  const kubelet = cluster.addNode({ nodeName: 'cp-1', role: 'controlplane' })
  for (let tries = 0; tries < 300 && !kubelet.isNodeReady; tries++) await cluster.clock.sleep(1_000)
  expect(kubelet.isNodeReady).toBe(true)
})

test('the state of installed addons is reported without the inventory', async () => {
  const planned = plan({ cert_manager: true })
  const lab = await startLab(planned)
  await installAll(lab, planned)
  const version = planned[0]?.version
  const {
    addons: [before],
  } = await observeAddons(lab.api, signal)
  expect(before).toMatchObject({ name: 'cert_manager', version, spec: planned[0]?.hash, healthy: true })
  expect([before?.reason, before?.missing]).toEqual([undefined, undefined])
  await lab.api.delete({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'cert-manager', 'cert-manager-webhook', signal)
  expect((await observeAddons(lab.api, signal)).addons).toMatchObject([
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
