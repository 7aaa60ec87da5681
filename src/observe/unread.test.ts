import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aForeignVm, aWorld, specFor } from '../../tests/support/worlds.js'
import type { Candidate, CandidateReason } from '../ownership/candidates.js'
import { questionOf } from './observe-scope.js'
import { judgeUnread } from './unread.js'

const hosts = ['pve1', 'pve2']
const { name: _, ...nameless } = aForeignVm(0, 'pve1')
const candidate = (vmid: number, because: readonly CandidateReason[], name?: string): Candidate => ({
  guest: { ...nameless, vmid, status: 'unknown', ...(name === undefined ? {} : { name }) },
  because,
})

test.each([
  ['by its name', candidate(2077, ['tag'], 'dev-cp-2'), { because: 'away', holds: 'dev-cp-2' }],
  [
    'by the VMID that it has if nobody is in the way',
    candidate(2001, ['pool']),
    { because: 'away', holds: 'dev-cp-2' },
  ],
  ['as one of those that are missing', candidate(2077, ['tag']), { because: 'away', holds: 'dev-cp-1', isGuess: true }],
  ['as a template', candidate(998, ['pool', 'tag']), { because: 'unread' }],
  ['as nobody, in spite of its VMID', candidate(2001, ['vmid']), { because: 'unread' }],
])('a VM on a host that does not answer is known %s', async (_title, unread, expected) => {
  const question = questionOf(await anInventory({ controlPlanes: 3, hosts }))
  const [unverified] = judgeUnread([unread], question, new Set())
  expect(unverified).toMatchObject(expected)
  expect(unverified?.isGuess).toBe('isGuess' in expected ? true : undefined)
})

test('if the machine cannot be identified, no missing machine is created', async () => {
  const inventory = await anInventory({ controlPlanes: 3, hosts })
  const unverified = judgeUnread([candidate(2077, ['tag'])], questionOf(inventory), new Set())
  const { away, machines } = specFor(inventory)({ ...aWorld(hosts), unverified })
  expect(away.map(({ machine }) => machine.name)).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  expect(machines).toEqual([])
})
