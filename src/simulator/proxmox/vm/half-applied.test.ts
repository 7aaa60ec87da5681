import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let lab: SmallLab
afterEach(() => lab.close())

const qemu = '/nodes/pve1/qemu'
const filling = { scsi0: 'local-lvm:1', scsi1: 'local-lvm:1', tags: 'ichor', memory: 2048, cores: 2 }

/** A token that may do anything but modify the datacenter. */
async function limitedToken(): Promise<Record<string, string>> {
  await lab.api('POST', '/access/users', { userid: 'limited@pve' })
  const { data } = await lab.api('POST', '/access/users/limited@pve/token/tk', { privsep: 0 })
  await lab.api('PUT', '/access/acl', { path: '/', roles: 'PVEVMAdmin', users: 'limited@pve' })
  await lab.api('PUT', '/access/acl', { path: '/storage', roles: 'PVEDatastoreAdmin', users: 'limited@pve' })
  return { Authorization: `PVEAPIToken=limited@pve!tk=${(data as { value: string }).value}` }
}

async function endOf(upid: unknown): Promise<string> {
  for (let i = 0; i < 500; i++) {
    const { data } = await lab.api('GET', `/nodes/pve1/tasks/${encodeURIComponent(String(upid))}/status`)
    const { status, exitstatus = '' } = data as { status: string; exitstatus?: string }
    if (status === 'stopped') return exitstatus
  }
  throw new Error(`${String(upid)} does not end`)
}

async function keysOf(path: string): Promise<string[]> {
  const { data } = await lab.api('GET', path)
  return Object.keys(data as Record<string, unknown>)
}

const disksIn = (keys: readonly string[]) => keys.filter((key) => key.startsWith('scsi'))

beforeEach(async () => {
  lab = await startSmallLab({ seed: 7 })
})

test('tags that the datacenter keeps for itself fail the task, and what was handled before them stays pending', async () => {
  await lab.api('PUT', '/cluster/options', { 'user-tag-access': 'user-allow=none' })
  const headers = await limitedToken()
  const seen = new Set<number>()
  for (let vmid = 100; vmid < 112; vmid++) {
    await lab.task('POST', qemu, { vmid })
    const { data } = await lab.api('POST', `${qemu}/${vmid}/config`, filling, headers)
    expect(await endOf(data)).toBe("403 Permission check failed (/, Sys.Modify for modifying tag 'ichor')")
    const shown = disksIn(await keysOf(`${qemu}/${vmid}/config`))
    expect(disksIn(await keysOf(`${qemu}/${vmid}/config?current=1`))).toEqual([])
    expect(await keysOf(`${qemu}/${vmid}/config`)).not.toContain('tags')
    const pending = (await lab.api('GET', `${qemu}/${vmid}/pending`)).data as { key: string; pending?: string }[]
    expect(disksIn(pending.filter((entry) => entry.pending !== undefined).map(({ key }) => key)).sort()).toEqual(
      [...shown].sort(),
    )
    for (const disk of shown)
      expect(await lab.task('PUT', `${qemu}/${vmid}/resize`, { disk, size: '2G' })).toBe(
        `disk '${disk}' does not exist`,
      )
    seen.add(shown.length)
  }
  expect([...seen].sort()).toEqual([0, 1, 2])
})

test('the next change of any option applies what was left pending', async () => {
  await lab.task('POST', qemu, { vmid: 100 })
  lab.faults.add({ match: { path: '/100/config$' }, action: { kind: 'fail-config', message: 'out of luck', after: 5 } })
  expect(await lab.task('POST', `${qemu}/100/config`, filling)).toBe('out of luck')
  expect(disksIn(await keysOf(`${qemu}/100/config?current=1`))).toEqual([])
  expect((await lab.api('PUT', `${qemu}/100/config`, { description: 'again' })).status).toBe(200)
  expect(disksIn(await keysOf(`${qemu}/100/config?current=1`))).toEqual(['scsi0', 'scsi1'])
  expect(await lab.task('PUT', `${qemu}/100/resize`, { disk: 'scsi0', size: '2G' })).toBe('OK')
})

