import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const addonMissing = defineFinding({
  code: 'ICH0704',
  name: 'An addon is not installed yet',
  severity: 'warns',
  needs: ['kubernetes'],
  *find({ observed, addons = [] }) {
    const installed = ifSeen(observed.kubernetes)?.addons
    if (installed === undefined) return
    for (const { name, version } of addons) {
      if (installed.some((addon) => addon.name === name)) continue
      yield {
        subject: { kind: 'addon', name },
        title: `The addon ${name} ${version} is not installed yet.`,
        detail: 'The inventory has it.',
        cure: { text: 'Install it.', command: 'ichor up' },
      }
    }
  },
})
