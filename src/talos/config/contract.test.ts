import { expect, test } from 'vitest'
import { chooseContract, contractName } from './contract.js'

test.each(['v1.13', '1.13', 'v1.13.9', '1.13.0-rc.1'])('%s is the contract v1.13', (text) => {
  const { contract, note } = chooseContract(text)
  expect(contractName(contract)).toBe('v1.13')
  expect(note).toBeUndefined()
})

test('a contract newer than the newest known becomes the newest known, with a note', () => {
  const { contract, note } = chooseContract('v1.17.2')
  expect(contractName(contract)).toBe('v1.14')
  expect(note).toContain('v1.17')
})

test.each(['v1.7', 'v2.0', 'latest', ''])('%s is refused, with the contracts that there are', (text) => {
  expect(() => chooseContract(text)).toThrow(/is not a Talos version/)
})
