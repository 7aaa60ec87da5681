import { expect, test } from 'vitest'
import { clusters } from '../../tests/support/views.js'
import { stepKinds } from '../capabilities/steps.js'
import { noteText } from '../findings/notes/define-note.js'
import type { Observed } from '../observe/observed.js'
import { destroy, eject, up } from '../operations/goals.js'
import { lockNotes } from './lock-rules.js'

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

test('eject is refused as well: mark and tags could not be taken off', () => {
  const observed = withLock('backup')
  const desired = { ...spec(observed), machines: [], away: [] }
  expect(() => eject.planRound(desired, observed, 1)).toThrow('dev-wk-1')
})

test('a VM that is to be taken over is refused while it is locked', () => {
  const observed = withLock('migrate', { isToAdopt: true })
  expect(() => up.planRound(spec(observed), observed, 1)).toThrow('dev-wk-1')
})

test('a VM that was suspended to disk is started: that is how it wakes up', () => {
  const observed = withLock('suspended', off)
  expect(up.planRound(spec(observed), observed, 1).map(({ kind }) => kind)).toContain('start-machine')
})

test('a stale lock is reported even if nothing has to be changed, because the VM will not start again', () => {
  const observed = withLock('migrate')
  expect(up.planRound(spec(observed), observed, 1)).toEqual([])
  expect(lockNotes(observed).map(noteText)).toEqual([
    expect.stringMatching(/^dev-wk-1 .* nor started\. .*"qm unlock \d+" as root on pve\d"?\.$/),
  ])
  expect(lockNotes(withLock('backup')).map(noteText)).toEqual([])
})

test('every kind of step that changes something says whether it writes a VM, which Proxmox refuses on a locked one', () => {
  const others = stepKinds.filter(({ traits: { changes, writesVm } }) => changes && !writesVm)
  expect(others.map(({ kind }) => kind).sort()).toEqual(notOnVms)
})

/** They create a VM, or change a node, Kubernetes, the secrets, or what Proxmox has beside the VMs of machines. */
const notOnVms = [
  'advance-rotation',
  'approve-certificate',
  'begin-recovery',
  'begin-rotation',
  'change-config',
  'claim-machine',
  'defragment-etcd',
  'delete-node',
  'deliver-config',
  'disarm-etcd',
  'downgrade-etcd',
  'drain-node',
  'drop-ha-rules',
  'drop-managers',
  'empty-pool',
  'enable-content',
  'enable-host-firewall',
  'end-recovery',
  'fetch-image',
  'forget-etcd',
  'forget-gone',
  'install-addon',
  'install-talos',
  'label-node',
  'make-guest',
  'make-secrets',
  'make-template',
  'prepare-host-firewall',
  'pull-image',
  'reboot-with-config',
  'register-schematic',
  'remember-etcd',
  'remember-seals',
  'remove-addon',
  'remove-backup-job',
  'remove-etcd-member',
  'remove-firewall-groups',
  'remove-high-availability',
  'remove-host-firewall',
  'remove-pool',
  'remove-seed',
  'restart-kubelet',
  'rewrite-secrets',
  'set-backup-job',
  'set-firewall',
  'set-firewall-group',
  'set-high-availability',
  'shut-down-guest',
  'snapshot-etcd',
  'start-guest',
  'sync-manifests',
  'uncordon-node',
  'undo-host-firewall',
  'upgrade-machine',
  'upgrade-part',
  'wipe-etcd',
]
