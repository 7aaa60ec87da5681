import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { etcdNeverLostItsMajority } from '../support/quorum.js'

let stage: Stage
afterEach(() => stage.close())

const yaml = (kubernetes: string) => clusterYaml({ workers: 2, extra: `kubernetes_version: ${kubernetes}\n` })

test('Kubernetes goes part by part: API servers first, kubelets last, and kube-proxy with the manifests of Talos', async () => {
  stage = await aStage({ speed: 500, files: { 'cluster.yaml': yaml('v1.35.4') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect((await stage.plan()).plan.steps).toEqual([])
  await stage.write('cluster.yaml', yaml('v1.36.3'))
  const { plan } = await stage.plan()
  console.log(plan.steps.map((s) => `${s.round} ${s.title}: ${s.reason}`).join('\n'))
  const started = stage.lab.clock.now()
  expect(await stage.up({ onEvent: (e) => { if (e.type === 'step.failed' || e.type === 'step.noted') process.stderr.write(`${Math.round((stage.lab.clock.now()-started)/1000)} ${JSON.stringify(e).slice(0,250)}\n`) } })).toMatchObject({ outcome: 'done' })
  const { observed } = await stage.plan()
  expect(new Set(observed.machines.map(({ node }) => node?.kubeletVersion))).toEqual(new Set(['v1.36.3']))
  expect(ifSeen(observed.kubernetes)).toMatchObject({ version: 'v1.36.3', proxyImage: 'registry.k8s.io/kube-proxy:v1.36.3' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  etcdNeverLostItsMajority(stage.lab)
}, 60_000)
