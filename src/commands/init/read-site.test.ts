import { expect, test } from 'vitest'
import { aStub } from '../../../tests/support/stub.js'
import type { World } from '../../world.js'
import { readSite } from './read-site.js'

test('a storage offers what Proxmox accepts on it, where least is free of the hosts that are online', async () => {
  const ceph = (host: string) => ({ host, storage: 'ceph', content: ['images'], total: 100, used: 20 })
  const hosts = ['pve1', 'pve2']
    .map((name) => ({ name, online: true, cpus: 8, memory: 64 }))
    .concat({ name: 'pve3', online: false, cpus: 8, memory: 64 })
  const free = async (host: string) => new Map([['ceph', host === 'pve1' ? 60 : 55]])
  const world = aStub<World>({
    proxmox: {
      cluster: { resources: async () => ({ hosts, storages: [ceph('pve1'), ceph('pve2'), ceph('pve3')] }) },
      storage: { free },
      hosts: { bridges: async () => [] },
    },
  })
  const { storages } = await readSite(world, AbortSignal.timeout(1000))
  expect(storages).toEqual([{ name: 'ceph', hosts: 2, free: 55 }])
})
