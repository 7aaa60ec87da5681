import { beforeAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import {
  aStanding,
  bad,
  badVms,
  fromStanding,
  good,
  goodVms,
  rulesOf,
  type Standing,
  switchOn,
  vmRulesOf,
} from '../support/firewall-stories.js'
import { mutatingCalls } from '../support/lab.js'
import { oneIn } from '../support/sample.js'

let standing: Standing
let calls: number
beforeAll(async () => {
  standing = await aStanding()
  calls = await fromStanding(standing, good, async (stage) => {
    const before = mutatingCalls(stage.lab).length
    await stage.up()
    return mutatingCalls(stage.lab).length - before
  })
})

/** Labs that go on from the same one want the same port for their factory, which stands in the configs of the machines. */
const oneLab = { sideBySide: 1 }
const machines = ['dev-cp-1', 'dev-wk-1']

test('killed at calls of a new firewall: the next up finishes it', async () => {
  expect(calls).toBeGreaterThanOrEqual(4)
  const story = (nth: number) =>
    fromStanding(standing, good, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up().catch(() => undefined)
      stage.lab.faults.clear()
      expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
      const rules = machines.map((name) => rulesOf(stage, name))
      expect(rules).toEqual(
        machines.map(() => ({
          active: expect.arrayContaining(['talos-api']),
          kept: expect.arrayContaining(['talos-api']),
        })),
      )
    })
  expect(await forEveryCall(calls, story, { ...oneLab, oneIn: oneIn(2) })).toEqual([])
}, 900_000)

test('killed at calls of a firewall that cuts the operator off: it is gone', async () => {
  const story = (nth: number) =>
    fromStanding(standing, bad, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up().catch(() => undefined)
      stage.lab.faults.clear()
      await expect(stage.up({ forceUnlock: true })).rejects.toThrow('It was taken back')
      expect(machines.map((name) => rulesOf(stage, name))).toEqual(machines.map(() => ({ active: [], kept: [] })))
    })
  expect(await forEveryCall(calls, story, { ...oneLab, oneIn: oneIn(2) })).toEqual([])
}, 900_000)

/** The same cluster in a datacentre whose firewall is on. */
async function switchedOn(): Promise<Standing> {
  return fromStanding(standing, goodVms, async (stage) => {
    await switchOn(stage)
    return { ...standing, lab: stage.lab.save() }
  })
}

test.each([
  { what: 'rules on VMs: the next up finishes them', inventory: goodVms, outcome: /^(done|nothing-to-do)$/, groups: 1 },
  {
    what: 'rules on VMs that cut the operator off: they are gone',
    inventory: badVms,
    outcome: /taken back/,
    groups: 0,
  },
])(
  'killed at calls of $what',
  async ({ inventory, outcome, groups }) => {
    const on = await switchedOn()
    const count = await fromStanding(on, goodVms, async (stage) => {
      const before = mutatingCalls(stage.lab).length
      await stage.up()
      return mutatingCalls(stage.lab).length - before
    })
    const story = (nth: number) =>
      fromStanding(on, inventory, async (stage) => {
        stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
        await stage.up().catch(() => undefined)
        stage.lab.faults.clear()
        const ended = await stage.up({ forceUnlock: true }).then(
          (result) => result.outcome,
          (thrown: Error) => thrown.message,
        )
        expect(ended).toMatch(outcome)
        const rules = machines.map((name) => vmRulesOf(stage, name))
        expect(rules).toMatchObject(machines.map(() => ({ groups, isTried: false })))
      })
    expect(count).toBeGreaterThan(20)
    const sample = { ...oneLab, oneIn: oneIn(Math.ceil(count / 4)) }
    expect(await forEveryCall(count, story, sample)).toEqual([])
  },
  1_400_000,
)
