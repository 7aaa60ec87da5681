import { afterEach, beforeEach, expect, test } from 'vitest'
import { createIdleGuests } from '../testing/idle-guest.js'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let lab: SmallLab
beforeEach(async () => {
  lab = await startSmallLab()
  await lab.task('POST', '/nodes/pve1/qemu', { vmid: 100, name: 'web', scsi0: 'local-lvm:8' })
})
afterEach(() => lab.close())

interface Entry {
  readonly volid: string
  readonly size: number
  readonly ctime: number
}

const backups = async (): Promise<Entry[]> =>
  (await lab.api('GET', '/nodes/pve1/storage/local/content', { content: 'backup' })).data as Entry[]

const usedBytes = async () => ((await lab.api('GET', '/nodes/pve1/storage/local/status')).data as { used: number }).used

const backUp = (options: Record<string, string | number> = {}) =>
  lab.task('POST', '/nodes/pve1/vzdump', { vmid: 100, storage: 'local', ...options })

test('a backup is a volume of its own: listed, counted on the storage, and gone when it is deleted', async () => {
  const before = await usedBytes()
  expect(
    await backUp({ compress: 'zstd', 'notes-template': '{{guestname}} on {{node}}\\nsecond line', protected: 1 }),
  ).toBe('OK')
  const [backup] = await backups()
  expect(backup).toEqual({
    volid: expect.stringMatching(/^local:backup\/vzdump-qemu-100-\d{4}_\d\d_\d\d-\d\d_\d\d_\d\d\.vma\.zst$/),
    content: 'backup',
    format: 'vma.zst',
    subtype: 'qemu',
    vmid: 100,
    size: expect.any(Number),
    ctime: expect.any(Number),
    notes: 'web on pve1',
    protected: 1,
  })
  expect((await usedBytes()) - before).toBe(backup?.size)
  const path = `/nodes/pve1/storage/local/content/${backup?.volid ?? ''}`
  expect(await lab.task('DELETE', path)).toContain('cannot remove protected volume')
  await lab.api('PUT', path, { protected: 0 })
  expect(await lab.task('DELETE', path)).toBe('OK')
  expect(await backups()).toEqual([])
  expect(await usedBytes()).toBe(before)
})

test('the configuration inside a backup is the one that the VM had then', async () => {
  await lab.api('PUT', '/nodes/pve1/qemu/100/config', { description: 'first\nsecond', memory: 2048 })
  await backUp()
  await lab.api('PUT', '/nodes/pve1/qemu/100/config', { memory: 4096 })
  const [backup] = await backups()
  const inside = await lab.api('GET', '/nodes/pve1/vzdump/extractconfig', { volume: backup?.volid ?? '' })
  expect(inside.data).toMatch(/^#first\n#second\nboot: order=scsi0\nmemory: 2048\n/)
  expect(inside.data).toMatch(/#qmdump#map:scsi0:drive-scsi0:local-lvm:raw:\n$/)
})

test('the retention removes older backups of the same VM, but none that is protected', async () => {
  await backUp({ protected: 1 })
  await backUp()
  await backUp()
  expect(await backups()).toHaveLength(3)
  const [kept, , newest] = await backups()
  const dry = await lab.api('GET', '/nodes/pve1/storage/local/prunebackups', { 'prune-backups': 'keep-last=1' })
  expect((dry.data as { mark: string }[]).map(({ mark }) => mark)).toEqual(['protected', 'remove', 'keep'])
  expect(await backUp({ 'prune-backups': 'keep-last=2' })).toBe('OK')
  expect((await backups()).map(({ volid }) => volid)).toEqual([kept?.volid, newest?.volid, expect.any(String)])
  expect(await backUp({ 'prune-backups': 'keep-last=2', remove: 0 })).toBe('job errors')
  expect(await lab.task('DELETE', '/nodes/pve1/storage/local/prunebackups', { 'prune-backups': 'keep-last=1' })).toBe(
    'OK',
  )
  expect(await backups()).toHaveLength(2)
})

test.each([
  {
    name: 'a VM of another host',
    prepare: () => lab.task('POST', '/nodes/pve2/qemu', { vmid: 200 }),
    given: { vmid: 200 },
    answer: 'OK',
  },
  {
    name: 'a storage without room',
    prepare: async () => lab.sim.fillStorage('pve1', 'local', 1024),
    given: { vmid: 100 },
    answer: 'job errors',
  },
  { name: 'a VM that is no more', prepare: async () => undefined, given: { vmid: 999 }, answer: 'job errors' },
])('$name gives $answer and no backup', async ({ prepare, given, answer }) => {
  await prepare()
  const { data } = await lab.api('POST', '/nodes/pve1/vzdump', { storage: 'local', ...given })
  expect(data === 'OK' ? data : await backUp(given)).toBe(answer)
  expect(await backups()).toEqual([])
})

test('the VM is locked while it is backed up, and stays so when the worker is killed', async () => {
  lab.faults.add({ match: { method: 'POST', path: '/vzdump$' }, action: { kind: 'kill-task' } })
  expect(await backUp()).toBe('unexpected status')
  expect((await lab.api('GET', '/nodes/pve1/qemu/100/config')).data).toMatchObject({ lock: 'backup', name: 'web' })
  expect(await backUp()).toBe('job errors')
})

test('in mode stop the guest goes down for its backup and comes up again; HA would not have it', async () => {
  await lab.close()
  lab = await startSmallLab({ guests: createIdleGuests({ heedsButton: true }) })
  await lab.task('POST', '/nodes/pve1/qemu', { vmid: 100, start: 1 })
  const startedAt = () => lab.sim.save().state.vms['100']?.startedAt ?? 0
  await expect.poll(startedAt).toBeGreaterThan(0)
  const before = startedAt()
  expect(await backUp({ mode: 'stop' })).toBe('OK')
  expect(lab.sim.save().state.vms['100']).toMatchObject({ running: true })
  expect(startedAt()).toBeGreaterThan(before)
  await lab.api('POST', '/cluster/ha/resources', { sid: 'vm:100' })
  expect(await backUp({ mode: 'stop' })).toBe('job errors')
})
