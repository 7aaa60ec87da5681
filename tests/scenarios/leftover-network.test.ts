import { afterEach, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const cilium = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'cilium', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'cilium' } },
    template: { metadata: { labels: { app: 'cilium' } }, spec: { containers: [{ name: 'agent', image: 'cilium' }] } },
  },
}

test('what another pod network left behind is named by plan and status, until it is gone', async () => {
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) }
  program = await aProgram(files, { topology: aTopology(), speed: 1000 })
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  const { world } = await program.connect()
  const api = world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }])
  const signal = AbortSignal.timeout(60_000)
  const both = 'Cilium and flannel both provide the pod network.'
  expect((await program.ichor(['plan'])).stdout).not.toContain(both)

  await api.apply([cilium], { fieldManager: 'somebody', force: true }, signal)
  expect((await program.ichor(['plan'])).stdout).toContain(both)
  const status = await program.ichor(['status'])
  expect(status.stdout).toContain(both)
  expect(status.code).not.toBe(0)

  await api.delete({ apiVersion: 'apps/v1', kind: 'DaemonSet' }, 'kube-system', 'cilium', signal)
  expect((await program.ichor(['plan'])).stdout).not.toContain(both)
  expect(await program.ichor(['status'])).toMatchObject({ code: 0 })
})
