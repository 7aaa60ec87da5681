import { affecting } from '../../advisories/judge-advisories.js'
import { runningCombination } from '../../advisories/running-combination.js'
import { defineFinding } from '../define-finding.js'

export const knownToBreak = defineFinding({
  code: 'ICH1101',
  name: 'A combination of versions is known to break',
  severity: 'warns',
  needs: ['talos', 'kubernetes'],
  *find({ advisories = [], inventory, observed, now }) {
    for (const advisory of affecting(advisories, runningCombination(inventory, observed), now)) {
      const { id, title, effect, likely, source, way_out } = advisory
      yield {
        severity: effect === 'block' ? 'warns' : 'info',
        subject: { kind: 'cluster', name: id },
        title: `${title}.`,
        detail: likely ? 'It was reported, and is not confirmed.' : 'It is confirmed where it was reported.',
        cure: { text: way_out },
        where: source[0] ?? id,
      }
    }
  },
})
