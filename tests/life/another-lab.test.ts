import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program
beforeAll(async () => {
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0, extra: 'secrets: plain\n' }) }
  program = await aProgram(files, { topology: aTopology(), speed: 1000 })
})
afterAll(() => program.close())

test('a new lab, and the secrets of a cluster in an old one: plan and up agree that it is made again', async () => {
  expect(await program.ichor(['up', '--yes', '--until', 'bootstrap'])).toMatchObject({ code: 0 })
  await program.loseEverything()
  const plan = await program.ichor(['plan', '--json'])
  expect(plan).toMatchObject({ code: 0 })
  const kinds = (plan.json()[0] as { steps: { kind: string }[] }).steps.map(({ kind }) => kind)
  expect(kinds).toContain('bootstrap-etcd')
  expect(await program.ichor(['up', '--yes', '--until', 'bootstrap'])).toMatchObject({ code: 0 })
})
