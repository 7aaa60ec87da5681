import { beforeAll, expect, test } from 'vitest'
import type { Stage } from '../support/lab.js'
import { aStanding, cutOffOnVlan20, fromStanding, type Standing, wiringOf } from '../support/trial-stories.js'

let standing: Standing
beforeAll(async () => {
  standing = await aStanding()
})

const tagged = { net0: expect.stringContaining('tag=20'), isTried: false }
const untagged = { net0: expect.not.stringContaining('tag='), isTried: false }

/** What became of the trials of dev-wk-1; the control plane has a turn of its own. */
function trialsOf({ events }: Stage): { type: string; step: string }[] {
  return events.flatMap((event) =>
    (event.type === 'step.undone' || (event.type === 'step.finished' && event.outcome === 'done')) &&
    /^(change-network|undo-trial).*dev-wk-1/.test(event.step)
      ? [{ type: event.type, step: event.step.replace(/\?.*/, '') }]
      : [],
  )
}

test('a NIC that changes under a machine that still answers is kept, and nothing speaks of a trial any more', async () => {
  await fromStanding(standing, async (stage) => {
    const { plan } = await stage.plan()
    expect(plan.steps.filter(({ kind }) => kind === 'change-network').map(({ reason }) => reason)).toEqual([
      'net0 tag unset -> 20',
      'net0 tag unset -> 20',
    ])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect([wiringOf(stage, 'dev-cp-1'), wiringOf(stage, 'dev-wk-1')]).toEqual([tagged, tagged])
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  })
})

test('a change that cuts the operator off is rolled back, and the run says why it failed', async () => {
  await fromStanding(standing, async (stage) => {
    const { through } = cutOffOnVlan20(stage, 'dev-wk-1')
    await expect(stage.up({ through })).rejects.toThrow(
      /^set net0 of the VM of dev-wk-1.*: The change was rolled back: Waited \d+ s for dev-wk-1 to answer with its new network/,
    )
    expect([wiringOf(stage, 'dev-cp-1'), wiringOf(stage, 'dev-wk-1')]).toEqual([tagged, untagged])
    expect(trialsOf(stage)).toEqual([{ type: 'step.undone', step: 'change-network' }])
    const { observed } = await stage.plan()
    expect(observed.machines.map(({ talos }) => talos.reach)).toEqual(['secured', 'secured'])
  })
})

test('a trial whose run was killed is undone by the next one, which then tries again', async () => {
  await fromStanding(standing, async (stage) => {
    const way = cutOffOnVlan20(stage, 'dev-wk-1')
    const dying = (world: Parameters<typeof way.through>[0]) => {
      const cutting = way.through(world)
      const { machines } = cutting.proxmox
      const setOptions: typeof machines.setOptions = async (...call) => {
        await machines.setOptions(...call)
        if (wiringOf(stage, 'dev-wk-1').isTried) stage.die()
      }
      return { ...cutting, proxmox: { ...cutting.proxmox, machines: { ...machines, setOptions } } }
    }
    await expect(stage.up({ through: dying })).rejects.toThrow()
    expect(wiringOf(stage, 'dev-wk-1')).toEqual({ net0: expect.stringContaining('tag=20'), isTried: true })
    stage.events.length = 0
    await expect(stage.up({ through: way.through, forceUnlock: true })).rejects.toThrow('The change was rolled back')
    expect(trialsOf(stage)).toEqual([
      { type: 'step.finished', step: 'undo-trial' },
      { type: 'step.undone', step: 'change-network' },
    ])
    expect(wiringOf(stage, 'dev-wk-1')).toEqual(untagged)
    // Somebody has connected the VLAN meanwhile.
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(wiringOf(stage, 'dev-wk-1')).toEqual(tagged)
  })
})

test('who stops a run in the middle of a trial finds the machine as it was', async () => {
  await fromStanding(standing, async (stage) => {
    const { through } = cutOffOnVlan20(stage, 'dev-wk-1')
    const stop = new AbortController()
    const onEvent = (event: Stage['events'][number]) => {
      if (event.type === 'step.noted' && event.text.startsWith('waiting for dev-wk-1 to answer')) stop.abort()
    }
    await expect(stage.up({ through, onEvent, signal: stop.signal })).rejects.toThrow(/^Stopped/)
    expect(wiringOf(stage, 'dev-wk-1')).toEqual(untagged)
  })
})
