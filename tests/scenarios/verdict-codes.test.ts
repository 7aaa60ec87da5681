import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFault } from '../../src/lab/faults/index.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

/** The exit code of a look is its verdict, so that a script needs no JSON. */
let program: Program

beforeAll(async () => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra: 'secrets: plain\n' })
  program = await aProgram({ 'cluster.yaml': yaml }, { topology: aTopology(), speed: 1500 })
}, 60_000)
afterAll(() => program.close())

const looks = ['status', 'health', 'doctor']
const codes = async (...flags: string[]) => {
  const ended: number[] = []
  for (const verb of looks) ended.push((await program.ichor([verb, ...flags])).code)
  return ended
}

test('status, health and doctor end with 0 on a healthy cluster, with 4 on one that is down or degraded', async () => {
  expect((await program.ichor(['status'])).code).toBe(4)
  expect((await program.ichor(['up', '--yes'])).code).toBe(0)
  expect(await codes()).toEqual([0, 0, 0])
  await applyFault(program.lab().lab, 'close-api', { machine: 'dev-wk-1' })
  expect(await codes()).toEqual([4, 4, 4])
  expect(await codes('--exit-zero')).toEqual([0, 0, 0])
}, 120_000)

const always = { times: Number.POSITIVE_INFINITY } as const

test.each([
  { cut: 'Kubernetes', match: { surface: 'kubernetes', path: '.*' } },
  { cut: 'etcd', match: { surface: 'talos', path: '/Etcd' } },
] as const)(
  'with $cut cut off, a cluster that is well otherwise is not called healthy: they end with 1',
  async ({ match }) => {
    const { faults } = program.lab().lab
    await applyFault(program.lab().lab, 'open-api', { machine: 'dev-wk-1' })
    expect(await codes()).toEqual([0, 0, 0])
    faults.add({ match, action: { kind: 'status', status: 503, message: 'no' }, ...always })
    expect(await codes()).toEqual([1, 1, 1])
    expect(await codes('--exit-zero')).toEqual([1, 1, 1])
    const { stdout } = await program.ichor(['status'])
    expect(stdout).toMatch(/^dev {2}UNKNOWN/)
    faults.clear()
  },
  120_000,
)

test('with Talos cut off, every machine is silent: they end with 4', async () => {
  const { faults } = program.lab().lab
  faults.add({
    match: { surface: 'talos', path: '.*' },
    action: { kind: 'status', status: 503, message: 'no' },
    ...always,
  })
  expect(await codes()).toEqual([4, 4, 4])
  faults.clear()
}, 120_000)

test('status, health and doctor end with 1 if Proxmox refuses everything, also with --exit-zero', async () => {
  await applyFault(program.lab().lab, 'status', { surface: 'proxmox', times: 1000, code: 501, message: 'no' })
  for (const verb of looks) expect(await program.ichor([verb, '--exit-zero'])).toMatchObject({ code: 1 })
}, 120_000)
