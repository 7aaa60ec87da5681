import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, planOf, specFor } from '../../tests/support/worlds.js'
import { planReport } from '../report/plan/plan-report.js'
import { aBundle } from '../talos/config/testdata/a-machine.js'
import { planFileText, readApproved, refuseUnsealed } from './approved-plan.js'

let cwd = ''
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'ichor-plan-'))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const output = { write: () => undefined }
const context = () => ({
  cwd,
  stdout: output,
  stderr: output,
  stdin: Readable.from([]),
  env: {},
  signal: new AbortController().signal,
  program: 'ichor',
})

test.each(['null', '[]', '{"version":1,"steps":[null]}', '{"version":1,"steps":[{"id":"a"}]}'])(
  'a file with %s holds no plan',
  async (text) => {
    await writeFile(join(cwd, 'plan.json'), text)
    await expect(readApproved('plan.json', context())).rejects.toMatchObject({
      name: 'FileError',
      message: 'The file holds no plan.',
    })
  },
)

test('a plan that was edited is refused, and so is one of another cluster', async () => {
  const observed = aWorld(['pve1'])
  const spec = specFor(await anInventory({ controlPlanes: 1, workers: 0, hosts: ['pve1'] }))
  const report = planReport(planOf(spec, observed), { desired: spec(observed), observed })
  const secrets = { bundle: aBundle(), memory: { bootstrapped: false, values: {} } }
  const text = planFileText(report, { goal: 'up', target: null }, secrets, new Date('2026-11-15T12:00:00Z'))
  const approvedOf = async (content: string) => {
    await writeFile(join(cwd, 'plan.json'), content)
    return readApproved('plan.json', context())
  }
  const approved = await approvedOf(text)
  expect(() => refuseUnsealed(approved, secrets)).not.toThrow()
  const edited = await approvedOf(text.replace(/"digest": "[0-9a-f]{8}/, '"digest": "00000000'))
  expect(() => refuseUnsealed(edited, secrets)).toThrow('its seal is invalid')
  const other = { ...secrets, bundle: { ...secrets.bundle, cluster: { id: 'x', secret: 'y' } } }
  expect(() => refuseUnsealed(approved, other)).toThrow('belongs to another cluster')
  const unsealed = await approvedOf(text.replace(/"seal": "[^"]+"/, '"seal": null'))
  expect(() => refuseUnsealed(unsealed, secrets)).toThrow('has no seal')
})
