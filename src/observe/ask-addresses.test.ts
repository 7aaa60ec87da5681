import { expect, test } from 'vitest'
import { ReachError } from '../reach/reach-error.js'
import { askAddresses } from './ask-addresses.js'

const signal = new AbortController().signal

function worldWith(failure: () => Error): Parameters<typeof askAddresses>[1] {
  return {
    proxmox: { cluster: { status: async () => ({ hosts: [{ name: 'pve1', address: '10.0.10.2' }] }) } },
    dialer: { dial: () => Promise.reject(failure()) },
  }
}

test('an address that refuses connections is taken', async () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const world = worldWith(() => new ReachError('port-closed', 'closed', { where: '', fix: '', cause }))
  expect(await askAddresses(['10.0.10.11'], world, signal)).toContainEqual({
    address: '10.0.10.11',
    owner: 'a host that responds on port 50000',
  })
})

test('an address that does not answer, or that only a proxy refuses, is free; a host keeps its own', async () => {
  const world = worldWith(() => new ReachError('port-closed', 'the proxy refused', { where: '', fix: '' }))
  expect(await askAddresses(['10.0.10.11'], world, signal)).toEqual([
    { address: '10.0.10.2', owner: 'the Proxmox host pve1' },
  ])
})
