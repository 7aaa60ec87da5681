import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fake } from '../../../tests/support/fake.js'
import type { PlannedAddon } from '../../addons/planned-addon.js'
import { PlanRefused } from '../../errors.js'
import type { PlannedStep } from '../../plan/plan.js'
import { installAddon } from '../../steps/install-addon.js'
import { snapshotEtcd } from '../../steps/snapshot-etcd.js'
import type { BackupPort } from '../../world.js'
import { unreachable } from './unreachable.js'

let asked: string[]
let address: string
const server = createServer(({ url = '' }, answer) => {
  asked.push(url)
  answer.writeHead(404).end()
})

beforeEach(async () => {
  asked = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const aChart = (repository: string) =>
  fake<PlannedAddon>({
    managedBy: 'ichor',
    source: { kind: 'chart', repository, chart: 'x', version: '1', release: 'x', values: {} },
  })
const closed = 'http://127.0.0.1:1'

interface Given {
  readonly kinds: readonly string[]
  readonly repositories?: readonly string[]
  readonly isLab?: boolean
  reach?(): Promise<void>
}

const look = ({ kinds, repositories = [], isLab = false, reach = async () => {} }: Given) =>
  unreachable({
    wanted: { addons: repositories.map(aChart), isLab },
    plan: { steps: kinds.map((kind) => fake<PlannedStep>({ kind })) },
    world: { backups: fake<BackupPort>({ location: 's3://snapshots', reach }) },
    signal: AbortSignal.timeout(20_000),
  })

test('a chart repository that answers, whatever it says, is no note, and one that does not is', async () => {
  const { notes } = await look({ kinds: [installAddon.kind], repositories: [address, closed, closed] })
  expect(notes).toMatchObject([{ title: expect.stringContaining(`The charts at ${closed} do not answer from here`) }])
  expect(asked).toHaveLength(1)
})

test('a store of snapshots that does not answer is a note before the upgrade that needs it', async () => {
  const reach = () => Promise.reject(new Error('connect ECONNREFUSED'))
  expect((await look({ kinds: [snapshotEtcd.kind], reach })).notes).toMatchObject([
    { title: expect.stringContaining('s3://snapshots does not answer: connect ECONNREFUSED') },
  ])
})

test('keys that are not bound to the store are a refusal', async () => {
  const refusal = new PlanRefused('The keys are bound to another bucket.', {
    findings: [],
    where: 'backup',
    fix: 'Look.',
  })
  const { refused } = await look({ kinds: [snapshotEtcd.kind], reach: () => Promise.reject(refusal) })
  expect(refused).toEqual([refusal])
})

test('what the plan does not need is not asked, and a lab has charts of its own', async () => {
  const reach = () => Promise.reject(new Error('nobody should ask'))
  expect(await look({ kinds: ['start'], repositories: [closed], reach })).toEqual({ refused: [], notes: [] })
  expect(await look({ kinds: [installAddon.kind], repositories: [closed], isLab: true })).toMatchObject({ notes: [] })
})
