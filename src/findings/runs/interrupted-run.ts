import { defineFinding } from '../define-finding.js'

export const interruptedRun = defineFinding({
  code: 'ICH0310',
  name: 'The last run did not finish',
  severity: 'info',
  needs: [],
  *find({ lastProblem, inventory }) {
    if (lastProblem === undefined) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: 'The last run from this computer did not finish.',
      detail: lastProblem,
      cure: { text: 'Go on with it.', command: 'ichor up' },
    }
  },
})
