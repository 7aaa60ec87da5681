import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const configOnTrial = defineFinding({
  code: 'ICH0411',
  name: 'A machine runs another config than it boots with',
  severity: 'warns',
  needs: ['talos.config'],
  *find({ observed: { machines } }) {
    for (const { name, talos } of machines) {
      if (talos.reach !== 'secured') continue
      const [runs, boots] = [ifSeen(talos.config), ifSeen(talos.persisted)]
      if (runs === undefined || boots === undefined || runs === boots) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} runs a config on trial, or one that waits for its next boot.`,
        detail:
          'A trial is undone after a while, unless it is confirmed; a staged config takes effect at the next boot.',
        cure: { text: 'A trial ends by itself; run ichor up afterwards.' },
      }
    }
  },
})
