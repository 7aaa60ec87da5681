import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { byHand } from '../support/by-hand.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'
import { watchWorkload } from '../support/watched-workload.js'

let stage: Stage
afterEach(() => stage.close())

const vip = '10.0.10.5'

function yaml(kubernetes: string): string {
  const text = clusterYaml({ workers: 2, extra: `kubernetes_version: ${kubernetes}\n` })
  return text.replace('gateway: 10.0.10.254', `gateway: 10.0.10.254\n  vip: ${vip}`)
}

/** Parts in the order in which their new images were written, without repetitions. */
function parts(): string[] {
  const started = stage.events.flatMap((event) => (event.type === 'step.started' ? [event.step] : []))
  const upgrades = started.flatMap((id) => /^upgrade-part.*"part":"([^"]+)"/.exec(id)?.[1] ?? [])
  return upgrades.filter((part, index) => part !== upgrades[index - 1])
}

test('Kubernetes goes part by part: API servers first, kubelets last, and kube-proxy with the manifests of Talos', async () => {
  stage = await aStage({ speed: 50, files: { 'cluster.yaml': yaml('v1.35.4') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const watched = await watchWorkload(stage, vip)
  const { world, signal } = await byHand(stage)
  await world.kubernetes
    .at([{ host: '10.0.10.11', port: 6443 }])
    .list({ apiVersion: 'v1', kind: 'Endpoints' }, 'default', {}, signal)
  const chart = { metadata: { name: 'shop', version: '1.2.3', kubeVersion: '>=1.25.0-0 <1.36.0-0' } }
  const packed = gzipSync(Buffer.from(JSON.stringify({ name: 'shop', chart }))).toString('base64')
  const labels = { owner: 'helm', status: 'deployed', name: 'shop', version: '1' }
  const release = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'sh.helm.release.v1.shop.v1', namespace: 'default', labels },
    data: { release: Buffer.from(packed).toString('base64') },
  }
  await world.kubernetes.at([{ host: vip, port: 6443 }]).apply([release], { fieldManager: 'test', force: true }, signal)
  await stage.write('cluster.yaml', yaml('v1.36.3'))
  expect(notesOf((await stage.plan()).plan)).toEqual(
    expect.arrayContaining([
      'The API v1 endpoints is in use and deprecated.',
      'The chart shop 1.2.3 (release shop in default) supports Kubernetes >=1.25.0-0 <1.36.0-0, and not v1.36.3: upgrade it first.',
    ]),
  )
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(parts()).toEqual(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'])
  const { observed } = await stage.plan()
  expect(new Set(observed.machines.map(({ node }) => node?.kubeletVersion))).toEqual(new Set(['v1.36.3']))
  const proxyImage = 'registry.k8s.io/kube-proxy:v1.36.3'
  expect(ifSeen(observed.kubernetes)).toMatchObject({ version: 'v1.36.3', proxyImage })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  watched.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-2'], maxAway: 1 } })
})
