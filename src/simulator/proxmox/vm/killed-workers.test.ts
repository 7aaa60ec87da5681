import { afterEach, expect, test, vi } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let lab: SmallLab
afterEach(() => lab.close())

/** Slow enough that a worker still waits when it is killed. */
async function aLab(speed: number): Promise<void> {
  lab = await startSmallLab({ speed })
  await lab.api('POST', '/pools', { poolid: 'leases' })
}

const qemu = '/nodes/pve1/qemu'
const inPool = { vmid: 100, name: 'a', pool: 'leases', scsi0: 'local-lvm:1' }
const members = async () => JSON.stringify((await lab.api('GET', '/pools/leases')).data)
const config = async () => (await lab.api('GET', `${qemu}/100/config`)).data
const disks = async () => (await lab.api('GET', '/nodes/pve1/storage/local-lvm/content')).data

/** Starts a task that blocks on the lock of users, rights and pools. */
async function untilItWaits(method: string, path: string, form: Record<string, string | number>): Promise<string> {
  const upid = String((await lab.api(method, path, form)).data)
  await vi.waitFor(async () => {
    const log = await lab.api('GET', `/nodes/pve1/tasks/${encodeURIComponent(upid)}/log`)
    expect(log.text).toContain("trying to acquire cfs lock 'file-user_cfg' ...")
  })
  return upid
}

test('a create that is killed before the pool entry leaves a whole VM outside of its pool', async () => {
  await aLab(10)
  const release = lab.sim.holdUserConfig()
  await lab.sim.killTask(await untilItWaits('POST', qemu, inPool))
  release()
  expect(await config()).toMatchObject({ name: 'a', scsi0: expect.stringContaining('vm-100-disk-0') })
  expect(await config()).not.toHaveProperty('lock')
  expect(await members()).not.toContain('qemu/100')
})

test('a create that may not write the pool entry takes the VM back', async () => {
  await aLab(1000)
  const release = lab.sim.holdUserConfig()
  const end = await lab.task('POST', qemu, inPool)
  release()
  expect(end).toBe("can't add VM 100 to pool 'leases': cfs-lock 'file-user_cfg' error: got lock request timeout")
  expect(await config()).toBeNull()
  expect(await disks()).toEqual([])
})

test('a destroy that is killed before it is forgotten leaves only its lock, in its pool', async () => {
  await aLab(10)
  await lab.task('POST', qemu, inPool)
  const release = lab.sim.holdUserConfig()
  await lab.sim.killTask(await untilItWaits('DELETE', `${qemu}/100`, { purge: 1 }))
  release()
  expect(await config()).toEqual({ lock: 'destroyed', digest: expect.any(String) })
  expect(await members()).toContain('qemu/100')
  expect(await disks()).toEqual([])
  expect(await lab.task('DELETE', `${qemu}/100`)).toBe('VM is locked (destroyed)')
})

test('disks go bus by bus, then by number', async () => {
  await aLab(1000)
  const names = ['virtio0', 'scsi10', 'scsi2', 'sata0', 'ide0']
  await lab.task('POST', qemu, { vmid: 100, ...Object.fromEntries(names.map((name) => [name, 'local-lvm:1'])) })
  const made = (await config()) as Record<string, string>
  const upid = String((await lab.api('DELETE', `${qemu}/100`)).data)
  await vi.waitFor(async () => {
    const { data } = await lab.api('GET', `/nodes/pve1/tasks/${encodeURIComponent(upid)}/status`)
    expect(data).toMatchObject({ exitstatus: 'OK' })
  })
  const log = (await lab.api('GET', `/nodes/pve1/tasks/${encodeURIComponent(upid)}/log`)).data as { t: string }[]
  const gone = log.flatMap(({ t }) => /"(vm-100-disk-\d+)"/.exec(t)?.[1] ?? [])
  const numbered = ['ide0', 'scsi2', 'scsi10', 'virtio0', 'sata0'].map((name) => made[name]?.split(/[:,]/)[1])
  expect(gone).toEqual(numbered)
})
