import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, ended, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
  await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '20', '--detach'])
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

test('Ctrl-C in the middle of a run ends in order, and the next run goes on', async () => {
  const child = desk.start(['up', '--lab', '--yes'])
  const over = ended(child)
  while (child.exitCode === null) {
    const [text] = await once(child.stderr ?? child, 'data')
    if (String(text).includes('done create VM')) break
  }
  child.kill('SIGINT')
  const { code, stderr } = await over
  expect(stderr).toMatch(/Stopped\..* steps are done, .* left/)
  expect(stderr).toContain('Run the same command again to continue.')
  expect(code).toBe(130)

  const next = await desk.ichor(['up', '--lab', '--yes', '--json'])
  expect(next.code).toBe(0)
  expect(JSON.parse(next.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ outcome: 'done' })
})

test('whoever reads a run has gone, as with head: it stops and does not end with 0', async () => {
  const child = desk.start(['destroy', '--lab', '--yes', '--json'])
  const over = once(child, 'exit')
  await once(child.stdout ?? child, 'data')
  child.stdout?.destroy()
  child.stderr?.destroy()
  const [code] = await over
  expect(code).toBe(141)
  expect((await desk.ichor(['destroy', '--lab', '--yes'])).code).toBe(0)
})
