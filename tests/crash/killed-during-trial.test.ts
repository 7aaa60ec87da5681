import { beforeAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { mutatingCalls } from '../support/lab.js'
import { aStanding, cutOffOnVlan20, fromStanding, type Standing, wiringOf } from '../support/trial-stories.js'

let standing: Standing
let calls: number
beforeAll(async () => {
  standing = await aStanding()
  calls = await fromStanding(standing, async (stage) => {
    const before = mutatingCalls(stage.lab).length
    await stage.up()
    return mutatingCalls(stage.lab).length - before
  })
})

/** Labs that go on from the same one want the same port for their factory, which stands in the configs of the machines. */
const oneLab = { sideBySide: 1 }
const machines = ['dev-cp-1', 'dev-wk-1']

test.each(['kill-caller', 'drop-answer'] as const)(
  '%s at every call of a change of NICs: the next up finishes it',
  async (kind) => {
    expect(calls).toBeGreaterThanOrEqual(4)
    const story = (nth: number) =>
      fromStanding(standing, async (stage) => {
        stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind } })
        await stage.up().catch(() => undefined)
        stage.lab.faults.clear()
        expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
        const wiring = machines.map((name) => wiringOf(stage, name))
        expect(wiring).toEqual(machines.map(() => ({ net0: expect.stringContaining('tag=20'), isTried: false })))
      })
    expect(await forEveryCall(calls, story, oneLab)).toEqual([])
  },
  600_000,
)

test('kill-caller at every call of a change that cuts the operator off: the next up takes it back', async () => {
  const story = (nth: number) =>
    fromStanding(standing, async (stage) => {
      const { through, sync } = cutOffOnVlan20(stage, 'dev-wk-1')
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up({ through }).catch(() => undefined)
      stage.lab.faults.clear()
      sync()
      await expect(stage.up({ through, forceUnlock: true })).rejects.toThrow('The change was rolled back')
      expect(wiringOf(stage, 'dev-wk-1')).toEqual({ net0: expect.not.stringContaining('tag='), isTried: false })
    })
  expect(await forEveryCall(calls, story, oneLab)).toEqual([])
}, 600_000)
