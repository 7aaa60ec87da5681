import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { watchWorkload } from '../support/watched-workload.js'

let stage: Stage
afterEach(() => stage.close())

const vip = '10.0.10.5'

function yaml(talos: string, { controlPlanes = 3, workers = 3, extra = '' } = {}): string {
  return clusterYaml({ controlPlanes, workers, extra })
    .replace('v1.13.9', talos)
    .replace('gateway: 10.0.10.254', `gateway: 10.0.10.254\n  vip: ${vip}`)
}

async function running(): Promise<Record<string, string>> {
  const { observed } = await stage.plan()
  const entries = observed.machines.map(({ name, talos }) => [name, talos.reach === 'secured' ? talos.version : ''])
  return Object.fromEntries(entries)
}

/** Machines in the order in which they booted after that moment. */
function boots(since: number): string[] {
  const installed = stage.lab.ledger.entries().filter(({ event, at }) => event === 'machine.installed' && at >= since)
  return installed.map(({ subject }) => subject)
}

test('a patch release of Talos: control planes one by one and the leader last, then workers; nothing is missing meanwhile', async () => {
  stage = await aStage({ speed: 100, files: { 'cluster.yaml': yaml('v1.13.8') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const watched = await watchWorkload(stage, vip)
  const started = stage.lab.clock.now()
  const { observed } = await stage.plan()
  const { leader = '', owners = {} } = ifSeen(observed.etcd) ?? {}
  await stage.write('cluster.yaml', yaml('v1.13.9'))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(new Set(Object.values(await running()))).toEqual(new Set(['v1.13.9']))
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(boots(started).slice(0, 3).sort()).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  expect(boots(started)[2]).toBe(owners[leader])
  watched.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 } })
  const kept = await readdir(join(stage.folder, 'backups.lab'))
  expect(kept.filter((name) => name.endsWith('.etcd.age'))).toHaveLength(1)
})

test('a minor release, from one that upgrades by itself, with the Kubernetes that belongs to it', async () => {
  const small = { controlPlanes: 1, workers: 1 }
  stage = await aStage({ speed: 500, files: { 'cluster.yaml': yaml('v1.12.11', small) } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  await stage.write('cluster.yaml', yaml('v1.13.9', small))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { observed, plan } = await stage.plan()
  expect(plan.steps).toEqual([])
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.9', 'dev-wk-1': 'v1.13.9' })
  expect(observed.machines.map(({ node }) => node?.kubeletVersion)).toEqual(['v1.36.3', 'v1.36.3'])
})

test('other extensions come with an upgrade to the version that runs', async () => {
  const small = { controlPlanes: 1, workers: 0 }
  stage = await aStage({ speed: 500, files: { 'cluster.yaml': yaml('v1.13.9', small) } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const extra = 'talos: { extensions: [siderolabs/iscsi-tools, siderolabs/qemu-guest-agent] }\n'
  await stage.write('cluster.yaml', yaml('v1.13.9', { ...small, extra }))
  const { plan } = await stage.plan()
  expect(plan.steps.map(({ reason }) => reason)).toContain('its extensions or kernel arguments changed')
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('a far target: one roll after the other through the last patch of each minor, with Kubernetes in between', async () => {
  const small = { controlPlanes: 1, workers: 1 }
  const wanting = (talos: string, kubernetes: string) =>
    yaml(talos, { ...small, extra: `kubernetes_version: ${kubernetes}\n` })
  stage = await aStage({ speed: 500, files: { 'cluster.yaml': wanting('v1.11.2', 'v1.30.14') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  await stage.write('cluster.yaml', wanting('v1.13.9', 'v1.36.3'))
  const hops = (steps: readonly { kind: string; machine?: string; reason: string }[]) => {
    const reasons = steps
      .filter(({ kind, machine }) => /^upgrade-(machine|part)$/.test(kind) && machine === 'dev-cp-1')
      .map(({ reason }) => reason.replace(/^kube[a-z-]+/, 'Kubernetes'))
    return reasons.filter((reason, index) => reason !== reasons[index - 1])
  }
  const { plan } = await stage.plan()
  const way = hops(plan.steps)
  expect(way).toEqual([
    expect.stringMatching(/^Talos v1\.11\.2 -> v1\.12\.\d+$/),
    'Kubernetes v1.30.14 -> v1.31.13',
    'Talos v1.12.11 -> v1.13.9',
    'Kubernetes v1.31.13 -> v1.32.9',
    'Kubernetes v1.32.9 -> v1.33.6',
    'Kubernetes v1.33.6 -> v1.34.1',
    'Kubernetes v1.34.1 -> v1.35.4',
    'Kubernetes v1.35.4 -> v1.36.3',
  ])
  expect(await stage.up({ signal: AbortSignal.timeout(240_000) })).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.9', 'dev-wk-1': 'v1.13.9' })
  const { observed } = await stage.plan()
  expect(observed.machines.map(({ node }) => node?.kubeletVersion)).toEqual(['v1.36.3', 'v1.36.3'])
})
