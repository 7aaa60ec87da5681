import { ifSeen } from '../../cluster/seen.js'
import { secondsText } from '../clock-skew.js'
import { defineFinding } from '../define-finding.js'

/** etcd logs every write of more than a second; 10 ms are what it needs. One can be a backup. */
export const slowWrites = defineFinding({
  code: 'ICH0508',
  name: 'The disk of an etcd member is slow',
  severity: 'warns',
  needs: ['examined.controlPlanes'],
  *find({ examined }) {
    for (const { name, controlPlane } of examined?.machines ?? []) {
      const writes = ifSeen(controlPlane?.slowWrites) ?? []
      if (writes.length === 0) continue
      yield {
        severity: writes.length < 3 ? 'info' : 'warns',
        subject: { kind: 'member', name },
        title: `etcd of ${name} waited ${writes.length} times in an hour for its disk, up to ${secondsText(Math.max(...writes))}.`,
        detail: 'Slow members lose their leader, and the Kubernetes API answers late.',
        cure: { text: 'Move its disk to a faster storage, or keep backups and other writers away from it.' },
      }
    }
  },
})
