import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { timeText } from '../threshold.js'

const maxAgeMs = 10 * 60_000
const servingSigner = 'kubernetes.io/kubelet-serving'

/** Requests of kubelets; those of people are their own affair. */
export const requestPending = defineFinding({
  code: 'ICH0605',
  name: 'A kubelet waits for its certificate',
  severity: 'warns',
  needs: ['examined.kubernetes'],
  *find({ examined }) {
    const { kubernetes } = examined ?? {}
    if (kubernetes === undefined) return
    const waiting = new Map<string, number>()
    for (const { requester, signer, since } of ifSeen(kubernetes.requests) ?? []) {
      if (signer !== servingSigner || kubernetes.now - since < maxAgeMs) continue
      const node = requester.replace(/^system:node:/, '')
      waiting.set(node, Math.min(since, waiting.get(node) ?? since))
    }
    for (const [name, since] of waiting) {
      yield {
        subject: { kind: 'node', name },
        title: `The kubelet of ${name} has waited for its certificate for ${timeText(kubernetes.now - since)}.`,
        detail: 'Logs, metrics and kubectl exec of its pods do not work without it.',
        cure: { text: 'Approve it, if its names are those of the machine.', command: 'ichor doctor --fix ICH0605' },
      }
    }
  },
})
