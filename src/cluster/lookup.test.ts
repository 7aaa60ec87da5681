import { expect, test } from 'vitest'
import { groupBy, lookupBy, oncePer } from './lookup.js'

test('work on a list is done once a list', () => {
  let calls = 0
  const lengthOf = oncePer((list: readonly string[]) => {
    calls++
    return list.length === 0 ? undefined : list.length
  })
  const [empty, full] = [[], ['a', 'b']]
  expect([empty, full, full, empty].map(lengthOf)).toEqual([undefined, 2, 2, undefined])
  expect(calls).toBe(2)
})

test('of several items with one key the first is found', () => {
  const find = lookupBy(({ name }: { name: string; at: number }) => name)
  const list = [
    { name: 'a', at: 1 },
    { name: 'a', at: 2 },
  ]
  expect(find(list, 'a')?.at).toBe(1)
  expect(find(list, 'b')).toBeUndefined()
})

test('groups keep the order of the list', () => {
  const groups = groupBy(['pve1/a', 'pve2/b', 'pve1/c'], (text) => text.slice(0, 4))
  expect([...groups]).toEqual([
    ['pve1', ['pve1/a', 'pve1/c']],
    ['pve2', ['pve2/b']],
  ])
})
