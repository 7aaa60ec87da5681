import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProxmoxError } from '../model/proxmox-error.js'
import { parseUpid } from '../model/upid.js'
import type { ProxmoxPort } from './port.js'
import { connectTo, fails, gives, hastyClock, inTurn, startTinyServer, type TinyServer } from './testing/tiny-server.js'

const signal = new AbortController().signal
const upid = 'UPID:pve1:0012ABCD:0A1B2C3D:6917C5A0:qmcreate:100:ichor@pve!run:'
const task = { host: 'pve1', upid }
const path = `GET /nodes/pve1/tasks/${encodeURIComponent(upid)}`
const running = gives({ status: 'running' })
const ended = (exitstatus: string) => gives({ status: 'stopped', exitstatus })
const log = (...lines: string[]) =>
  gives(
    lines.map((t, i) => ({ n: i + 1, t })),
    { total: lines.length },
  )

let server: TinyServer
let proxmox: ProxmoxPort
beforeEach(async () => {
  server = await startTinyServer()
  proxmox = connectTo([server])
})
afterEach(async () => {
  await proxmox.close()
  await server.close()
})

test('a task is waited for until it ends, also when it is not visible at first', async () => {
  const invisible = fails(400, 'Parameter verification failed.', { upid: 'no such task' })
  server.on.set(`${path}/status`, inTurn(invisible, running, running, ended('OK')))
  expect(await proxmox.tasks.wait(task, signal)).toEqual({ warnings: [] })
})

test('warnings are no failure, and are reported', async () => {
  server.on.set(`${path}/status`, ended('WARNINGS: 1'))
  server.on.set(`${path}/log`, log('purging VM 100', 'WARN: could not remove disk', 'TASK WARNINGS: 1'))
  expect(await proxmox.tasks.wait(task, signal)).toEqual({ warnings: ['could not remove disk'] })
})

test('a failed task says what it means, with its name and last lines', async () => {
  server.on.set(`${path}/status`, ended("unable to create VM 100 - lvcreate 'pve/vm-100-disk-0' error: no space"))
  server.on.set(`${path}/log`, log('scsi0: creating', 'TASK ERROR: unable to create VM 100'))
  const error = await proxmox.tasks.wait(task, signal).catch((reason: unknown) => reason)
  if (!(error instanceof ProxmoxError)) throw error
  expect(error.kind).toBe('storage-full')
  expect(error.upid).toBe(upid)
  expect(error.message).toContain('scsi0: creating')
})

test('log lines are handed on once each, without the verdict', async () => {
  const lines = ['create full clone of drive', 'transferred 1.0 GiB of 4.1 GiB (24.39%)']
  server.on.set(`${path}/status`, inTurn(running, ended('OK')))
  server.on.set(`${path}/log`, inTurn(log('create full clone of drive'), log(lines[1] ?? '', 'TASK OK')))
  let now = 0
  const waiting = connectTo([server], { clock: { ...hastyClock, monotonic: () => (now += 1000) } })
  const heard: string[] = []
  await waiting.tasks.wait(task, signal, (line) => heard.push(line))
  await waiting.close()
  expect(heard).toEqual(lines)
  expect(
    server.seen
      .map((seen) => seen.path)
      .filter((seen) => seen.includes('/log'))
      .at(-1),
  ).toContain('start=1')
})

test('a task that never ends gives an error that says where to look', async () => {
  let now = 0
  const clock = { ...hastyClock, monotonic: () => (now += 60_000) }
  const waiting = connectTo([server], { clock, taskDeadlineMs: 600_000 })
  server.on.set(`${path}/status`, running)
  await expect(waiting.tasks.wait(task, signal)).rejects.toThrow(
    /does not come to an end.*still running after 10 minutes/,
  )
  await waiting.close()
})

test('running tasks are distinguished by type, VM and user', async () => {
  server.on.set('GET /nodes/pve1/tasks', gives([{ upid, status: 'RUNNING', user: 'ichor@pve!run' }]))
  expect(await proxmox.tasks.running('pve1', signal)).toEqual([
    { host: 'pve1', upid, type: 'qmcreate', id: '100', user: 'ichor@pve!run', startedAt: 0x6917c5a0 },
  ])
})

test.each(['', 'UPID:pve1', 'OK', undefined, 7])('%j names no worker', (text) => {
  expect(parseUpid(text)).toBeUndefined()
})
