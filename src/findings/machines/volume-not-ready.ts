import { defineFinding } from '../define-finding.js'
import { nodeProblems } from './node-problems.js'

export const volumeNotReady = defineFinding({
  code: 'ICH0312',
  name: 'A volume is not ready',
  severity: 'blocks',
  needs: ['talos'],
  *find({ observed }) {
    for (const { name, text } of nodeProblems(observed, 'volume'))
      yield {
        subject: { kind: 'machine', name },
        title: `${name}: ${text}.`,
        detail: 'Nothing is mounted there: what pods write under its path is on the system disk, or lost.',
        cure: {
          text: 'Correct the diskSelector or the size of a volume of your own patch; restore those of disks.',
          command: 'ichor up',
        },
      }
  },
})
