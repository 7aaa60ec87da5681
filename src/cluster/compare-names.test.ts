import { expect, test } from 'vitest'
import { compareNames } from './compare-names.js'

test.each([
  ['numbers count', ['w-1', 'w-2', 'w-10', 'w-11']],
  ['a name before the longer one that begins with it', ['pve', 'pve1', 'pve1-b']],
  ['each number counts', ['rack2-node10', 'rack10-node2']],
  ['digits before letters', ['a1', 'ab']],
  ['leading zeros', ['n01', 'n1', 'n02']],
  ['nothing first', ['', 'a']],
])('%s', (_, names) => {
  expect(names.toReversed().sort(compareNames)).toEqual(names)
  expect(names.toSorted(compareNames)).toEqual(names)
})
