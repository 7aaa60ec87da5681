import { describe, expect, test } from 'vitest'
import type { StoredObject } from '../object.js'
import { builtInRules, customRules } from './list-keys.js'
import { ownChanges, serverSideApply } from './managed-fields.js'

const apply = (live: StoredObject, applied: object, manager: string, force = false, rules = builtInRules) =>
  serverSideApply(
    live,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...applied },
    { manager, time: '', force },
    rules,
  )

const empty: StoredObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }

describe('server-side apply', () => {
  test('a field that its only owner no longer applies is removed', () => {
    const first = apply(empty, { data: { a: '1', b: '2' } }, 'one')
    expect(apply(first, { data: { a: '1' } }, 'one').data).toEqual({ a: '1' })
  })

  test('a field with another owner stays', () => {
    const both = apply(apply(empty, { data: { a: '1' } }, 'one'), { data: { a: '1' } }, 'two')
    expect(apply(both, { data: {} }, 'one').data).toEqual({ a: '1' })
  })

  test('a different value of an owned field is a conflict that names owner and field', () => {
    const live = apply(empty, { data: { a: '1' } }, 'one')
    expect(() => apply(live, { data: { a: '2' } }, 'two')).toThrow('conflict with "one": .data.a')
  })

  test('force takes the field over', () => {
    const live = apply(apply(empty, { data: { a: '1' } }, 'one'), { data: { a: '2' } }, 'two', true)
    expect(live.data).toEqual({ a: '2' })
    expect(live.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['two'])
  })

  test('items of keyed lists merge by their key', () => {
    const spec = (...env: { name: string; value: string }[]) => ({
      spec: { containers: [{ name: 'web', image: 'x', env }] },
    })
    const one = apply(empty, spec({ name: 'A', value: '1' }), 'one')
    const two = apply(one, { spec: { containers: [{ name: 'web', env: [{ name: 'B', value: '2' }] }] } }, 'two')
    expect(two.spec).toEqual({
      containers: [
        {
          name: 'web',
          image: 'x',
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        },
      ],
    })
  })

  test('lists of custom resources are replaced as a whole', () => {
    const one = apply(empty, { spec: { containers: [{ name: 'a' }] } }, 'one', false, customRules)
    expect(apply(one, { spec: { containers: [{ name: 'b' }] } }, 'one', false, customRules).spec).toEqual({
      containers: [{ name: 'b' }],
    })
  })
})

test('an ordinary update owns what it changed and takes it from others', () => {
  const live = apply(empty, { data: { a: '1', b: '2' } }, 'one')
  const after = ownChanges(live, { ...live, data: { a: '9', b: '2' } }, { manager: 'kubectl', time: '' }, builtInRules)
  expect(after.metadata.managedFields?.map(({ manager, fieldsV1 }) => ({ manager, fieldsV1 }))).toEqual([
    { manager: 'one', fieldsV1: { 'f:data': { 'f:b': {} } } },
    { manager: 'kubectl', fieldsV1: { 'f:data': { 'f:a': {} } } },
  ])
})
