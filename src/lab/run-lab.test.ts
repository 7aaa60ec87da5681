import { mkdtemp, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  controlLab,
  findLab,
  type LabInfo,
  labFile,
  listLabs,
  plainTopology,
  type RunningLab,
  runLab,
} from './index.js'
import { writeLabFile } from './lab-file.js'

let folder = ''
let running: RunningLab | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

test('a lab is found by its file, takes orders, and its file goes with it', async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-'))
  const env = { ICHOR_LAB_DIR: folder }
  expect(await findLab(env)).toBeUndefined()
  running = await runLab({ topology: plainTopology(2), speed: 100 }, env)
  expect((await stat(labFile(env))).mode & 0o777).toBe(0o600)

  const info = await findLab(env)
  expect(info).toMatchObject({ endpoint: running.lab.proxmox.endpoint, pid: process.pid })
  if (info === undefined) return
  const control = controlLab(info)
  await control.fault('refuse', {})
  expect(running.lab.faults.list()).toHaveLength(1)
  expect(Object.keys((await control.status()).hosts)).toEqual(['pve1', 'pve2'])
  const room = () => running?.lab.proxmox.save().state.filled
  await control.fault('fill-storage', { storage: 'pve1/local-lvm' })
  expect(room()).toMatchObject({ 'pve1|local-lvm': 0 })
  await control.fault('free-storage', { storage: 'pve1/local-lvm' })
  expect(room()).toEqual({})
  await control.fault('host-offline', { host: 'pve2' })
  await expect(control.fault('host-offline', { host: 'nobody' })).rejects.toThrow(
    'The lab has no host "nobody"; it has pve1, pve2.',
  )
  await expect(control.fault('hang', { machine: 'cp-1' })).rejects.toThrow(
    'No machine "cp-1" has power in this lab; these have: none.',
  )
  await control.fault('slow-storage', { storage: 'pve1/local', factor: 3 })
  await expect(control.fault('cut', { from: ['operator'] })).rejects.toThrow('cut needs --to.')
  await expect(control.fault('heal', { host: 'pve1' })).rejects.toThrow('heal takes no --host.')
  await control.fault('cut', { from: ['operator'], to: ['cp-1'] })
  expect(running.lab.network.cuts.list()).toHaveLength(1)
  await control.fault('heal', {})
  expect(running.lab.network.cuts.list()).toEqual([])
  await control.stop()
  await running.stopRequested

  await running.close()
  running = undefined
  expect(await findLab(env)).toBeUndefined()
})

test('labs with names run beside each other, each with its own credentials', async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-'))
  const env = (name: string) => ({ ICHOR_LAB_DIR: folder, ICHOR_LAB: name })
  running = await runLab({ topology: plainTopology(1), speed: 100 }, env('1'))
  const other = await runLab({ topology: plainTopology(1), speed: 100 }, env('other'))
  try {
    const [one, two] = [await findLab({ ICHOR_LAB_DIR: folder }), await findLab(env('other'))]
    expect([one?.endpoint, two?.endpoint]).toEqual([running.info.endpoint, other.info.endpoint])
    expect(one?.token_secret).not.toBe(two?.token_secret)
    expect(one?.root_password).not.toBe(two?.root_password)
    expect((await listLabs(env('1'))).map(({ name }) => name)).toEqual(['default', 'other'])
    expect(labFile(env('other'))).toBe(join(folder, 'other', 'lab.json'))
  } finally {
    await other.close()
  }
  expect((await listLabs(env('1'))).map(({ name }) => name)).toEqual(['default'])
  await expect(findLab(env('../elsewhere'))).rejects.toThrow('cannot be the name of a lab')
})

test('what a killed lab left behind is no lab, although its pid has gone to another process', async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-'))
  const env = { ICHOR_LAB_DIR: folder }
  await writeLabFile(env, { pid: process.pid, control: join(folder, 'lab-1.sock') } as LabInfo)
  expect(await findLab(env)).toBeUndefined()
})

test('a port that is in use on every address is reported with the way out', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '0.0.0.0', resolve))
  const { port } = other.address() as AddressInfo
  await expect(runLab({ topology: plainTopology(1), port }, { ICHOR_LAB_DIR: folder })).rejects.toMatchObject({
    message: expect.stringMatching(`cannot listen on port ${port} of 127\\.\\d+\\.0\\.2: it is in use`),
    fix: expect.stringContaining('--port'),
  })
  other.close()
})
