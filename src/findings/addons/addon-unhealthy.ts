import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const addonUnhealthy = defineFinding({
  code: 'ICH0701',
  name: 'An addon is not healthy',
  severity: 'warns',
  needs: ['kubernetes'],
  *find({ observed }) {
    for (const { name, version, healthy, reason } of ifSeen(observed.kubernetes)?.addons ?? []) {
      if (healthy) continue
      yield {
        subject: { kind: 'addon', name },
        title: `The addon ${name} ${version} is not healthy.`,
        detail: reason ?? 'Its workloads are not ready.',
        cure: { text: 'Apply it again.', command: 'ichor up' },
      }
    }
  },
})
