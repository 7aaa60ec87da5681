import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** Without any snapshot, that is the finding. */
export const noSchedule = defineFinding({
  code: 'ICH0123',
  name: 'Snapshots of etcd have no schedule',
  severity: 'info',
  needs: ['backup'],
  *find({ inventory, backup }) {
    if (inventory.settings.backup.etcd.schedule !== undefined || ifSeen(backup)?.newest === undefined) return
    yield {
      subject: { kind: 'inventory', name: 'backup.etcd.schedule' },
      title: 'The inventory has no schedule for snapshots of etcd.',
      detail: 'It does not show when the last one was due, so missing ones stay unnoticed.',
      cure: { text: 'Set backup.etcd.schedule, and have something run ichor backup --if-due.' },
      where: inventory.where('backup.etcd'),
    }
  },
})
