import { expect, test } from 'vitest'
import { aStub } from '../../tests/support/stub.js'
import type { World } from '../world.js'
import { askHiddenVmids } from './ask-hidden-vmids.js'

const signal = AbortSignal.timeout(1000)

/** These VMIDs are taken. Returns the hidden ones and the VMIDs that were queried. */
async function hiddenAmong(taken: readonly number[], privileges: Readonly<Record<string, boolean>> = {}) {
  const asked: number[] = []
  const cluster = {
    isVmidFree: async (vmid: number) => {
      asked.push(vmid)
      return !taken.includes(vmid)
    },
  }
  const access = { privilegesOn: async () => new Map(Object.entries(privileges)) }
  const wantedVmids = ['a', 'b', 'c'].map((machine, index) => ({ vmid: 2000 + index, machine }))
  const world = aStub<World>({ proxmox: { cluster, access } })
  return { hidden: await askHiddenVmids(wantedVmids, new Set([2001]), world, signal), asked }
}

test('guests that the token does not see keep their VMIDs, and so do those behind that would be next', async () => {
  const { hidden, asked } = await hiddenAmong([2000, 2001, 2003])
  expect(hidden).toEqual([
    { vmid: 2000, machine: 'a' },
    { vmid: 2003, machine: 'b' },
  ])
  // One free VMID for b, whose own belongs to a visible guest, and another one for a.
  expect(asked).toEqual([2000, 2002, 2003, 2004, 2005])
})

test('a token that sees every guest asks for none of them', async () => {
  expect(await hiddenAmong([2000], { 'VM.Audit': true })).toEqual({ hidden: [], asked: [] })
  expect((await hiddenAmong([2000], { 'VM.Audit': false })).hidden).toEqual([{ vmid: 2000, machine: 'a' }])
})
