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

test('the error of a failed task has its meaning, its name and its last lines', async () => {
  server.on.set(`${path}/status`, ended("unable to create VM 100 - lvcreate 'pve/vm-100-disk-0' error: no space"))
  server.on.set(`${path}/log`, log('scsi0: creating', 'TASK ERROR: unable to create VM 100'))
  const error = await proxmox.tasks.wait(task, signal).catch((reason: unknown) => reason)
  if (!(error instanceof ProxmoxError)) throw error
  expect(error.kind).toBe('storage-full')
  expect(error.upid).toBe(upid)
  expect(error.message).toContain('scsi0: creating')
})

test('while a task runs, its log lines are handed on once each, without the verdict', async () => {
  const lines = ['create full clone of drive', 'transferred 1.0 GiB of 4.1 GiB (24.39%)']
  server.on.set(`${path}/status`, inTurn(running, running, ended('OK')))
  server.on.set(`${path}/log`, inTurn(log('create full clone of drive'), log(lines[1] ?? '', 'TASK OK')))
  let now = 0
  const waiting = connectTo([server], { clock: { ...hastyClock, monotonic: () => (now += 2000) } })
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

test('a task that never ends is an error with a place to look', async () => {
  let now = 0
  const clock = { ...hastyClock, monotonic: () => (now += 60_000) }
  const waiting = connectTo([server], { clock, taskDeadlineMs: 600_000 })
  server.on.set(`${path}/status`, running)
  await expect(waiting.tasks.wait(task, signal)).rejects.toThrow(/does not finish.*still running after 10 minutes/)
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

const aTask = (vmid: number, type = 'qmstart') => {
  const name = `UPID:pve1:0012ABCD:0A1B2C3D:6917C5A0:${type}:${vmid}:ichor@pve!run:`
  return { ref: { host: 'pve1', upid: name }, status: `GET /nodes/pve1/tasks/${encodeURIComponent(name)}/status` }
}

/** A clock that advances only during sleeps. */
function modelClock() {
  let now = 0
  const sleep = async (ms: number, abort: AbortSignal) => {
    await new Promise(setImmediate)
    abort.throwIfAborted()
    now += ms
  }
  return { ...hastyClock, monotonic: () => now, sleep }
}

test('one question covers all tasks of a host; each is asked for by itself only when it failed or is not listed', async () => {
  const tasks = [100, 101, 102, 103].map((vmid) => aTask(vmid))
  const [ok, alsoOk, failed, unlisted] = tasks
  let looks = 0
  server.on.set('GET /nodes/pve1/tasks', (seen, response) => {
    looks++
    const state = (exit: string) => (looks < 3 ? 'RUNNING' : exit)
    const listed = [
      { upid: ok?.ref.upid, status: state('OK') },
      { upid: alsoOk?.ref.upid, status: state('OK') },
      { upid: failed?.ref.upid, status: state('start failed: QEMU exited with code 1') },
    ]
    gives(listed)(seen, response)
  })
  server.on.set(failed?.status ?? '', ended('start failed: QEMU exited with code 1'))
  server.on.set(failed?.status.replace('/status', '/log') ?? '', log('failed'))
  server.on.set(unlisted?.status ?? '', ended('OK'))
  const patient = connectTo([server], { clock: modelClock() })
  const outcomes = await Promise.allSettled(tasks.map(({ ref }) => patient.tasks.wait(ref, signal)))
  await patient.close()
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  const asked = server.seen.map(({ path: place }) => place).filter((place) => place.endsWith('/status'))
  expect(asked.filter((place) => place.includes('%3A100%3A') || place.includes('%3A101%3A'))).toEqual([])
  expect(server.seen.find(({ path: place }) => place.startsWith('/nodes/pve1/tasks?'))?.path).toBe(
    '/nodes/pve1/tasks?source=all&since=1763165600&limit=500',
  )
})

test('a task is first looked at when one of its type usually ends, and what is seen is learned', async () => {
  const clock = modelClock()
  const endsAfter = (ms: number) => {
    const from = clock.monotonic()
    server.on.set(aTask(100).status, (seen, response) =>
      (clock.monotonic() - from >= ms ? ended('OK') : running)(seen, response),
    )
  }
  const patient = connectTo([server], { clock, usualTaskMs: { qmstart: 1000 } })
  const looksFor = async (ms: number) => {
    server.seen.length = 0
    endsAfter(ms)
    await patient.tasks.wait(aTask(100).ref, signal)
    return server.seen.length
  }
  expect(await looksFor(950)).toBe(1)
  expect(await looksFor(1900)).toBeLessThan(10)
  expect(await looksFor(1900)).toBeLessThanOrEqual(2)
  await patient.close()
})
