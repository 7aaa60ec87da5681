import { shutdownNote } from '../../vm/shutdown-note.js'
import { defineFinding } from '../define-finding.js'

const code = 'ICH0320'

/** The cause of a machine that is off. */
export function becauseShutDown(cluster: string) {
  return { because: { code, subject: cluster } } as const
}

export const shutDown = defineFinding({
  code,
  name: 'The cluster was shut down',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ inventory, observed: { machines } }) {
    const { cluster_name: name } = inventory.settings
    const off = machines.filter(({ status, mark }) => status === 'stopped' && shutdownNote(mark) !== undefined)
    const [since] = off.flatMap(({ mark }) => shutdownNote(mark) ?? []).sort()
    if (since === undefined) return
    yield {
      subject: { kind: 'cluster', name },
      title: `ichor shutdown turned off ${off.length === machines.length ? 'the cluster' : `${off.length} of ${machines.length} machines`} on ${since.slice(0, 16).replace('T', ' at ')} UTC.`,
      detail: 'Nothing starts by itself.',
      cure: {
        text:
          off.length === machines.length
            ? 'Start the cluster again.'
            : 'Finish it with ichor shutdown, or start the cluster again.',
        command: 'ichor up',
      },
    }
  },
})
