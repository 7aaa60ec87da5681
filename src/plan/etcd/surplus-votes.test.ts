import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor, stepNames } from '../../../tests/support/worlds.js'
import { seen, unseen } from '../../cluster/seen.js'
import type { Observed } from '../../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']
const five = specFor(await anInventory({ controlPlanes: 5, hosts }))
const three = specFor(await anInventory({ controlPlanes: 3, hosts }))
const empty = aWorld(hosts)
const made = carriedOut(planOf(five, empty).steps, five(empty), empty)

function after(...mishaps: readonly [string, Parameters<typeof afterMishap>[2]][]): Observed {
  return mishaps.reduce((world, [name, mishap]) => afterMishap(world, name, mishap), made)
}

const firstRound = (observed: Observed) => stepNames(planOf(three, observed).steps.filter(({ round }) => round === 1))

test('two unwanted members are off, and a wanted one is lost: they are started, because etcd needs their votes', () => {
  const steps = firstRound(
    after(['dev-cp-2', 'it is gone'], ['dev-cp-4', 'it was switched off'], ['dev-cp-5', 'it was switched off']),
  )
  expect(steps).toEqual(expect.arrayContaining(['start-machine:dev-cp-4', 'start-machine:dev-cp-5']))
  expect(steps.filter((step) => /^(claim|delete|reset|stop|remove)/.test(step))).toEqual([])
})

test('the same if no responding machine can report the members of etcd', () => {
  const world = after(['dev-cp-4', 'it was switched off'], ['dev-cp-5', 'it was switched off'])
  const steps = firstRound({ ...world, etcd: unseen('dev-cp-1 does not answer') })
  expect(steps).toEqual(expect.arrayContaining(['start-machine:dev-cp-4', 'start-machine:dev-cp-5']))
})

test('where etcd has its majority without them they stay off, and go', () => {
  const steps = firstRound(after(['dev-cp-4', 'it was switched off'], ['dev-cp-5', 'it was switched off']))
  expect(steps).not.toContain('start-machine:dev-cp-4')
  expect(steps).toEqual(expect.arrayContaining(['remove-etcd-member:dev-cp-4', 'delete-machine:dev-cp-5']))
})

test('the member of one that stays was removed and it is yet to be made again: it counts for those that stay', () => {
  const lost = after(['dev-cp-2', 'it is gone'])
  const etcd = lost.etcd.seen ? lost.etcd.value : undefined
  if (etcd === undefined) throw new Error('etcd is there')
  const members = etcd.members.filter(({ hostname }) => hostname !== 'dev-cp-2')
  const steps = firstRound({ ...lost, etcd: seen({ ...etcd, members }) })
  expect(steps).toEqual(expect.arrayContaining(['claim-machine:dev-cp-2']))
})
