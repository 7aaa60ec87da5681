import { expect, test } from 'vitest'
import { aSeenMachine } from '../../tests/support/contexts.js'
import { seen, unseen } from '../cluster/seen.js'
import type { ObservedEtcd, ObservedTalos } from '../observe/observed.js'
import { sickMembers } from './sick-members.js'

const secured = { reach: 'secured', version: 'v1.13.9', stage: 'running', ready: true, unmet: [] } as const
const ended = 'Error running Containerd(etcd), going to restart forever: task "etcd" failed: exit code 2'
const etcd = (members: readonly string[], healthy: readonly string[]): ObservedEtcd => ({
  members: members.map((id) => ({ id, hostname: id, peerUrls: [], isLearner: false })),
  healthy,
  owners: Object.fromEntries(healthy.map((id) => [id, id])),
})
const sick = (more: Partial<Extract<ObservedTalos, { reach: 'secured' }>>) =>
  aSeenMachine('cp-1', 2000, { mark: { role: 'controlplane' }, talos: { ...secured, config: seen(''), ...more } })

const all = ['cp-1', 'cp-2', 'cp-3']

test.each([
  {
    because: 'its member does not run',
    machine: sick({ etcdEnd: ended, etcdState: 'Waiting' }),
    known: seen(etcd(all, ['cp-2', 'cp-3'])),
    says: [{ problem: 'its etcd does not start: task "etcd" failed: exit code 2.', fix: 'ichor replace cp-1' }],
  },
  {
    because: 'somebody removed its member',
    machine: sick({ etcdEnd: 'Runner Containerd(etcd) exited without error, going to restart it' }),
    known: seen(etcd(['cp-2', 'cp-3'], ['cp-2', 'cp-3'])),
    says: [{ problem: expect.stringContaining('was removed from etcd'), fix: 'ichor replace cp-1' }],
  },
  {
    because: 'it has left, and its data is gone with that',
    machine: sick({ etcdState: 'Finished' }),
    known: seen(etcd(['cp-2', 'cp-3'], ['cp-2', 'cp-3'])),
    says: [{ problem: expect.stringContaining('has left the cluster'), fix: 'ichor reboot cp-1' }],
  },
  {
    because: 'nothing is done through an etcd without a majority',
    machine: sick({ etcdEnd: ended }),
    known: seen(etcd(all, ['cp-2'])),
    says: [{ problem: 'its etcd does not start: task "etcd" failed: exit code 2.' }],
  },
  {
    because: 'nor through one that was not seen',
    machine: sick({ etcdEnd: ended }),
    known: unseen('cp-1 does not answer'),
    says: [{ problem: expect.any(String) }],
  },
  { because: 'it waits to join', machine: sick({ etcdState: 'Preparing' }), known: seen(etcd(all, all)), says: [] },
])('a control plane without etcd is named, and what repairs it: $because', ({ machine, known, says }) => {
  expect(sickMembers({ machines: [machine], etcd: known })).toEqual(says.map((one) => ({ machine: 'cp-1', ...one })))
})
