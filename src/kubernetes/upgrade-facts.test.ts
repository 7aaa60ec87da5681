import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chartIn } from './helm-releases.js'
import { removedBetween, writtenWith } from './removed-apis.js'

const secret = (release: unknown) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'sh.helm.release.v1.shop.v1', namespace: 'shop' },
  data: {
    release: Buffer.from(gzipSync(Buffer.from(JSON.stringify(release))).toString('base64')).toString('base64'),
  },
})

test('a release has the Kubernetes versions that its chart supports; other Secrets have none', () => {
  const metadata = { name: 'shop', version: '1.2.3', kubeVersion: '<1.36.0-0' }
  expect(chartIn(secret({ name: 'shop', chart: { metadata } }))).toEqual({
    release: 'shop',
    namespace: 'shop',
    chart: 'shop',
    version: '1.2.3',
    kubeVersion: '<1.36.0-0',
  })
  expect(chartIn(secret({ name: 'shop', chart: { metadata: { name: 'shop' } } }))).toBeUndefined()
  expect(chartIn({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { release: 'x' } })).toBeUndefined()
})

test('objects that are still written with a removed API are named with the writer', () => {
  const [api] = removedBetween(25, 26).filter(({ removed }) => removed.startsWith('autoscaling'))
  if (api === undefined) throw new Error('the API is listed')
  const managedFields = [
    { manager: 'helm', apiVersion: 'autoscaling/v2beta2' },
    { manager: 'kubectl', apiVersion: 'autoscaling/v2' },
  ]
  const object = { ...api.now, metadata: { name: 'web', namespace: 'shop', managedFields } }
  expect(writtenWith(api, [object])).toEqual([
    { name: 'autoscaling/v2beta2 HorizontalPodAutoscaler shop/web (written by helm)', removedIn: '1.26' },
  ])
})

test.each([
  { from: 31, to: 32, removed: ['flowcontrol.apiserver.k8s.io/v1beta3'] },
  { from: 32, to: 33, removed: ['admissionregistration.k8s.io/v1alpha1'] },
  { from: 33, to: 34, removed: ['admissionregistration.k8s.io/v1beta1'] },
  { from: 34, to: 36, removed: [] },
])('from 1.$from to 1.$to goes: $removed', ({ from, to, removed }) => {
  expect([...new Set(removedBetween(from, to).map((api) => api.removed))]).toEqual(removed)
})
