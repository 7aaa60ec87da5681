import { expect, test } from 'vitest'
import { fromEtcd, toEtcd } from './etcd-keys.js'
import { createObjectStore } from './object-store.js'
import { sealedObjects } from './sealed-objects.js'

const [old, fresh] = ['k8s:enc:secretbox:v1:key2:aa:', 'k8s:enc:secretbox:v1:key2:bb:']
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one', namespace: 'default' }, data: {} }
const read = (objects: ReturnType<typeof createObjectStore>) => objects.find('secrets', 'default', 'one')?.metadata.name

test('a Secret is read only by an API server that has the key that it was written with', () => {
  const store = createObjectStore()
  sealedObjects(store, [fresh]).put('secrets', secret)
  expect(read(sealedObjects(store, [old, fresh]))).toBe('one')
  const problem = 'output array was not large enough for encryption'
  expect(() => read(sealedObjects(store, [old]))).toThrow(`Internal error occurred: ${problem}`)
  expect(() => sealedObjects(store, [old]).list('secrets')).toThrow(
    `Internal error occurred: unable to transform key "/registry/secrets/default/one": ${problem}`,
  )
})

test.each([
  ['no key at all', [], 'identity transformer tried to read encrypted data'],
  [
    'a key of another name',
    [old.replace('key2', 'key1')],
    'no matching key was found for the provided Secretbox transformer',
  ],
  ['a key of another cipher', [old.replace('secretbox', 'aescbc')], 'no matching prefix found'],
])('an API server with %s says so as Kubernetes does', (_, keys, problem) => {
  const store = createObjectStore()
  sealedObjects(store, [fresh]).put('secrets', secret)
  expect(() => read(sealedObjects(store, keys))).toThrow(`Internal error occurred: ${problem}`)
})

test('written again, as it is, it lies under the first key; what lies there already is left alone', () => {
  const store = createObjectStore()
  const before = sealedObjects(store, [old]).put('secrets', secret)
  const both = sealedObjects(store, [fresh, old])
  const after = both.put('secrets', before)
  expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion)
  expect(both.put('secrets', after)).toBe(after)
  expect(read(sealedObjects(store, [fresh]))).toBe('one')
})

test('a snapshot of etcd, and an etcd that is recovered from it, keep it under its key', () => {
  const store = createObjectStore()
  sealedObjects(store, [old]).put('secrets', secret)
  const content = toEtcd(store.snapshot())
  expect(content.records[0]?.value).toMatch(/^k8s:enc:secretbox:v1:key2:/)
  const recovered = createObjectStore(fromEtcd(content))
  expect(read(sealedObjects(recovered, [old]))).toBe('one')
  expect(() => read(sealedObjects(recovered, [fresh]))).toThrow('output array')
})
