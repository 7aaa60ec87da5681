import { expect, test } from 'vitest'
import type { AddonContext } from './addon.js'
import type { PlannedAddon } from './planned-addon.js'
import { hashed } from './spec-hash.js'

const spec = {
  namespace: 'kube-system',
  version: '1.2.3',
  source: {
    kind: 'chart',
    repository: 'https://charts.example.com',
    chart: 'x',
    values: { b: [1, undefined, null], a: { é: true, z: undefined } },
  },
  before: [],
  after: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }],
} as unknown as Omit<PlannedAddon, 'hash'>

test('the hash of a request stays the same in later releases: another one would install every addon again', () => {
  expect(hashed(spec, {} as AddonContext).hash).toMatchInlineSnapshot(`"7e0c8e71144cba405f55f37c3819fea5"`)
})

test('the order of keys does not matter, and undefined values are as if missing', () => {
  const { source, ...others } = spec
  const turned = { source: Object.fromEntries(Object.entries(source).toReversed()), ...others, unused: undefined }
  expect(hashed(turned as never, {} as AddonContext).hash).toBe(hashed(spec, {} as AddonContext).hash)
})
