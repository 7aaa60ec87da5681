import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.js'
import { byHand } from '../../support/by-hand.js'
import { withoutNodes } from '../../support/cut-off.js'
import { mutatingCalls, type Stage } from '../../support/lab.js'
import { whatIsThere } from '../../support/left-behind.js'
import { aWorstDay, isWell, majorityWasKept, tell, uuidOf, wanting } from '../../support/worst-day.js'
import { surplusDeletedByHand } from '../../support/worst-day-stories.js'

let stage: Stage
let from: number
beforeAll(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(5, 0) } })
  await stage.up()
  await stage.write('cluster.yaml', wanting(3, 0))
  from = stage.lab.clock.now()
})
afterAll(() => stage.close())

const patience = () => AbortSignal.timeout(110_000)

test('five control planes should become three, one hangs, and no node can be reached: none is removed, and that is incomplete', async () => {
  const { lab } = stage
  lab.talos.hang(uuidOf(stage, 'dev-cp-2'))
  const before = mutatingCalls(lab).filter((call) => !call.includes('/pools')).length
  let shown: Plan | undefined
  const confirm = async (plan: Plan) => {
    shown = plan
    return true
  }
  // It waits for the nodes, touches none of them meanwhile, and calls nothing done in the end.
  await expect(stage.up({ through: withoutNodes, confirm, signal: patience() })).rejects.toMatchObject({
    code: 'incomplete',
    exitCode: 1,
    message: expect.stringContaining('dev is incomplete: etcd: dev-cp-'),
  })
  expect(stage.events.at(-1)).toMatchObject({ type: 'run.finished', outcome: 'incomplete', changed: 0 })
  expect(shown?.steps.filter(({ changes }) => changes)).toEqual([])
  expect(shown?.unknown).toContainEqual(expect.objectContaining({ what: 'etcd' }))
  lab.talos.hang(uuidOf(stage, 'dev-cp-2'), false)
  expect(mutatingCalls(lab).filter((call) => !call.includes('/pools'))).toHaveLength(before)
  majorityWasKept(stage, from)
}, 120_000)

test('two of the three that stay are not heard any more when the first should leave: nobody leaves', async () => {
  const { lab } = stage
  const close = (isClosed: boolean) =>
    Promise.all(['dev-cp-2', 'dev-cp-3'].map((name) => lab.talos.closeApi(uuidOf(stage, name), isClosed)))
  let closed: Promise<unknown> | undefined
  const onEvent = ({ type }: { type: string }) => {
    if (type === 'round.started') closed ??= close(true)
  }
  await expect(stage.up({ onEvent, forceUnlock: true })).rejects.toMatchObject({ exitCode: expect.any(Number) })
  await closed
  await close(false)
  expect(lab.ledger.entries().filter(({ event }) => event === 'etcd.member-left')).toEqual([])
  expect(whatIsThere(lab).vms).toHaveLength(5)
  majorityWasKept(stage, from)
})

test('the host of one that goes is down with one that stays: nobody leaves, and that is not called done', async () => {
  const { lab } = stage
  const { host } = await (await byHand(stage)).vm('dev-cp-5')
  await lab.proxmox.setHostOnline(host, false)
  await expect(stage.up({ forceUnlock: true, signal: patience() })).rejects.toMatchObject({
    exitCode: expect.any(Number),
  })
  expect(stage.events.at(-1)).toMatchObject({ outcome: expect.stringMatching(/^(incomplete|refused)$/), changed: 0 })
  await lab.proxmox.setHostOnline(host, true)
  expect(lab.ledger.entries().filter(({ event }) => event === 'etcd.member-left')).toEqual([])
  expect(whatIsThere(lab).vms).toHaveLength(5)
  majorityWasKept(stage, from)
}, 120_000)

test('both that go migrate while up runs: they are found where they are, and five members are never called done', async () => {
  const hand = await byHand(stage)
  const move = async (name: string) => {
    const vm = await hand.vm(name)
    const options = { target: vm.host === 'pve3' ? 'pve1' : 'pve3', online: true, withLocalDisks: true }
    await hand.wait(hand.world.proxmox.machines.migrate(vm, options, hand.signal))
  }
  let moved: Promise<unknown> | undefined
  const onEvent = ({ type }: { type: string }) => {
    if (type === 'round.started') moved ??= Promise.allSettled(['dev-cp-4', 'dev-cp-5'].map(move))
  }
  expect((await stage.up({ onEvent, forceUnlock: true, signal: patience() })).outcome).toBe('done')
  await moved
  await isWell(stage, from)
}, 120_000)

test(surplusDeletedByHand.name, () => tell(stage, surplusDeletedByHand))
