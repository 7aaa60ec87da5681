import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSilenceNotice } from './silence-notice.js'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => vi.useRealTimers())

function aWatch() {
  const heard: string[] = []
  const watch = createSilenceNotice((text) => heard.push(text))
  const ends: (() => void)[] = []
  const ask = (what: string) =>
    watch('pve1:8006', what, () => new Promise<void>((resolve) => ends.push(() => resolve())))
  return { heard, ask, ends }
}

test('a silent host is named within seconds, and repeatedly', async () => {
  const { heard, ask, ends } = aWatch()
  const asked = ask('GET /version')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(heard).toEqual(['waiting for pve1:8006 to answer GET /version.'])
  await vi.advanceTimersByTimeAsync(68_000)
  expect(heard.slice(1)).toEqual([
    'pve1:8006 has not answered GET /version for 15 s.',
    'pve1:8006 has not answered GET /version for 30 s.',
    'pve1:8006 has not answered GET /version for 60 s.',
  ])
  ends.shift()?.()
  await asked
  await vi.advanceTimersByTimeAsync(600_000)
  expect(heard, 'nothing after the answer').toHaveLength(4)
})

test('many calls to one silent host are one notice, and a host that answers others is not silent', async () => {
  const { heard, ask, ends } = aWatch()
  const all = [ask('GET /version'), ask('GET /nodes'), ask('GET /pools')]
  await vi.advanceTimersByTimeAsync(1_500)
  ends.shift()?.()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(heard).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(heard).toEqual(['waiting for pve1:8006 to answer GET /nodes.'])
  for (const end of ends) end()
  await Promise.all(all)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(heard, 'nothing after the answers').toHaveLength(1)
})

test('a failure ends the silence as an answer does', async () => {
  const heard: string[] = []
  const watch = createSilenceNotice((text) => heard.push(text))
  await expect(watch('pve1:8006', 'GET /version', () => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(heard).toEqual([])
})
