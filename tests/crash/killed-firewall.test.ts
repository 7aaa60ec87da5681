import { beforeAll, expect, test } from 'vitest'
import {
  aStanding,
  bad,
  badVms,
  fromStanding,
  good,
  goodVms,
  probingNodes,
  rulesOf,
  type Standing,
  switchOn,
  vmRulesOf,
} from '../support/firewall-stories.js'
import { callsOfUp, killedAtCalls, nextUp } from '../support/killed-firewall.js'

let standing: Standing
/** The same cluster in a datacenter whose firewall is on. */
let switchedOn: Standing
beforeAll(async () => {
  standing = await aStanding()
  switchedOn = await fromStanding(standing, goodVms, async (stage) => {
    await switchOn(stage)
    return { ...standing, lab: stage.lab.save() }
  })
}, 300_000)

const machines = ['dev-cp-1', 'dev-wk-1']
const finished = /^(done|nothing-to-do)$/

test.each([
  {
    title: 'killed at calls of a new firewall: the next up finishes it',
    inventory: good,
    ends: finished,
    names: ['talos-api'],
  },
  {
    title: 'killed at calls of a firewall that cuts the operator off: it is gone',
    inventory: bad,
    ends: /The change was rolled back/,
    names: [],
  },
])(
  '$title',
  async ({ inventory, ends, names }) => {
    const calls = await callsOfUp(standing, good)
    expect(calls).toBeGreaterThanOrEqual(4)
    const rules = expect.arrayContaining(names)
    const failures = await killedAtCalls({ from: standing, inventory, calls, most: 6 }, async (stage) => {
      expect(await nextUp(stage)).toMatch(ends)
      const found = machines.map((name) => rulesOf(stage, name))
      expect(found).toEqual(
        machines.map(() => (names.length === 0 ? { active: [], kept: [] } : { active: rules, kept: rules })),
      )
      expect(probingNodes(stage)).toEqual([])
    })
    expect(failures).toEqual([])
  },
  1_400_000,
)

test.each([
  {
    title: 'killed at calls of rules on VMs: the next up finishes them',
    inventory: goodVms,
    ends: finished,
    groups: 1,
  },
  {
    title: 'killed at calls of rules on VMs that cut the operator off: they are gone',
    inventory: badVms,
    ends: /rolled back/,
    groups: 0,
  },
])(
  '$title',
  async ({ inventory, ends, groups }) => {
    const calls = await callsOfUp(switchedOn, goodVms)
    expect(calls).toBeGreaterThan(20)
    const failures = await killedAtCalls({ from: switchedOn, inventory, calls, most: 4 }, async (stage) => {
      expect(await nextUp(stage)).toMatch(ends)
      const found = machines.map((name) => vmRulesOf(stage, name))
      expect(found).toMatchObject(machines.map(() => ({ groups, isTried: false })))
      expect(probingNodes(stage)).toEqual([])
    })
    expect(failures).toEqual([])
  },
  1_400_000,
)
