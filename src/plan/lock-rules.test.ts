import { expect, test } from 'vitest'
import { clusters } from '../../tests/support/views.js'
import { lifecycle } from '../access/work.js'
import { stepKinds } from '../capabilities/steps.js'
import type { Observed } from '../observe/observed.js'
import { destroy, up } from '../operations/goals.js'
import { lockNotes, stepsOnVms } from './lock-rules.js'

const { spec, made } = clusters[3]

function withLock(lock: string, more: Partial<Observed['machines'][number]> = {}): Observed {
  const machines = made.machines.map((machine) =>
    machine.name === 'dev-wk-1' ? { ...machine, ...more, lock } : machine,
  )
  return { ...made, machines }
}

const off = { status: 'stopped', talos: { reach: 'off' } } as const

test.each([
  ['migrate', 'migration'],
  ['backup', 'backup'],
  ['snapshot', 'snapshot'],
])(
  'a VM with the lock %s that must be changed is refused before anything, with the command that frees it',
  (lock, work) => {
    const observed = withLock(lock, off)
    const seen = observed.machines.find(({ name }) => name === 'dev-wk-1')
    expect(() => up.planRound(spec(observed), observed, 1)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(
          `dev-wk-1 (VM ${seen?.vmid}) is locked by a ${work} that still runs or was killed`,
        ),
        fix: expect.stringContaining(`"qm unlock ${seen?.vmid}" as root on ${seen?.host}`),
        exitCode: 3,
      }),
    )
  },
)

test('destroy is refused as a whole: better nothing goes than all but one', () => {
  const observed = withLock('migrate')
  const desired = { ...spec(observed), machines: [], away: [] }
  expect(() => destroy.planRound(desired, observed, 1)).toThrow('dev-wk-1')
})

test('a VM that was suspended to disk is started: that is how it wakes up', () => {
  const observed = withLock('suspended', off)
  expect(up.planRound(spec(observed), observed, 1).map(({ kind }) => kind)).toContain('start-machine')
})

test('a stale lock is reported even if nothing has to be changed, because the VM will not start again', () => {
  const observed = withLock('migrate')
  expect(up.planRound(spec(observed), observed, 1)).toEqual([])
  expect(lockNotes(observed)).toEqual([
    expect.stringMatching(/^dev-wk-1 .* nor started\. .*"qm unlock \d+" as root on pve\d"?\.$/),
  ])
  expect(lockNotes(withLock('backup'))).toEqual([])
})

test('every step that needs rights to change a machine is known to fail on a locked one', () => {
  const isChange = (privilege: string) => /^VM\.(Allocate|Config\.|PowerMgmt|Migrate)/.test(privilege)
  const kinds = lifecycle
    .filter(({ at, privileges }) => at === 'pool' && privileges.some(isChange))
    .flatMap(({ steps }) => steps)
  const ofOne = kinds.filter((kind) => !['claim-machine', 'check-evacuation', 'remove-pool'].includes(kind))
  expect(ofOne.filter((kind) => !stepsOnVms.has(kind))).toEqual([])
  expect([...stepsOnVms].filter((kind) => !stepKinds.some((step) => step.kind === kind))).toEqual([])
})
