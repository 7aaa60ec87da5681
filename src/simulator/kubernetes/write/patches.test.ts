import { describe, expect, test } from 'vitest'
import { builtInRules } from './list-keys.js'
import { jsonPatch, mergePatch, strategicMergePatch } from './patches.js'

test('a merge patch replaces lists and removes nulls', () => {
  expect(mergePatch({ a: 1, b: [1, 2], c: { d: 1 } }, { a: null, b: [3], c: { e: 2 } })).toEqual({
    b: [3],
    c: { d: 1, e: 2 },
  })
})

describe('a strategic merge patch', () => {
  const pod = {
    spec: {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '1' },
      ],
    },
  }
  test.each([
    { what: 'changes an item by its key', patch: [{ name: 'b', image: '2' }], images: ['a:1', 'b:2'] },
    { what: 'adds an item', patch: [{ name: 'c', image: '3' }], images: ['a:1', 'b:1', 'c:3'] },
    { what: 'deletes an item', patch: [{ name: 'a', $patch: 'delete' }], images: ['b:1'] },
    { what: 'replaces the list', patch: [{ $patch: 'replace' }, { name: 'z', image: '9' }], images: ['z:9'] },
  ])('$what', ({ patch, images }) => {
    const { spec } = strategicMergePatch(pod, { spec: { containers: patch } }, builtInRules) as typeof pod
    expect(spec.containers.map(({ name, image }) => `${name}:${image}`)).toEqual(images)
  })

  test('takes values out of plain lists', () => {
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }
    expect(strategicMergePatch({ metadata: { finalizers: ['a', 'b'] } }, patch, builtInRules)).toEqual({
      metadata: { finalizers: ['b'] },
    })
  })
})

describe('a JSON patch', () => {
  test.each([
    { op: { op: 'add', path: '/list/-', value: 3 }, result: { list: [1, 2, 3], map: { 'a/b': 1 } } },
    { op: { op: 'remove', path: '/list/0' }, result: { list: [2], map: { 'a/b': 1 } } },
    { op: { op: 'replace', path: '/map/a~1b', value: 9 }, result: { list: [1, 2], map: { 'a/b': 9 } } },
  ])('$op.op at $op.path', ({ op, result }) => {
    expect(jsonPatch({ list: [1, 2], map: { 'a/b': 1 } }, [op])).toEqual(result)
  })

  test('a test that does not hold refuses the whole', () => {
    expect(() => jsonPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 2 }])).toThrow('testing value /a failed')
  })
})
