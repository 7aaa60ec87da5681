import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, type Stage } from '../support/lab.js'
import { replace } from '../support/verbs.js'
import { isWell, majorityWasKept, reset, wanting } from '../support/worst-day.js'

/** Static addresses, no DHCP, and no guest agent that could tell where a machine is. */
const withoutAgent = (text: string) => text.replace('network:\n', 'network:\n  agent: false\n')

let stage: Stage
beforeAll(async () => {
  stage = await aStage({ speed: 1500, files: { 'cluster.yaml': withoutAgent(wanting(5, 2)) } })
  await stage.up({ signal: AbortSignal.timeout(300_000) })
})
afterAll(() => stage.close())

const patience = () => AbortSignal.timeout(300_000)

test('control planes that are not wanted any more are found by their nodes, and leave etcd by themselves', async () => {
  const from = stage.lab.clock.now()
  await stage.write('cluster.yaml', withoutAgent(wanting(3, 1)))
  expect((await stage.up({ signal: patience() })).outcome).toBe('done')
  const members = stage.lab.ledger
    .entries()
    .filter(({ at, event }) => at > from && /^etcd\.member-(left|removed)$/.test(event))
    .map(({ event, subject }) => `${event} ${subject}`)
  expect(members.sort()).toEqual(['etcd.member-left dev-cp-4', 'etcd.member-left dev-cp-5'])
  await isWell(stage, from)
})

test('somebody reset a worker, which has no address now: up names the way out, and replace makes it again', async () => {
  const from = stage.lab.clock.now()
  await reset(stage, 'dev-wk-1')
  await expect(stage.up({ signal: patience() })).rejects.toMatchObject({
    exitCode: 1,
    fix: expect.stringContaining('ichor replace dev-wk-1'),
  })
  expect((await stage.up({ change: replace('dev-wk-1'), forceUnlock: true, signal: patience() })).outcome).toBe('done')
  await isWell(stage, from)
  majorityWasKept(stage, from)
})
