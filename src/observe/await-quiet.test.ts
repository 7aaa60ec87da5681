import { expect, test } from 'vitest'
import { aStub } from '../../tests/support/stub.js'
import { aForeignVm, aWorld } from '../../tests/support/worlds.js'
import type { World } from '../world.js'
import { awaitQuiet } from './await-quiet.js'

test('workers on a host that does not answer are not waited for, those on others are', async () => {
  const observed = aWorld(
    ['pve1', 'pve2'],
    [2000, 2001].map((vmid, index) => ({ ...aForeignVm(vmid, `pve${index + 1}`), lock: 'clone' })),
  )
  const hosts = observed.proxmox.hosts.map((host) => ({ ...host, online: host.name === 'pve2' }))
  const asked: string[] = []
  const tasks = {
    running: async (host: string) => {
      asked.push(host)
      return [{ host, upid: `UPID:${host}`, type: 'qmclone', id: '998', user: 'root@pam', startedAt: 0 }]
    },
    wait: async () => ({ warnings: [] }),
  }
  const world = aStub<World>({ proxmox: { tasks } })
  const seen = { ...observed, proxmox: { ...observed.proxmox, hosts } }
  expect(await awaitQuiet(seen, new Set([2000, 2001]), world, AbortSignal.timeout(1000))).toBe(true)
  expect(asked).toEqual(['pve2'])
})
