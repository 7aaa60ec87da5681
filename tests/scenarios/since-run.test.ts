import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFault } from '../../src/lab/faults/index.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

let program: Program

beforeAll(async () => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra: 'secrets: plain\n' })
  const insecure = yaml.replace('datastore: local-lvm', 'datastore: local-lvm\n  insecure: true')
  program = await aProgram({ 'cluster.yaml': insecure }, { topology: aTopology(), speed: 1500 })
  expect((await program.ichor(['up', '--yes'])).code).toBe(0)
}, 120_000)
afterAll(() => program.close())

const found = async (...flags: string[]) => {
  const { stdout } = await program.ichor(['doctor', '--json', ...flags])
  const { findings } = JSON.parse(stdout) as { findings: { code: string; subject: { name: string } }[] }
  return findings.map(({ code, subject }) => `${code} ${subject.name}`)
}

test('since a run, only what its plan did not name is listed', async () => {
  await applyFault(program.lab().lab, 'close-api', { machine: 'dev-wk-1' })
  expect(await found()).toEqual(expect.arrayContaining(['ICH0121 proxmox.insecure', 'ICH0303 dev-wk-1']))
  const since = await found('--since', 'last')
  expect(since).toContain('ICH0303 dev-wk-1')
  expect(since).not.toContain('ICH0121 proxmox.insecure')
}, 120_000)

test('a run that nobody knows is refused', async () => {
  expect(await program.ichor(['doctor', '--since', 'nope'])).toMatchObject({ code: 2 })
})
