import { defineFinding } from '../define-finding.js'

const dayMs = 86_400_000

export const noDrill = defineFinding({
  code: 'ICH0903',
  name: 'No snapshot was drilled for 30 days',
  severity: 'info',
  needs: ['backup'],
  *find({ backup, now }) {
    if (!backup.seen || backup.value.newest === undefined) return
    const { drilledAt } = backup.value
    if (drilledAt !== undefined && now - drilledAt < 30 * dayMs) return
    yield {
      subject: { kind: 'cluster', name: 'backup' },
      title:
        drilledAt === undefined
          ? 'No snapshot was ever drilled.'
          : `The last drill was ${Math.round((now - drilledAt) / dayMs)} days ago.`,
      detail: 'A snapshot that was never restored may not be restorable.',
      cure: { text: 'Restore one on a machine beside the cluster.', command: 'ichor drill' },
    }
  },
})
