import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusterMarkId } from '../../src/cluster/identity.js'
import { readMark, writeMark } from '../../src/ownership/mark.js'
import { createSealer } from '../../src/ownership/seal.js'
import { byHand } from '../support/by-hand.js'
import { mutatingCalls, type Stage } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'
import { aWorstDay, wanting } from '../support/worst-day.js'

let stage: Stage
beforeAll(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(1, 2) } })
  await stage.up()
})
afterAll(() => stage.close())

/** What somebody with a cluster of his own writes: everything is right, and sealed with his secrets. */
function markOfAnother(description: string): string {
  const written = readMark(description)
  if (written === undefined) throw new Error('there is a mark')
  const theirs = { id: 'their cluster', secret: 'their secret' }
  return writeMark(description, { ...written.mark, cluster: clusterMarkId(theirs.id) }, createSealer(theirs))
}

test.each(['dev-cp-1', 'dev-wk-2'])(
  'a sealed mark of another cluster is put on %s: nobody is evicted, deleted or made again',
  async (name) => {
    const hand = await byHand(stage)
    const { vmid, host } = await hand.vm(name)
    const { description = '' } = await hand.options(name)
    await hand.set(name, { description: markOfAnother(description) })
    const before = mutatingCalls(stage.lab)
    const text = `VM ${vmid} on ${host} is ${name} of another cluster. It is not changed.`
    await expect(stage.up()).rejects.toMatchObject({
      code: 'refused',
      message: `${text} It has the UUID or MAC of ${name} of this one.`,
    })
    // Not wanted any more: it is still not taken for gone.
    await stage.write('cluster.yaml', wanting(1, 1))
    await stage.up().catch(() => undefined)
    expect(notesOf((await stage.plan('destroy')).plan)).toContain(text)
    expect((await stage.plan('destroy')).plan.steps.filter(({ machine }) => machine === name)).toEqual([])
    expect(mutatingCalls(stage.lab)).toEqual(before)
    await hand.set(name, { description })
    await stage.write('cluster.yaml', wanting(1, 2))
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  },
)

test('our sealed mark is put on a VM of another cluster: it is theirs, and stays as it is', async () => {
  const hand = await byHand(stage)
  const { description = '', smbios1 = '' } = await hand.options('dev-wk-2')
  const theirs = { host: 'pve1', vmid: 7000 }
  const options = { name: 'their-wk-1', description, memory: 1024, cores: 1, tags: 'ichor-theirs' }
  await hand.wait(hand.world.proxmox.machines.create(theirs, options, hand.signal))
  const changes = () => mutatingCalls(stage.lab).filter((call) => call.includes('/qemu/7000'))
  const before = changes()
  for (const change of [{}, { smbios1 }]) {
    await hand.set('their-wk-1', { ...change, description })
    expect((await stage.up()).outcome).toBe('nothing-to-do')
    expect((await stage.plan('destroy')).plan.steps.filter(({ title }) => title.includes('7000'))).toEqual([])
  }
  expect(changes().filter((call) => call.startsWith('proxmox DELETE'))).toEqual([])
  expect(changes().length).toBe(before.length + 2)
  await hand.remove('their-wk-1').catch(() => undefined)
  await stage.write('cluster.yaml', wanting(1, 2))
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})
