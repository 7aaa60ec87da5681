import { afterEach, describe, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { statusOf } from '../../src/operations/status/status.js'
import { plainFacts } from '../support/facts.js'
import { aStage, clusterYaml, mutatingCalls, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

test('a cluster without a network of its own gets Cilium first, then metrics; a second up changes nothing', async () => {
  stage = await aStage({
    files: {
      'cluster.yaml': clusterYaml({
        controlPlanes: 1,
        workers: 1,
        extra: 'addons:\n  cilium: true\n  metrics_server: true\n',
      }),
    },
  })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { observed, plan } = await stage.plan()
  expect(plan.steps).toEqual([])
  expect(ifSeen(observed.kubernetes)?.addons.map(({ name, healthy }) => [name, healthy])).toContainEqual([
    'cilium',
    true,
  ])
  expect(ifSeen(observed.kubernetes)?.addons.map(({ name }) => name)).toContain('metrics_server')
  const before = mutatingCalls(stage.lab)
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  expect(mutatingCalls(stage.lab)).toEqual(before)
})

test('an addon that is taken out of the inventory is removed', async () => {
  stage = await aStage({
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1, extra: 'addons:\n  cert_manager: true\n' }) },
  })
  await stage.up()
  await stage.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 1 }))
  expect(titlesOf((await stage.plan()).plan)).toEqual(['remove the addon cert_manager'])
  await stage.up()
  expect(ifSeen((await stage.plan()).observed.kubernetes)?.addons).toEqual([])
})

describe('somebody works in the cluster by hand', () => {
  const metrics = { apiVersion: 'apps/v1', kind: 'Deployment' }

  async function withAddons(extra: string) {
    stage = await aStage({
      files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1, extra: `addons:\n${extra}` }) },
    })
    await stage.up()
    const { world } = await stage.connect()
    const { observed } = await stage.plan()
    const api = world.kubernetes.at([{ host: observed.machines[0]?.address ?? '', port: 6443 }])
    return { stage, api, signal: AbortSignal.timeout(60_000) }
  }

  test('a part that was deleted is reported by plan and restored by up', async () => {
    const {
      stage: lab,
      api,
      signal,
    } = await withAddons(
      '  cert_manager: true\n  custom:\n    - name: note\n      inline: "{apiVersion: v1, kind: ConfigMap, metadata: {name: note}}"\n',
    )
    await api.delete(metrics, 'cert-manager', 'cert-manager-webhook', signal)
    await api.delete({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'note', signal)
    const { plan } = await lab.plan()
    expect(
      plan.steps.filter(({ changes }) => changes).map(({ kind, args, reason }) => `${kind}:${args.addon}: ${reason}`),
    ).toEqual([
      'install-addon:cert_manager: Deployment cert-manager/cert-manager-webhook does not exist',
      'install-addon:note: ConfigMap note does not exist',
    ])
    expect(await lab.up()).toMatchObject({ outcome: 'done' })
    expect(await api.find(metrics, 'cert-manager', 'cert-manager-webhook', signal)).toBeDefined()
    expect(await lab.up()).toMatchObject({ outcome: 'nothing-to-do' })
  })

  test('what GitOps manages is installed once and then only watched', async () => {
    const { stage: lab, api, signal } = await withAddons('  cert_manager: { managed_by: gitops }\n')
    await api.delete(metrics, 'cert-manager', 'cert-manager-webhook', signal)
    const { plan, observed, desired } = await lab.plan()
    expect(plan.steps).toEqual([])
    expect(statusOf(plainFacts(await lab.inventory(), observed, { addons: desired.addons }), plan).addons).toEqual([
      expect.objectContaining({
        name: 'cert_manager',
        healthy: false,
        reason: 'Deployment cert-manager/cert-manager-webhook does not exist',
      }),
    ])
  })

  test('what is only unhealthy is shown with its reason, not reinstalled', async () => {
    const { stage: lab, api, signal } = await withAddons('  cert_manager: true\n')
    lab.lab.faults.add({
      match: { surface: 'kubernetes', method: 'PULL', path: 'cert-manager-webhook' },
      action: { kind: 'refuse' },
      times: 9999,
    })
    const pods = await api.list({ apiVersion: 'v1', kind: 'Pod' }, 'cert-manager', {}, signal)
    const webhook = pods.find(({ metadata }) => metadata.name?.includes('webhook'))?.metadata.name ?? ''
    await api.delete({ apiVersion: 'v1', kind: 'Pod' }, 'cert-manager', webhook, signal)
    const { plan, observed, desired } = await lab.plan()
    expect(plan.steps).toEqual([])
    expect(statusOf(plainFacts(await lab.inventory(), observed, { addons: desired.addons }), plan).addons).toEqual([
      expect.objectContaining({
        healthy: false,
        reason: 'Deployment cert-manager/cert-manager-webhook: 0 of 1 pods are ready',
      }),
    ])
  })
})

test('charts and helm come from the mirror of the site, for removal as well', async () => {
  const yaml = (addons: string) =>
    clusterYaml({
      controlPlanes: 1,
      workers: 1,
      extra: `addons:\n  registry: { images: registry.example.com/mirror, charts: oci://registry.example.com/charts }\n${addons}`,
    })
  stage = await aStage({ files: { 'cluster.yaml': yaml('  cert_manager: true\n') } })
  stage.lab.faults.add({
    match: { surface: 'kubernetes', method: 'PULL', path: 'docker.io' },
    action: { kind: 'refuse' },
    times: 9999,
  })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(
    stage.events.flatMap((event) => (event.type === 'step.noted' && /^helm /.test(event.text) ? event.text : [])),
  ).toEqual([expect.stringContaining('oci://registry.example.com/charts/cert-manager')])
  await stage.write('cluster.yaml', yaml(''))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(ifSeen((await stage.plan()).observed.kubernetes)?.addons).toEqual([])
})

test('another version and other values are reported by plan and brought by up', async () => {
  const yaml = (options: string) =>
    clusterYaml({ controlPlanes: 1, workers: 1, extra: `addons:\n  cert_manager: ${options}\n` })
  stage = await aStage({ files: { 'cluster.yaml': yaml('{ version: v1.18.0 }') } })
  await stage.up()
  for (const { options, reason } of [
    { options: '{ version: v1.18.2 }', reason: 'version v1.18.0 -> v1.18.2' },
    { options: '{ version: v1.18.2, values: { replicaCount: 2 } }', reason: 'its values changed' },
  ]) {
    await stage.write('cluster.yaml', yaml(options))
    expect((await stage.plan()).plan.steps.filter(({ changes }) => changes)).toEqual([
      expect.objectContaining({ kind: 'install-addon', args: { addon: 'cert_manager' }, reason }),
    ])
    expect(await stage.up()).toMatchObject({ outcome: 'done', changed: 1 })
  }
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})
