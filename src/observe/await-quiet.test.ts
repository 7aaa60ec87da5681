import { expect, test } from 'vitest'
import { aStub } from '../../tests/support/stub.js'
import { clusters } from '../../tests/support/views.js'
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

test('a machine that is being moved is waited for; where no worker moves it, its lock is looked at once more', async () => {
  const { made } = clusters[1]
  const machines = made.machines.map((machine) =>
    machine.name === 'dev-wk-1' ? { ...machine, lock: 'migrate' } : machine,
  )
  const vmid = machines.find(({ lock }) => lock !== undefined)?.vmid
  const waited: string[] = []
  const withTasks = (...types: string[]) =>
    aStub<World>({
      proxmox: {
        tasks: {
          running: async (host: string) =>
            types.map((type) => ({ host, upid: type, type, id: String(vmid), user: 'root@pam', startedAt: 0 })),
          wait: async ({ upid }: { upid: string }) => {
            waited.push(upid)
            return { warnings: [] }
          },
        },
      },
    })
  const quiet = (world: World) => awaitQuiet({ ...made, machines }, new Set(), world, AbortSignal.timeout(1000))
  expect(await quiet(withTasks('qmigrate', 'vncproxy'))).toBe(true)
  expect(waited).toEqual(['qmigrate'])
  expect(await quiet(withTasks())).toBe(true)
  expect(await awaitQuiet(made, new Set(), withTasks('qmigrate'), AbortSignal.timeout(1000))).toBe(false)
})
