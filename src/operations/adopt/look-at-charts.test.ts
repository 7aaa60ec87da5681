import { expect, test } from 'vitest'
import { KubernetesError } from '../../kubernetes/kubernetes-error.js'
import type { KubernetesObject, ObjectKind } from '../../kubernetes/port.js'
import { lookAtCharts } from './look-at-charts.js'

const signal = AbortSignal.timeout(5000)
const secret = (namespace: string, name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace, name: `sh.helm.release.v1.${name}.v3`, labels: { owner: 'helm', status: 'deployed', name } },
  data: { release: 'canary' },
})
const secrets = [secret('kube-system', 'cilium'), secret('flux-system', 'apps-podinfo')]
const flux: KubernetesObject = {
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata: { namespace: 'flux-system', name: 'podinfo' },
  spec: { targetNamespace: 'apps' },
}
const missing = () =>
  new KubernetesError(
    'There is no such kind.',
    { verb: 'list', object: 'x', status: 404, reason: 'NotFound' },
    { where: '', fix: '' },
  )

test('charts are listed with what manages them, and no value of a release is shown', async () => {
  const list = async ({ kind }: ObjectKind) => {
    if (kind === 'Application') throw missing()
    return kind === 'Secret' ? secrets : [flux]
  }
  expect(await lookAtCharts({ list }, signal)).toEqual([
    'flux-system/apps-podinfo: a Helm release of Flux',
    'kube-system/cilium: a Helm release',
  ])
})

test('a Kubernetes that does not show them is no reason to stop, and is said', async () => {
  const list = async () => {
    throw new Error('the connection was closed')
  }
  expect(await lookAtCharts({ list }, signal)).toEqual(['They could not be read: the connection was closed'])
})
