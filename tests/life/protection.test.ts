import { afterEach, beforeEach, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { mutatingCalls, type Stage } from '../support/lab.js'
import { replace } from '../support/verbs.js'
import { aWorstDay, reset, wanting } from '../support/worst-day.js'

const guarded = 'protect: [dev-wk-1]\n'
let stage: Stage
beforeEach(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(1, 2, guarded) } })
  await stage.up()
})
afterEach(() => stage.close())

const protectionOf = async (name: string) => (await (await byHand(stage)).options(name)).protection
const want = (yaml: string) => stage.write('cluster.yaml', yaml)
const stepsAbout = async (name: string) => {
  const { plan } = await stage.plan()
  return plan.steps.flatMap(({ kind, machine, reason }) => (machine === name ? [`${kind}: ${reason}`] : []))
}
const deletions = () => mutatingCalls(stage.lab).filter((call) => /DELETE .*\/qemu\/\d+(\?|$)/.test(call))

test('what the inventory protects is protected in Proxmox, once its seed is gone; whoever switches it off is corrected', async () => {
  expect(await Promise.all(['dev-cp-1', 'dev-wk-1', 'dev-wk-2'].map(protectionOf))).toEqual([undefined, '1', undefined])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const hand = await byHand(stage)
  await expect(hand.remove('dev-wk-1')).rejects.toThrow('The VM is protected against removal in Proxmox.')
  await stage.up()
  await hand.set('dev-wk-1', { protection: 0 })
  expect(await stepsAbout('dev-wk-1')).toEqual(['reconfigure-vm: protection 0 -> 1'])
  await stage.up()
  expect(await protectionOf('dev-wk-1')).toBe('1')
  await want(wanting(1, 2))
  expect(await stepsAbout('dev-wk-1')).toEqual(['reconfigure-vm: protection was removed from the inventory'])
  await stage.up()
  expect(await protectionOf('dev-wk-1')).toBeUndefined()
  await hand.set('dev-wk-1', { protection: 1 })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('a protected machine is replaced only without its protection, and by a plan that shows how it goes', async () => {
  await expect(stage.up({ change: replace('dev-wk-1') })).rejects.toThrow(
    'dev-wk-1 would be deleted, and is protected.',
  )
  await want(wanting(1, 2))
  const vmid = (await (await byHand(stage)).vm('dev-wk-1')).vmid
  const before = deletions().length
  await stage.up({ change: replace('dev-wk-1') })
  expect(deletions().length).toBe(before + 1)
  expect((await (await byHand(stage)).vm('dev-wk-1')).vmid).toBe(vmid)
  expect(await protectionOf('dev-wk-1')).toBeUndefined()
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('a protected machine that was wiped is made again, and protected again', async () => {
  await reset(stage, 'dev-wk-1')
  expect((await stepsAbout('dev-wk-1')).map((step) => step.split(':')[0])).toEqual(
    expect.arrayContaining(['unprotect-vm', 'fill-machine', 'drop-seed', 'reconfigure-vm']),
  )
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await protectionOf('dev-wk-1')).toBe('1')
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('destroy is refused while the inventory protects a machine, and leaves nothing when it does not', async () => {
  await expect(stage.destroy()).rejects.toThrow('dev-wk-1 would be deleted, and is protected.')
  await want(wanting(1, 2))
  await stage.destroy()
  expect(Object.values(stage.lab.save().proxmox.state.vms)).toEqual([])
})
