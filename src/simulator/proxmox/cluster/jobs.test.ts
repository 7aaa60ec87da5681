import { afterEach, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let lab: SmallLab
afterEach(() => lab.close())

test('the list of backup jobs says when each runs next; a job that is asked for alone does not', async () => {
  lab = await startSmallLab()
  const job = { id: 'nightly', schedule: '02:30', storage: 'local', vmid: '100', enabled: 1 }
  expect(await lab.api('POST', '/cluster/backup', job)).toMatchObject({ status: 200 })
  const [listed] = (await lab.api('GET', '/cluster/backup')).data as { 'next-run'?: number }[]
  const next = new Date((listed?.['next-run'] ?? 0) * 1000)
  expect(next.toISOString()).toMatch(/T02:30:00/)
  expect(next.getTime()).toBeGreaterThan(lab.clock.now())
  expect((await lab.api('GET', '/cluster/backup/nightly')).data).not.toHaveProperty('next-run')
})
