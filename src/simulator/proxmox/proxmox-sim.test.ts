import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { encodeMedium } from '../core/medium.js'
import { type SmallLab, startSmallLab } from './testing/small-lab.js'

let lab: SmallLab | undefined
afterEach(async () => {
  await lab?.close()
  lab = undefined
})

const medium = {
  kind: 'disk-image',
  talos: 'v1.13.9',
  schematic: 'ce4c',
  platform: 'nocloud',
  arch: 'amd64',
  extensions: [],
  kernelArgs: [],
  secureBoot: false,
  nominalSize: 110_000_000,
  virtualSize: 1246 * 1024 ** 2,
} as const

async function serveImage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => response.end(encodeMedium(medium)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/disk.qcow2`, close: () => server.close() }
}

function multipart(fields: [string, string][], filename: string, bytes: Buffer): { body: Buffer; type: string } {
  const boundary = 'xyz'
  const head = fields
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="filename"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head + file), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

test('the fast path to a machine: image, claim, seed, fill, resize, start, stop, delete', async () => {
  lab = await startSmallLab()
  const image = await serveImage()
  expect(
    await lab.task('POST', '/nodes/pve1/storage/local/download-url', {
      content: 'import',
      filename: 'talos.qcow2',
      url: image.url,
    }),
  ).toBe('OK')
  image.close()
  await lab.api('POST', '/pools', { poolid: 'talos' })
  expect(
    await lab.task('POST', '/nodes/pve1/qemu', {
      vmid: 2000,
      name: 'cp-1',
      pool: 'talos',
      net0: 'virtio=02:00:00:00:00:01,bridge=vmbr0',
      ide2: 'none,media=cdrom',
      smbios1: 'uuid=11111111-2222-4333-8444-555555555555',
    }),
  ).toBe('OK')

  const iso = multipart([['content', 'iso']], 'seed.iso', Buffer.from('CIDATA'))
  const upload = await lab.raw('POST', '/nodes/pve1/storage/local/upload', iso.body, {
    Authorization: `PVEAPIToken=${lab.sim.tokenId}=${lab.sim.tokenSecret}`,
    'Content-Type': iso.type,
    'Content-Length': String(iso.body.length),
  })
  expect(upload.data).toMatch(/:imgcopy::root@pam!lab:$/)
  await lab.clock.sleep(2000)

  const { digest } = (await lab.api('GET', '/nodes/pve1/qemu/2000/config')).data as { digest: string }
  expect(
    await lab.task('POST', '/nodes/pve1/qemu/2000/config', {
      digest,
      scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2',
      ide2: 'local:iso/seed.iso,media=cdrom',
      boot: 'order=scsi0;ide2',
      efidisk0: 'local-lvm:1,efitype=4m',
      bios: 'ovmf',
    }),
  ).toBe('OK')
  expect(await lab.task('PUT', '/nodes/pve1/qemu/2000/resize', { disk: 'scsi0', size: '20G' })).toBe('OK')
  expect(await lab.task('POST', '/nodes/pve1/qemu/2000/status/start')).toBe('OK')

  const hardware = lab.guests.running.get(2000)
  expect(hardware?.uuid).toBe('11111111-2222-4333-8444-555555555555')
  expect(hardware?.firmware).toBe('ovmf')
  expect(hardware?.bootOrder).toEqual(['scsi0', 'ide2'])
  expect(hardware?.disks.map(({ slot, size, content }) => ({ slot, size, image: content.image?.talos }))).toEqual([
    { slot: 'scsi0', size: 20 * 1024 ** 3, image: 'v1.13.9' },
  ])
  expect(Buffer.from(hardware?.cds[0]?.bytes() ?? []).toString()).toBe('CIDATA')
  expect(hardware?.nics).toEqual([{ slot: 'net0', mac: '02:00:00:00:00:01', bridge: 'vmbr0', linkDown: false }])

  expect((await lab.api('DELETE', '/nodes/pve1/qemu/2000')).message).toBe('VM 2000 is running - destroy failed\n')
  expect(await lab.task('POST', '/nodes/pve1/qemu/2000/status/stop')).toBe('OK')
  expect(await lab.task('DELETE', '/nodes/pve1/qemu/2000', { purge: 1 })).toBe('OK')
  expect((await lab.api('GET', '/nodes/pve1/storage/local-lvm/content')).data).toEqual([])
  expect((await lab.api('GET', '/pools', { poolid: 'talos' })).data).toEqual([{ poolid: 'talos', members: [] }])
  expect(lab.sim.unknown()).toEqual([])
})

test('only one of twenty makes the pool', async () => {
  lab = await startSmallLab()
  const { api } = lab
  await api('POST', '/pools', { poolid: 'talos' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api('POST', '/pools', { poolid: 'talos/lease-1' })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.find(({ status }) => status !== 200)?.reason).toBe(
    "create pool failed: pool 'talos/lease-1' already exists",
  )
})

test('a saved lab goes on with its VMs and their disks', async () => {
  lab = await startSmallLab()
  await lab.task('POST', '/nodes/pve2/qemu', { vmid: 300, name: 'kept', scsi0: 'local-lvm:8' })
  await lab.task('POST', '/nodes/pve2/qemu/300/status/start')
  const saved = JSON.parse(JSON.stringify(lab.sim.save()))
  await lab.close()

  lab = await startSmallLab({ resume: saved })
  expect((await lab.api('GET', '/nodes/pve2/qemu/300/status/current')).data).toMatchObject({
    name: 'kept',
    status: 'running',
    maxdisk: 8 * 1024 ** 3,
  })
  expect(lab.guests.running.get(300)?.disks).toHaveLength(1)
})

test('a create whose worker is killed leaves a lock and nothing else', async () => {
  lab = await startSmallLab()
  lab.faults.add({ match: { method: 'POST', path: '/qemu$' }, action: { kind: 'kill-task' } })
  expect(
    await lab
      .task('POST', '/nodes/pve1/qemu', { vmid: 400, name: 'x', pool: 'none' })
      .catch((error: Error) => error.message),
  ).toContain("pool 'none' does not exist")
  lab.faults.add({ match: { method: 'POST', path: '/qemu$' }, action: { kind: 'kill-task' } })
  await lab.task('POST', '/nodes/pve1/qemu', { vmid: 400, name: 'x' })
  const config = (await lab.api('GET', '/nodes/pve1/qemu/400/config')).data
  expect(config).toEqual({ lock: 'create', digest: expect.any(String) })
})

test('the other hosts list a host as online for seconds after it died, and calls for it are lost', async () => {
  lab = await startSmallLab({ speed: 20 })
  const { api, sim } = lab
  const noticed = sim.setHostOnline('pve2', false)
  const listed = async () => {
    const nodes = (await api('GET', '/cluster/status')).data as { name: string; online?: number }[]
    return nodes.find(({ name }) => name === 'pve2')?.online
  }
  expect(await listed()).toBe(1)
  await noticed
  expect(await listed()).toBe(0)
})

test('a host that is off does not answer, and its calls through another host end with 595', async () => {
  lab = await startSmallLab()
  await lab.sim.setHostOnline('pve2', false)
  const answer = await lab.api('GET', '/nodes/pve2/status')
  expect([answer.status, answer.reason, answer.text]).toEqual([595, 'No route to host', ''])
})

test('a host that comes back starts the VMs that start with it, and no others', async () => {
  lab = await startSmallLab()
  await lab.task('POST', '/nodes/pve2/qemu', { vmid: 500, name: 'with-host', onboot: 1 })
  await lab.task('POST', '/nodes/pve2/qemu', { vmid: 501, name: 'by-hand' })
  for (const vmid of [500, 501]) await lab.task('POST', `/nodes/pve2/qemu/${vmid}/status/start`)
  await lab.sim.setHostOnline('pve2', false)
  expect(lab.guests.running.size).toBe(0)
  await lab.sim.setHostOnline('pve2', true)
  const { running } = lab.guests
  await expect.poll(() => [...running.keys()]).toEqual([500])
  const workers = (await lab.api('GET', '/nodes/pve2/tasks', { typefilter: 'qmstart', source: 'all' })).data
  expect((workers as { id: string }[]).filter(({ id }) => id === '501')).toHaveLength(1)
})

test('an import into a full storage fails in its task, and leaves neither VM nor volume', async () => {
  lab = await startSmallLab()
  const image = await serveImage()
  await lab.task('POST', '/nodes/pve1/storage/local/download-url', {
    content: 'import',
    filename: 'talos.qcow2',
    url: image.url,
  })
  image.close()
  lab.sim.fillStorage('pve1', 'local-lvm', 1024)
  const status = await lab.task('POST', '/nodes/pve1/qemu', {
    vmid: 600,
    scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2',
  })
  expect(status).toContain('unable to create VM 600 - lvcreate')
  expect((await lab.api('GET', '/nodes/pve1/qemu/600/config')).message).toContain('does not exist')
  expect((await lab.api('GET', '/nodes/pve1/storage/local-lvm/content')).data).toEqual([])
})

test('a user without rights makes no VM', async () => {
  lab = await startSmallLab()
  await lab.api('POST', '/access/users', { userid: 'guest@pve' })
  const { value } = (await lab.api('POST', '/access/users/guest@pve/token/tk', { privsep: 0 })).data as {
    value: string
  }
  const answer = await lab.api(
    'POST',
    '/nodes/pve1/qemu',
    { vmid: 700 },
    { Authorization: `PVEAPIToken=guest@pve!tk=${value}` },
  )
  expect([answer.status, answer.reason]).toEqual([403, 'Permission check failed'])
})

test('an unknown path is answered like the real API and recorded', async () => {
  lab = await startSmallLab()
  const answer = await lab.api('GET', '/nodes/pve1/nothing')
  expect([answer.status, answer.message]).toEqual([501, "Method 'GET /nodes/pve1/nothing' not implemented"])
  expect(lab.sim.unknown()).toEqual(['GET /nodes/pve1/nothing'])
})
