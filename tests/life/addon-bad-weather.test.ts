import { afterEach, describe, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import type { FaultAction } from '../../src/simulator/index.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

async function aStageWith(addons: string): Promise<Stage> {
  const extra = `addons:\n${addons}`
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1, extra }) } })
  return stage
}

async function apiOf(lab: Stage) {
  const { world } = await lab.connect()
  const { observed } = await lab.plan()
  return world.kubernetes.at([{ host: observed.machines[0]?.address ?? '', port: 6443 }])
}

interface Weather {
  readonly what: string
  readonly match: { readonly method: string; readonly path: string }
  readonly action: FaultAction
  readonly says: RegExp
  readonly fix: RegExp
}

const weathers: readonly Weather[] = [
  {
    what: 'a repository that is down',
    match: { method: 'HELM', path: '/cert-manager$' },
    action: { kind: 'refuse' },
    says: /connection refused/,
    fix: /reach the chart repository/,
  },
  {
    what: 'a chart that fails',
    match: { method: 'HELM', path: '/cert-manager$' },
    action: { kind: 'fail-task', message: 'template: cert-manager: nil pointer' },
    says: /nil pointer/,
    fix: /addons\.cert_manager\.values/,
  },
  {
    what: 'a helm that cannot be pulled',
    match: { method: 'PULL', path: 'alpine/helm' },
    action: { kind: 'refuse' },
    says: /pulling image/,
    fix: /mirror for images/,
  },
  {
    what: 'an image of the chart that cannot be pulled',
    match: { method: 'PULL', path: 'cert-manager-webhook' },
    action: { kind: 'refuse' },
    says: /cert-manager-webhook: 0 of 1 pods are ready.*Failed to pull image/,
    fix: /namespace cert-manager/,
  },
  {
    what: 'a webhook that refuses',
    match: { method: 'ADMIT', path: '/deployments/cert-manager/' },
    action: { kind: 'status', status: 500, message: 'no endpoints available' },
    says: /failed calling webhook/,
    fix: /webhook/,
  },
]

test.each(weathers)(
  '$what: the error says it, the rest of the cluster is up, and the next up resumes there',
  async ({ match, action, says, fix }) => {
    const lab = await aStageWith(
      '  cert_manager: true\n  custom:\n    - name: note\n      inline: "{apiVersion: v1, kind: ConfigMap, metadata: {name: note}}"\n',
    )
    const rule = lab.lab.faults.add({ match: { surface: 'kubernetes', ...match }, action, times: 9999 })
    await expect(lab.up()).rejects.toMatchObject({
      name: 'StepFailed',
      exitCode: 1,
      message: expect.stringMatching(says),
      where: expect.stringContaining('addons.cert_manager'),
      fix: expect.stringMatching(fix),
    })
    const { plan, observed } = await lab.plan()
    expect(plan.steps.filter(({ changes }) => changes).map(({ args }) => args)).toEqual([{ addon: 'cert_manager' }])
    expect(observed.machines.map(({ node }) => node?.ready)).toEqual([true, true])
    expect(ifSeen(observed.kubernetes)?.addons.map(({ name, healthy }) => [name, healthy])).toEqual([['note', true]])
    lab.lab.faults.remove(rule)
    expect(await lab.up()).toMatchObject({ outcome: 'done' })
    expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })
  },
)

test.each([
  {
    what: 'a chart whose pods never start',
    addon: 'cert_manager',
    yaml: '  cert_manager: true\n',
    left: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'cert-manager', namespace: 'cert-manager' } },
  },
  {
    what: 'manifests of an unknown kind',
    addon: 'widgets',
    yaml: `  custom:
    - name: widgets
      inline: |
        {apiVersion: v1, kind: ConfigMap, metadata: {name: widget-notes, namespace: default}}
        ---
        {apiVersion: example.com/v1, kind: Widget, metadata: {name: one, namespace: default}}
`,
    left: undefined,
  },
])('$what: an addon that failed and is then removed from the inventory is removed', async ({ addon, yaml, left }) => {
  const lab = await aStageWith(yaml)
  const match = { surface: 'kubernetes', method: 'PULL', path: 'cert-manager-webhook' } as const
  lab.lab.faults.add({ match, action: { kind: 'refuse' }, times: 9999 })
  await expect(lab.up()).rejects.toMatchObject({ name: 'StepFailed' })
  const api = await apiOf(lab)
  const find = async () =>
    left && (await api.find(left, left.metadata.namespace, left.metadata.name, AbortSignal.timeout(20_000)))
  if (left !== undefined) expect(await find()).toBeDefined()
  await lab.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 1 }))
  const { plan } = await lab.plan()
  expect(plan.steps.filter(({ changes }) => changes).map(({ kind, args }) => [kind, args])).toEqual([
    ['remove-addon', { addon }],
  ])
  expect(await lab.up()).toMatchObject({ outcome: 'done' })
  expect(await find()).toBeUndefined()
  expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test('a definition that comes late is waited for; one that does not come is named, and the next up resumes', async () => {
  const lab = await aStageWith(`  custom:
    - name: widgets
      inline: "{apiVersion: example.com/v1, kind: Widget, metadata: {name: one, namespace: default}}"
`)
  await expect(lab.up()).rejects.toMatchObject({
    message: expect.stringMatching(/install widgets: The cluster does not know Widget in example.com\/v1/),
    fix: expect.stringMatching(/CustomResourceDefinition.*again to continue/),
  })
  const api = await apiOf(lab)
  await api.apply([widgetDefinition], { fieldManager: 'somebody', force: true }, AbortSignal.timeout(20_000))
  expect(await lab.up()).toMatchObject({ outcome: 'done' })
  expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

describe('kubelet certificates', () => {
  test('are approved by up itself, whether or not the approver inside the cluster can start', async () => {
    const lab = await aStageWith('  metrics_server: true\n')
    lab.lab.faults.add({
      match: { surface: 'kubernetes', method: 'PULL', path: 'kubelet-serving-cert-approver' },
      action: { kind: 'refuse' },
      times: 9999,
    })
    const { plan } = await lab.plan()
    expect(plan.steps.filter(({ kind }) => kind === 'approve-certificate').map(({ title }) => title)).toEqual([
      'approve the kubelet certificate of dev-cp-1',
      'approve the kubelet certificate of dev-wk-1',
    ])
    await expect(lab.up()).rejects.toMatchObject({ where: expect.stringContaining('addons.kubelet_csr_approver') })
    const kind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' }
    const requests = await (await apiOf(lab)).list(kind, undefined, {}, AbortSignal.timeout(20_000))
    expect(requests.map(({ status }) => status)).toEqual([
      expect.objectContaining({ conditions: [expect.objectContaining({ reason: 'IchorApproved' })] }),
      expect.objectContaining({ conditions: [expect.objectContaining({ reason: 'IchorApproved' })] }),
    ])
    lab.lab.faults.clear()
    expect(await lab.up()).toMatchObject({ outcome: 'done' })
    expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })
  })
})

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
