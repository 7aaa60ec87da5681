import { beforeAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { aStanding, badVms, fromStanding, goodVms, hostWalls, type Standing } from '../support/firewall-stories.js'
import { mutatingCalls } from '../support/lab.js'
import { oneIn } from '../support/sample.js'

const good = `${goodVms}  hosts: true\n`
const bad = `${badVms}  hosts: true\n`
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

const enabled = { enable: '1', state: 'hosts, firewall enabled', rules: 1 }
const sample = () => ({ sideBySide: 1, oneIn: oneIn(Math.ceil(calls / 8)) })

test('killed at calls of the firewall of hosts: the next up finishes it', async () => {
  const story = (nth: number) =>
    fromStanding(standing, good, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up().catch(() => undefined)
      stage.lab.faults.clear()
      expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
      expect(hostWalls(stage)).toMatchObject(enabled)
    })
  expect(await forEveryCall(calls, story, sample())).toEqual([])
}, 1_400_000)

test('killed while the operator is locked out: a run from the network of the hosts takes it back and tries again', async () => {
  const story = async (nth: number) => {
    const left = await fromStanding(standing, bad, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up().catch(() => undefined)
      stage.lab.faults.clear()
      return stage.lab.save()
    })
    const inside = { ...left, topology: { ...left.topology, operator: '10.0.10.200' } }
    const opened = bad.replace('10.98.0.0/24', '10.0.10.0/24')
    await fromStanding({ ...standing, lab: inside }, opened, async (stage) => {
      expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
      expect(hostWalls(stage)).toMatchObject(enabled)
    })
  }
  expect(await forEveryCall(calls, story, sample())).toEqual([])
}, 1_400_000)
