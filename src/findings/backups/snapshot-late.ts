import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { timeText } from '../threshold.js'

/** Two snapshots in a row were missed: one can be late. */
export const snapshotLate = defineFinding({
  code: 'ICH0901',
  name: 'The newest etcd snapshot is too old',
  severity: 'warns',
  needs: ['backup'],
  *find({ inventory, backup, now }) {
    const { schedule } = inventory.settings.backup.etcd
    const facts = ifSeen(backup)
    if (schedule === undefined || facts?.newest === undefined || facts.dueSince === undefined) return
    const { newest, dueSince } = facts
    if (newest.takenAt >= dueSince) return
    yield {
      subject: { kind: 'cluster', name: 'backup' },
      title: `The newest snapshot is ${timeText(now - newest.takenAt)} old: at least two were missed.`,
      detail: `The schedule is ${schedule}. It only works where something runs ichor backup --if-due.`,
      cure: { text: 'Take one, and look at what should have taken it.', command: 'ichor backup' },
    }
  },
})
