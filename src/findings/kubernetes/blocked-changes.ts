import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { timeText } from '../threshold.js'

const budgetMs = 15 * 60_000
const attachMs = 5 * 60_000

/** Both hold a node that is to be drained, rebooted or replaced. */
export const blockedChanges = defineFinding({
  code: 'ICH0601',
  name: 'A budget or a volume holds a node',
  severity: 'warns',
  needs: ['examined.kubernetes'],
  *find({ examined }) {
    const { kubernetes } = examined ?? {}
    if (kubernetes === undefined) return
    const { now } = kubernetes
    for (const { namespace, name, expected, healthy, allowed, since = now } of ifSeen(kubernetes.budgets) ?? []) {
      if (allowed > 0 || now - since < budgetMs) continue
      yield {
        subject: { kind: 'object', name: `${namespace}/${name}` },
        title: `The budget ${namespace}/${name} has allowed no eviction for ${timeText(now - since)}.`,
        detail: `${healthy} of its ${expected} pods are healthy. A node with one of them cannot be drained.`,
        cure: { text: `Finish what it waits for, or lower it: kubectl describe pdb -n ${namespace} ${name}` },
      }
    }
    for (const { name, node, volume, isAttached, since, error } of ifSeen(kubernetes.attachments) ?? []) {
      if (error === undefined && (isAttached || now - since < attachMs)) continue
      yield {
        subject: { kind: 'object', name: volume === '' ? name : volume },
        title: `The volume ${volume} is not attached to ${node}${error === undefined ? ` for ${timeText(now - since)}` : ''}.`,
        detail: error ?? 'Its driver gives no reason. Pods that use it do not start.',
        cure: { text: `Look at it: kubectl describe volumeattachment ${name}` },
      }
    }
  },
})
