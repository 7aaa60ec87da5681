import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { anInventory } from '../../tests/support/inventories.js'
import { aViewOf } from '../../tests/support/plan-views.js'
import { aWorld, planOf, specFor } from '../../tests/support/worlds.js'
import { aBundle } from '../talos/config/testdata/a-machine.js'
import {
  type ApprovedPlan,
  planFileText,
  readApproved,
  refuseChangedInventory,
  refuseExpired,
  refuseUnsealed,
  useOnce,
} from './approved-plan.js'

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

test.each(['null', '[]', '{"version":2,"steps":[null]}', '{"version":2,"steps":[{"id":"a"}]}'])(
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
  const inventory = await anInventory({ controlPlanes: 1, workers: 0, hosts: ['pve1'] })
  const spec = specFor(inventory)
  const view = aViewOf(planOf(spec, observed), { desired: spec(observed), observed })
  const secrets = { bundle: aBundle(), memory: { bootstrapped: false, values: {} } }
  const text = await planFileText(view, { madeFrom: inventory, secrets, lease: 3, place: { isLab: false } })
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

const origin = { made_at: '2026-11-15T12:00:00.000Z', expires: '2026-11-18T12:00:00.000Z', lease: 3 }

test('a plan covers the inventory that it was made from', async () => {
  const steps = { version: 2, cluster: 'dev', digest: 'a', target: null, steps: [] }
  const approvedOf = async (content: object) => {
    await writeFile(
      join(cwd, 'tonight.json'),
      JSON.stringify({ ...steps, goal: 'up', ...origin, cluster_id: null, seal: null, ...content }),
    )
    return readApproved('tonight.json', context())
  }
  const approved = await approvedOf({ inventory: { roll: 'a', vm: 'b', 'patch.yaml': 'c' } })
  expect(() => refuseChangedInventory(approved, { 'patch.yaml': 'c', roll: 'a', vm: 'b' })).not.toThrow()
  const now = { roll: 'other', vm: 'b', backup: 'new' }
  expect(() => refuseChangedInventory(approved, now)).toThrow(
    'The inventory has changed since this plan was created: backup, patch.yaml, roll.',
  )
})

const approval = (more: object = {}): ApprovedPlan =>
  ({ ...origin, seal: 'v1:a', file: '/tonight.json', named: 'tonight.json', ...more }) as ApprovedPlan

test('a plan is valid for 72 hours', () => {
  const at = Date.parse('2026-11-18T12:00:00.000Z')
  expect(() => refuseExpired(approval(), at - 1)).not.toThrow()
  expect(() => refuseExpired(approval(), at)).toThrow('This plan expired at 2026-11-18T12:00:00.000Z.')
  expect(() => refuseExpired(approval({ expires: 'never' }), at)).toThrow('expired')
})

test('a plan is carried out once, also after its first run was killed', async () => {
  const secrets = { bundle: aBundle(), memory: { bootstrapped: false, values: {} } }
  const { signal } = new AbortController()
  let ledger: string | undefined
  const lease = (number: number) => ({
    number,
    ledger,
    rememberLedger: async (text: string | undefined) => {
      ledger = text
    },
  })
  const expires = new Date(Date.now() + 60_000).toISOString()
  const use = (number: number, more: object = {}) =>
    useOnce(approval({ expires, ...more }), lease(number), secrets, signal)
  await use(4)
  await expect(use(5)).rejects.toThrow('carried out already')
  await use(5, { seal: 'v1:another' })
  await expect(use(6)).rejects.toThrow('carried out already')
  await expect(use(2, { seal: 'v1:third' })).rejects.toThrow('earlier life')
  ledger = 'v1:e30:AAAA'
  await expect(use(7, { seal: 'v1:fourth' })).rejects.toThrow('changed by another program')
})

test('a plan file of an earlier version is refused, with the command that makes a new one', async () => {
  await writeFile(join(cwd, 'tonight.json'), '{"version":1,"cluster":"dev","goal":"up","steps":[],"seal":null}')
  await expect(readApproved('tonight.json', context())).rejects.toMatchObject({
    exitCode: 3,
    message: 'This plan was created by an earlier ichor.',
    fix: 'Create a new plan with ichor plan --out tonight.json and have it approved.',
  })
})
