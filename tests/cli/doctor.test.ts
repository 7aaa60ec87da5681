import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, smallInventory } from './ichor.js'

let desk: Desk
beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', smallInventory)
  await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach'])
  await desk.ichor(['up', '--lab', '--yes'])
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

test('a new cluster only lacks a backup; a worker that hangs is a problem with its cure', async () => {
  const well = await desk.ichor(['doctor', '--lab'])
  expect(well.stdout).toContain('dev  1 note')
  expect(well.stdout).toContain('ICH0902  There is no snapshot of etcd.')
  expect(well.code).toBe(0)

  await desk.ichor(['lab', 'fault', 'hang', '--machine', 'dev-wk-1'])
  const sick = await desk.ichor(['doctor', '--lab', '--json'])
  const { findings, unknown } = JSON.parse(sick.stdout)
  expect(findings[0]).toMatchObject({ code: 'ICH0303', subject: { kind: 'machine', name: 'dev-wk-1' } })
  expect(unknown.map(({ what }: { what: string }) => what)).toEqual(['dev-wk-1'])
  expect(sick.code).toBe(4)
})
