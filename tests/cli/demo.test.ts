import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageState } from '../../src/page/state.js'
import { aDesk, type Desk, ended } from './ichor.js'

let desk: Desk
beforeAll(() => {
  desk = aDesk()
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

test('the demo names ichor ui as what to try next, and on the lab that it keeps that works', async () => {
  const short = await desk.ichor(['demo', '--speed', '500'])
  expect([short.code, short.stdout]).toEqual([0, expect.stringMatching(/ichor demo --keep .*ichor ui/)])
  // Its secrets are gone when it ends: there is no key to keep.
  expect(short.stderr).not.toContain('age key')
  const kept = await desk.ichor(['demo', '--keep'])
  const command = /^ {2}ichor (ui .*?) {2,}/m.exec(kept.stdout)?.[1]
  expect([kept.code, command]).toEqual([0, 'ui --lab -i ichor-demo'])
  const page = desk.start([...(command ?? '').split(' '), '--no-open'])
  try {
    const link = await new Promise<URL>((resolve, reject) => {
      page.stdout?.once('data', (chunk) => resolve(new URL(String(chunk).trim())))
      page.once('close', () => reject(new Error('ichor ui ended')))
    })
    const ask = async () => {
      const headers = { 'x-ichor-token': link.hash.slice('#token='.length) }
      return (await (await fetch(new URL('/state', link), { headers })).json()) as PageState
    }
    await expect
      .poll(async () => (await ask()).clusters[0]?.snapshot?.verdict.word, { timeout: 30_000 })
      .toBe('HEALTHY')
    expect((await ask()).clusters[0]?.name).toBe('demo')
  } finally {
    const end = ended(page)
    page.kill('SIGINT')
    await end
  }
})
