import { ifSeen } from '../../cluster/seen.js'
import { lostEtcd } from '../../etcd/lost-etcd.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import { shutdownNote } from '../../vm/shutdown-note.js'
import { defineFinding } from '../define-finding.js'

/** Whether it only has to start, or is lost, does not show. */
export const etcdUnanswered = defineFinding({
  code: 'ICH0512',
  name: 'No control plane answers',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ inventory, observed, backup }) {
    const controlPlanes = observed.machines.filter(({ mark }) => mark.role === 'controlplane')
    const isAnswered = controlPlanes.some(({ talos }) => talos.reach === 'secured')
    const isOff = controlPlanes.every(({ mark }) => shutdownNote(mark) !== undefined)
    if (observed.etcd.seen || isAnswered || isOff || !wasBootstrapped(observed)) return
    if (lostEtcd(observed, inventory) !== undefined) return
    const newest = ifSeen(backup)?.newest
    yield {
      subject: { kind: 'cluster', name: 'etcd' },
      title: 'etcd does not answer.',
      detail: 'No control plane responds, so neither etcd nor Kubernetes can be seen.',
      cure:
        newest === undefined
          ? { text: 'Start or reach the control planes.', command: 'ichor up' }
          : { text: 'ichor up; if its control planes are lost:', command: `ichor restore ${newest.name}` },
    }
  },
})
