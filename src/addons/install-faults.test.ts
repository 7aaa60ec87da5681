import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installAll, plan, signal, startLab } from '../../tests/support/addon-lab.js'
import type { KubernetesApi } from '../kubernetes/port.js'
import type { FaultAction } from '../simulator/core/faults.js'
import { workload } from '../simulator/kubernetes/charts/chart.js'
import { addonProblems } from './check-addon.js'

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