test('a change that is ordered to fail stops after some of its options, the same ones with the same seed', async () => {
  const left = async () => {
    lab.faults.add({ match: { path: '/config$' }, action: { kind: 'fail-config', message: 'out of luck' } })
    await lab.task('POST', qemu, { vmid: 100 })
    expect(await lab.task('POST', `${qemu}/100/config`, filling)).toBe('out of luck')
    const entries = (await lab.api('GET', `${qemu}/100/pending`)).data as { key: string; pending?: unknown }[]
    return entries.filter(({ pending }) => pending !== undefined).map(({ key }) => key)
  }
  const first = await left()
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(Object.keys(filling).length)
  await lab.close()
  lab = await startSmallLab({ seed: 7 })
  expect(await left()).toEqual(first)
})

test.each([
  { options: { 'user-tag-access': 'user-allow=list,user-allow-list=ichor;prod' }, tag: 'ichor', may: true },
  { options: { 'user-tag-access': 'user-allow=list,user-allow-list=ichor;prod' }, tag: 'other', may: false },
  { options: { 'user-tag-access': 'user-allow=existing' }, tag: 'there', may: true },
  { options: { 'user-tag-access': 'user-allow=existing' }, tag: 'invented', may: false },
  { options: { 'registered-tags': 'prod' }, tag: 'prod', may: false },
  { options: { 'registered-tags': 'prod' }, tag: 'invented', may: true },
])('a limited token may set a tag: $tag, $may', async ({ options, tag, may }) => {
  const headers = await limitedToken()
  await lab.task('POST', qemu, { vmid: 100, tags: 'there' })
  await lab.task('POST', qemu, { vmid: 101 })
  await lab.api('PUT', '/cluster/options', options)
  const { status, message } = await lab.api('PUT', `${qemu}/101/config`, { tags: tag }, headers)
  expect({ status, message }).toEqual(
    may
      ? { status: 200, message: '' }
      : { status: 403, message: `Permission check failed (/, Sys.Modify for modifying tag '${tag}')\n` },
  )
  expect((await lab.api('PUT', `${qemu}/101/config`, { tags: tag })).status).toBe(200)
})

test('a VM whose tags are not allowed is not made', async () => {
  const headers = await limitedToken()
  await lab.api('PUT', '/cluster/options', { 'user-tag-access': 'user-allow=none' })
  const { data } = await lab.api('POST', qemu, { vmid: 100, tags: 'ichor' }, headers)
  expect(await endOf(data)).toBe(
    "unable to create VM 100 - 403 Permission check failed (/, Sys.Modify for modifying tag 'ichor')",
  )
  expect((await lab.api('GET', `${qemu}/100/config`)).status).toBe(500)
  expect((await lab.api('GET', '/cluster/options', {}, headers)).data).toEqual({ 'allowed-tags': [] })
})

test('an explicit boot order is lost by chance when a CD drive comes with it, and kept when the VM was made with it', async () => {
  const orders: string[] = []
  const bootOf = async (vmid: number) =>
    ((await lab.api('GET', `${qemu}/${vmid}/config`)).data as { boot: string }).boot
  for (let vmid = 100; vmid < 116; vmid++) {
    await lab.task('POST', qemu, { vmid, scsi0: 'local-lvm:1', net0: 'virtio,bridge=vmbr0' })
    await lab.task('POST', `${qemu}/${vmid}/config`, { ide2: 'none,media=cdrom', boot: 'order=ide2;scsi0' })
    orders.push(await bootOf(vmid))
  }
  expect(new Set(orders)).toEqual(new Set(['order=ide2;scsi0', 'order=scsi0;net0;ide2']))

  await lab.task('POST', qemu, { vmid: 200, scsi0: 'local-lvm:1', ide2: 'none,media=cdrom', boot: 'order=ide2;scsi0' })
  await lab.task('POST', `${qemu}/200/config`, { ide2: 'none,media=cdrom', boot: 'order=ide2;scsi0' })
  expect(await bootOf(200)).toBe('order=ide2;scsi0')
})

test('a CD drive that is emptied while the VM runs is appended to the boot order, which stays pending', async () => {
  await lab.task('POST', qemu, { vmid: 100, scsi0: 'local-lvm:1', ide2: 'none,media=cdrom', boot: 'order=scsi0' })
  await lab.task('POST', `${qemu}/100/status/start`)
  await lab.api('PUT', `${qemu}/100/config`, { ide2: 'none,media=cdrom' })
  const pending = (await lab.api('GET', `${qemu}/100/pending`)).data
  expect(pending).toContainEqual({ key: 'boot', value: 'order=scsi0', pending: 'order=scsi0;ide2' })
})
