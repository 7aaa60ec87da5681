import { expect, test } from 'vitest'
import { chooseMembers, type MemberReport } from './choose-member.js'

function member(machine: string, more: Partial<MemberReport> = {}): MemberReport {
  return {
    machine,
    member: machine,
    leader: 'cp-1',
    isLearner: false,
    errors: [],
    alarms: [],
    appliedIndex: 100,
    ...more,
  }
}

const leader = member('cp-1', { appliedIndex: 120 })

test.each([
  {
    because: 'followers first',
    all: [leader, member('cp-2'), member('cp-3')],
    order: ['cp-2', 'cp-3', 'cp-1'],
    index: 120,
  },
  { because: 'the only member leads', all: [leader], order: ['cp-1'], index: 120 },
  { because: 'learners never', all: [leader, member('cp-2', { isLearner: true })], order: ['cp-1'], index: 120 },
  {
    because: 'nor one with an alarm, whoever reports it',
    all: [
      member('cp-1', { alarms: [{ member: 'cp-2', alarm: 'corrupt' }], errors: ['memberID:2 alarm:CORRUPT '] }),
      member('cp-2'),
    ],
    order: ['cp-1'],
    index: 100,
  },
  {
    because: 'nor one with errors',
    all: [leader, member('cp-2', { errors: ['disk is slow'] })],
    order: ['cp-1'],
    index: 120,
  },
  {
    because: 'the leader was not heard: the one that has most',
    all: [member('cp-2'), member('cp-3', { appliedIndex: 110 })],
    order: ['cp-2', 'cp-3'],
    index: 110,
  },
])('$because', ({ all, order, index }) => {
  const choice = chooseMembers(all, [], 'dev')
  expect(choice.candidates.map(({ machine }) => machine)).toEqual(order)
  expect(choice.leaderIndex).toBe(index)
})

test('without a single good one, the reason of each is named', () => {
  const lost = member('cp-1', { leader: '0000000000000000' })
  const full = member('cp-2', { alarms: [{ member: 'cp-2', alarm: 'nospace' }] })
  expect(() => chooseMembers([lost, full], [{ machine: 'cp-3', because: 'it does not answer' }], 'dev')).toThrow(
    'cp-1: its etcd has no leader; cp-2: its etcd has the alarm nospace; cp-3: it does not answer.',
  )
})
