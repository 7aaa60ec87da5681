import { beforeAll, expect, test } from 'vitest'
import {
  aStanding,
  badHosts,
  fromStanding,
  goodHosts,
  hostFirewallOf,
  probingNodes,
  type Standing,
} from '../support/firewall-stories.js'
import { callsOfUp, callsUntil, killedAtCalls, nextUp } from '../support/killed-firewall.js'
import type { Stage } from '../support/lab.js'

const networks = (...cidrs: string[]) => goodHosts.replace('10.99.0.0/24', cidrs.join(', '))
const both = networks('10.99.0.0/24', '10.97.0.0/24')
const host = '10.0.10.1'
/** Calls that change who administers the hosts. */
const management = /\/firewall\/ipset\/management/

let standing: Standing
/** The same cluster with the firewall of its hosts enabled for two networks. */
let enabled: Standing
let calls: number
beforeAll(async () => {
  standing = await aStanding()
  calls = await callsOfUp(standing, goodHosts)
  enabled = await fromStanding(standing, both, async (stage) => {
    await stage.up()
    return { ...standing, lab: stage.lab.save() }
  })
}, 300_000)

const finished = /^(done|nothing-to-do)$/
const isEnabled = { enable: '1', state: 'hosts, firewall enabled', rules: 1 }

/** The operator goes to the network of the hosts, where nobody has locked him out, and runs `up` there. */
async function upFromInside(stage: Stage, inventory: string, judge: (stage: Stage) => void): Promise<void> {
  const left = stage.lab.save()
  await stage.close()
  const inside = { ...left, topology: { ...left.topology, operator: '10.0.10.200' } }
  await fromStanding({ ...standing, lab: inside }, inventory, async (within) => {
    expect(await nextUp(within)).toMatch(finished)
    judge(within)
  })
}

test('killed at calls of the firewall of hosts: the next up finishes it', async () => {
  const failures = await killedAtCalls({ from: standing, inventory: goodHosts, calls, most: 8 }, async (stage) => {
    expect(await nextUp(stage)).toMatch(finished)
    expect(hostFirewallOf(stage)).toMatchObject(isEnabled)
    expect(probingNodes(stage)).toEqual([])
  })
  expect(failures).toEqual([])
}, 1_400_000)

test('killed while the operator is locked out: a run from the network of the hosts takes it back and tries again', async () => {
  const opened = badHosts.replace('10.98.0.0/24', '10.0.10.0/24')
  const failures = await killedAtCalls({ from: standing, inventory: badHosts, calls, most: 8 }, (stage) =>
    upFromInside(stage, opened, (inside) => expect(hostFirewallOf(inside)).toMatchObject(isEnabled)),
  )
  expect(failures).toEqual([])
}, 1_400_000)

test('killed at calls while a network loses its access: the next up finishes it', async () => {
  const calls = await callsUntil(enabled, goodHosts, management)
  const changed = { from: enabled, inventory: goodHosts, calls, most: 4 }
  const failures = await killedAtCalls(changed, async (stage) => {
    expect(await nextUp(stage)).toMatch(finished)
    expect(hostFirewallOf(stage)).toMatchObject({ ...isEnabled, management: ['10.99.0.0/24', host] })
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  })
  expect(failures).toEqual([])
}, 1_400_000)

test('killed at calls while the network of the operator loses its access: a run from inside gives it back', async () => {
  const without = networks('10.97.0.0/24')
  const changed = { from: enabled, inventory: without, calls: await callsUntil(enabled, without, management), most: 4 }
  const failures = await killedAtCalls(changed, (stage) =>
    upFromInside(stage, both, (inside) =>
      expect([...hostFirewallOf(inside).management].sort()).toEqual([host, '10.97.0.0/24', '10.99.0.0/24'].sort()),
    ),
  )
  expect(failures).toEqual([])
}, 1_400_000)
