import { expect, test } from 'vitest'
import { aHost, anInventory, someFacts } from '../../tests/support/inventories.js'
import { GiB } from '../cluster/machine.js'
import { refitWithout, surviveWithout } from './lose.js'
import { place } from './place.js'

const network = { cidr: '10.0.0.0/16', control_plane_offset: 1000, worker_offset: 2000 }

test('three control planes on three hosts survive the loss of one, with a VIP that moves', async () => {
  const wanted = await anInventory({
    controlPlanes: 3,
    workers: 1,
    hosts: ['a', 'b', 'c'],
    with: { network: { ...network, vip: '10.0.0.5' } },
  })
  const { hostOf } = place(wanted, someFacts([aHost('a'), aHost('b'), aHost('c')]))
  expect(surviveWithout(wanted, hostOf, 'a')).toEqual({
    host: 'a',
    etcd: { members: 3, left: 2, needed: 2, survives: true },
    api: { survives: true, reason: 'the VIP 10.0.0.5 moves to a control plane that is left' },
    pools: [
      { name: 'controlplane', machines: 3, left: 2, survives: true },
      { name: 'workers', machines: 1, left: 0, survives: false },
    ],
  })
})

test('without a VIP the API goes with the control plane that is its endpoint', async () => {
  const wanted = await anInventory({ controlPlanes: 3, hosts: ['a', 'b', 'c'] })
  const { hostOf } = place(wanted, someFacts([aHost('a'), aHost('b'), aHost('c')]))
  expect(surviveWithout(wanted, hostOf, 'a').api.survives).toBe(false)
  expect(surviveWithout(wanted, hostOf, 'b').api.survives).toBe(true)
})

test('two of three control planes on one host take etcd and the API with them', async () => {
  const wanted = await anInventory({ controlPlanes: 3, hosts: ['a', 'b'] })
  const { hostOf } = place(wanted, someFacts([aHost('a'), aHost('b')]))
  expect(surviveWithout(wanted, hostOf, 'a')).toMatchObject({
    etcd: { left: 1, needed: 2, survives: false },
    api: { survives: false, reason: 'etcd has lost its majority' },
  })
  expect(surviveWithout(wanted, hostOf, 'b').etcd.survives).toBe(true)
})

test('a host that is lost already counts', async () => {
  const wanted = await anInventory({ controlPlanes: 3, hosts: ['a', 'b', 'c'] })
  const { hostOf } = place(wanted, someFacts([aHost('a'), aHost('b'), aHost('c')]))
  expect(surviveWithout(wanted, hostOf, 'a').etcd.survives).toBe(true)
  expect(surviveWithout(wanted, hostOf, 'a', new Set(['b'])).etcd).toMatchObject({ left: 1, survives: false })
})

test('the machines of a lost host fit elsewhere, or the missing capacity is reported', async () => {
  const wanted = await anInventory({ workers: 4, hosts: ['a', 'b'], with: { sizing: { worker: { ram: '16G' } } } })
  const roomy = someFacts([aHost('a', { memory: 128 * GiB }), aHost('b', { memory: 128 * GiB })])
  const tight = someFacts([aHost('a'), aHost('b')])
  const { hostOf } = place(wanted, roomy)
  expect(refitWithout(wanted, roomy, hostOf, 'a')).toEqual({
    fits: true,
    moves: wanted.machines.flatMap(({ name }) => (hostOf.get(name) === 'a' ? [{ machine: name, host: 'b' }] : [])),
    reason: '3 machines of a fit on the other hosts',
  })
  expect(refitWithout(wanted, tight, hostOf, 'a')).toMatchObject({
    fits: false,
    reason: expect.stringContaining('b has 6 GiB of memory free'),
  })
})
