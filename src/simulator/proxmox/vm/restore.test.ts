import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

const uuid = '11111111-2222-4333-8444-555555555555'
const mac = '02:00:00:00:00:01'

let lab: SmallLab
let archive: string

/** A VM whose guest has written to its disk, and a backup of it. */
beforeEach(async () => {
  lab = await startSmallLab()
  await lab.task('POST', '/nodes/pve1/qemu', {
    vmid: 100,
    name: 'web',
    description: 'of value\nto somebody',
    smbios1: `uuid=${uuid}`,
    net0: `virtio=${mac},bridge=vmbr0`,
    scsi0: 'local-lvm:8',
    scsi1: 'local-lvm:1,backup=0',
  })
  await lab.task('POST', '/nodes/pve1/qemu/100/status/start')
  const [disk] = lab.guests.running.get(100)?.disks ?? []
  if (disk !== undefined) disk.content.guest = { written: 'before the backup' }
  await lab.task('POST', '/nodes/pve1/vzdump', { vmid: 100, storage: 'local', compress: 'zstd' })
  if (disk !== undefined) disk.content.guest = { written: 'after the backup' }
  const content = (await lab.api('GET', '/nodes/pve1/storage/local/content', { vmid: 100, content: 'backup' })).data
  archive = (content as { volid: string }[])[0]?.volid ?? ''
})
afterEach(() => lab.close())

const config = async (vmid: number) =>
  (await lab.api('GET', `/nodes/pve1/qemu/${vmid}/config`)).data as Record<string, string>

const restore = (vmid: number, options: Record<string, string | number> = {}) =>
  lab.task('POST', '/nodes/pve1/qemu', { vmid, archive, ...options })

test('a VM comes back under another VMID as it was when it was backed up, and its disk with it', async () => {
  await lab.api('POST', '/pools', { poolid: 'restored' })
  expect(await restore(7000, { pool: 'restored', start: 1 })).toBe('OK')
  const original = await config(100)
  const restored = await config(7000)
  expect(restored).toMatchObject({
    name: 'web',
    description: `of value\nto somebody\nscsi1: ${original.scsi1 ?? ''}`,
    smbios1: `uuid=${uuid}`,
    net0: `virtio=${mac},bridge=vmbr0`,
    scsi0: 'local-lvm:vm-7000-disk-0,size=8G',
  })
  expect(restored.scsi1).toBeUndefined()
  expect(restored.vmgenid).not.toBe(original.vmgenid)
  await expect
    .poll(() => lab.guests.running.get(7000)?.disks[0]?.content.guest)
    .toEqual({ written: 'before the backup' })
  expect(lab.guests.running.get(100)?.disks[0]?.content.guest).toEqual({ written: 'after the backup' })
  expect((await lab.api('GET', '/pools', { poolid: 'restored' })).data).toMatchObject([{ members: [{ vmid: 7000 }] }])
  const tasks = (await lab.api('GET', '/nodes/pve1/tasks', { vmid: 7000, source: 'all' })).data
  expect((tasks as { type: string }[]).map(({ type }) => type).sort()).toEqual(['qmrestore', 'qmstart'])
})

test('with unique, the copy has addresses and a UUID of its own', async () => {
  expect(await restore(7000, { unique: 1, name: 'web-2' })).toBe('OK')
  const { name, net0, smbios1 } = await config(7000)
  expect(name).toBe('web-2')
  expect(net0).toMatch(/^virtio=BC:24:11:\S+,bridge=vmbr0$/)
  expect(smbios1).not.toContain(uuid)
})

