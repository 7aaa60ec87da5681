import { defineFinding, needsOfPlan } from '../define-finding.js'

export const changesPending = defineFinding({
  code: 'ICH0328',
  name: 'The cluster differs from its inventory',
  severity: 'info',
  needs: needsOfPlan,
  *find({ inventory, pending = 0 }) {
    if (pending === 0) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `ichor up would change ${pending} ${pending === 1 ? 'thing' : 'things'}.`,
      detail: 'The inventory or the cluster has changed since the last run.',
      cure: { text: 'ichor plan lists them.', command: 'ichor up' },
    }
  },
})
