import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOfKey } from './key-place.js'
import { createLiveKeys } from './live-keys.js'

test('any sequence of puts and deletes leaves as many keys as a set would hold', () => {
  const change = fc.record({ key: fc.integer({ min: 0, max: 300 }), isPut: fc.boolean() })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 500 }), (changes) => {
      const live = createLiveKeys()
      const set = new Set<number>()
      for (const { key, isPut } of changes) {
        if (isPut) set.add(key)
        else set.delete(key)
        live[isPut ? 'put' : 'delete'](Buffer.from(`/registry/pods/ns-${key % 7}/pod-${key}`))
      }
      expect(live.total).toBe(set.size)
      expect(live.counts().reduce((sum, { count }) => sum + count, 0)).toBe(set.size)
    }),
  )
})

test('50,000 similar keys are all distinguished', () => {
  const live = createLiveKeys()
  for (let index = 0; index < 50_000; index++) live.put(Buffer.from(`/registry/pods/default/p${index}`))
  expect(live.total).toBe(50_000)
})

test.each([
  ['/registry/pods/default/web', '/registry/pods/', 'pods', 'default'],
  ['/registry/minions/dev-cp-1', '/registry/minions/', 'nodes', ''],
  ['/registry/services/specs/default/web', '/registry/services/specs/', 'services', 'default'],
  ['/registry/example.com/widgets/default/one', '/registry/example.com/widgets/', 'widgets.example.com', 'default'],
  ['/registry/example.com/gadgets/one', '/registry/example.com/gadgets/', 'gadgets.example.com', ''],
  ['/registry/masterleases/10.0.10.11', '/registry/masterleases/', 'masterleases', ''],
  ['/registry/health', '/registry/', '', ''],
  ['compact_rev_key', '', '', ''],
  ['/calico/resources/v3/ippools/a', '/calico/', '', ''],
])('%s belongs to %s: %s in %s', (key, prefix, kind, namespace) => {
  expect(placeOfKey(key)).toEqual({ prefix, kind, namespace })
})
