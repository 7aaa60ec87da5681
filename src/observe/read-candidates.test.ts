import { expect, test } from 'vitest'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { aForeignVm } from '../../tests/support/worlds.js'
import type { GuestResource } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { readCandidates } from './read-candidates.js'

const signal = AbortSignal.timeout(5000)
const host = (name: string, online = true) => ({ name, online, maintenance: false })
const candidate = (guest: GuestResource) => ({ guest, because: ['pool' as const] })

/** VMs by host and VMID, and the lists that Proxmox returns one after another. */
function aProxmox(vms: Readonly<Record<string, 'there' | 'host down'>>, lists: readonly GuestResource[][] = [[]]) {
  let asked = 0
  return aStub<World>({
    proxmox: {
      cluster: {
        resources: async () => ({ hosts: [], storages: [], guests: lists[Math.min(asked++, lists.length - 1)] ?? [] }),
      },
      machines: {
        findOptions: async ({ host: at, vmid }) => {
          const found = vms[`${at}/${vmid}`]
          if (found === 'host down') throw aProxmoxError('host-down')
          return found === undefined ? undefined : { options: {}, pending: [], running: {} }
        },
      },
    },
  })
}

async function read(world: World, hosts = [host('pve1'), host('pve2')]) {
  const found = await readCandidates([candidate(aForeignVm(2000, 'pve1'))], hosts, world, signal)
  return {
    read: found.read.map(({ candidate: { guest } }) => `${guest.host}/${guest.vmid}`),
    unread: found.unread.map(({ guest }) => `${guest.host}/${guest.vmid}`),
    unreadHosts: found.unreadHosts,
  }
}

const none = { read: [], unread: [], unreadHosts: [] }

test('a VM that moved between the list and the question is read where it is now', async () => {
  const moved = aProxmox({ 'pve2/2000': 'there' }, [[aForeignVm(2000, 'pve2')]])
  expect(await read(moved)).toEqual({ ...none, read: ['pve2/2000'] })
})

test('a VM that no newer list has is gone', async () => {
  expect(await read(aProxmox({}))).toEqual(none)
})

test('a VM that stays listed and cannot be read anywhere is unread, not gone', async () => {
  expect(await read(aProxmox({}, [[aForeignVm(2000, 'pve1')]]))).toEqual({ ...none, unread: ['pve1/2000'] })
})

test('a VM on a host that is offline is not even asked, and one whose host falls silent is unread', async () => {
  expect(await read(aStub<World>({}), [host('pve1', false)])).toEqual({
    ...none,
    unread: ['pve1/2000'],
    unreadHosts: [{ host: 'pve1', why: 'pve1 is offline' }],
  })
  expect(await read(aProxmox({ 'pve1/2000': 'host down' }))).toEqual({
    ...none,
    unread: ['pve1/2000'],
    unreadHosts: [{ host: 'pve1', why: 'pve1 does not answer' }],
  })
})
