import { expect, test } from 'vitest'
import { plainTopology } from './topology-for.js'

test.each([1, 3, 50, 51, 250])('each of %i hosts has an address of its own', (count) => {
  const { hosts } = plainTopology(count)
  expect(new Set(hosts.map(({ address }) => address)).size).toBe(count)
})
