import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import { noteText } from '../findings/notes/define-note.js'
import { adviceNotes, checkAdvice } from './advise.js'

/** A cluster on one release of Talos 1.12 whose inventory has another one. */
async function aChange(from: string, to: string) {
  const settings = (talos_version: string) => ({ with: { talos_version, kubernetes_version: 'v1.34.1' } })
  const before = specFor(await anInventory(settings(from)))
  const empty = aWorld(['pve1'])
  const observed = carriedOut(planOf(before, empty).steps, before(empty), empty)
  const inventory = await anInventory(settings(to))
  const desired = specFor(inventory)(observed)
  const cilium = { name: 'cilium', version: '1.18.6' } as (typeof desired.addons)[number]
  return { spec: { inventory }, desired: { ...desired, addons: [cilium] }, observed }
}

test('a plan that enters what is known to break is refused, and goes on when it is accepted', async () => {
  const change = await aChange('v1.12.1', 'v1.12.3')
  await expect(checkAdvice(change, [])).rejects.toMatchObject({
    exitCode: 3,
    where: expect.stringContaining('talos-1.12.2-cilium'),
    fix: expect.stringContaining('--accept talos-1.12.2-cilium'),
  })
  await expect(checkAdvice(change, ['talos-1.12.2-cilium'])).resolves.toBeUndefined()
  expect((await adviceNotes(change)).map(noteText)).toEqual([
    expect.stringContaining('refused without --accept talos-1.12.2-cilium'),
  ])
})

test('a plan that enters nothing passes, and nothing but an advisory can be accepted', async () => {
  const change = await aChange('v1.12.1', 'v1.12.6')
  await expect(checkAdvice(change, [])).resolves.toBeUndefined()
  expect((await adviceNotes(change)).map(noteText)).toEqual([])
  await expect(checkAdvice(change, ['ICH0501'])).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('ICH0501'),
  })
})