test('an existing VM is overwritten with force only, when it is stopped; other disks of it become unused', async () => {
  const taken = await lab.api('POST', '/nodes/pve1/qemu', { vmid: 100, archive })
  expect(taken.message).toBe("unable to restore VM 100 - VM 100 already exists on node 'pve1'\n")
  expect(await restore(100, { force: 1 })).toBe('unable to restore VM 100 - vm is running')
  expect((await config(100)).lock).toBeUndefined()
  await lab.task('POST', '/nodes/pve1/qemu/100/status/stop')
  await lab.api('PUT', '/nodes/pve1/qemu/100/config', { name: 'changed' })
  expect(await restore(100, { force: 1 })).toBe('OK')
  expect(await config(100)).toMatchObject({
    name: 'web',
    smbios1: `uuid=${uuid}`,
    scsi0: 'local-lvm:vm-100-disk-0,size=8G',
    unused0: 'local-lvm:vm-100-disk-1',
  })
})

test.each([
  {
    given: { scsi0: 'local-lvm:4' },
    status: 400,
    reported: { errors: { scsi0: "option conflicts with option 'archive'" } },
  },
  {
    given: { archive: 'local:iso/x.iso' },
    status: 500,
    reported: { message: "unable to use volume local:iso/x.iso - content type needs to be 'backup'\n" },
  },
  {
    given: { archive: 'local:backup/vzdump-qemu-100-2026_01_01-00_00_00.vma' },
    status: 500,
    reported: { message: "volume 'local:backup/vzdump-qemu-100-2026_01_01-00_00_00.vma' does not exist\n" },
  },
])('a restore with $given is refused at once', async ({ given, status, reported }) => {
  expect(await lab.api('POST', '/nodes/pve1/qemu', { vmid: 7000, archive, ...given })).toMatchObject({
    status,
    ...reported,
  })
  expect((await lab.api('GET', '/nodes/pve1/qemu/7000/config')).status).toBe(500)
})

test.each([
  {
    given: { 'live-restore': 1 },
    because: 'live-restore is only compatible with backup images from a Proxmox Backup Server',
    left: { digest: expect.any(String) },
  },
  {
    given: { storage: 'local' },
    because: "Content type 'images' is not available on storage 'local'",
    left: { digest: expect.any(String) },
  },
])('a restore with $given fails in its task, and what is there stays', async ({ given, because, left }) => {
  expect(await restore(7000, given)).toBe(because)
  expect(await config(7000)).toEqual(left)
})

test('a restore whose worker is killed leaves a VM with a little memory and the volumes', async () => {
  lab.faults.add({ match: { method: 'POST', path: '/qemu$' }, action: { kind: 'kill-task' } })
  expect(await restore(7000)).toBe('unexpected status')
  expect(await config(7000)).toEqual({ memory: '128', digest: expect.any(String) })
  const volumes = (await lab.api('GET', '/nodes/pve1/storage/local-lvm/content', { vmid: 7000 })).data
  expect((volumes as { volid: string }[]).map(({ volid }) => volid)).toEqual(['local-lvm:vm-7000-disk-0'])
})

test('with only the right to back up a VM, a caller may restore over it and nowhere else', async () => {
  await lab.task('POST', '/nodes/pve1/qemu/100/status/stop')
  await lab.api('POST', '/access/users', { userid: 'op@pve' })
  const rights = { users: 'op@pve', propagate: 1 }
  await lab.api('POST', '/access/roles', { roleid: 'Restorer', privs: 'VM.Backup VM.Audit' })
  await lab.api('PUT', '/access/acl', { ...rights, path: '/vms/100', roles: 'Restorer' })
  await lab.api('PUT', '/access/acl', { ...rights, path: '/storage', roles: 'PVEDatastoreUser' })
  await lab.api('PUT', '/access/acl', { ...rights, path: '/sdn', roles: 'PVESDNUser' })
  const { value } = (await lab.api('POST', '/access/users/op@pve/token/tk', { privsep: 0 })).data as { value: string }
  const as = { Authorization: `PVEAPIToken=op@pve!tk=${value}` }
  const ask = async (form: Record<string, string | number>) =>
    (await lab.api('POST', '/nodes/pve1/qemu', { archive, ...form }, as)).status
  expect(await ask({ vmid: 7000 })).toBe(403)
  expect(await ask({ vmid: 100 })).toBe(403)
  expect(await ask({ vmid: 100, force: 1 })).toBe(200)
})
