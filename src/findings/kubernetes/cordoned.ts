import { defineFinding } from '../define-finding.js'

/** How `kubernetes/nodes` marks a cordon of ours. */
const ownCordon = 'ichor.dev/cordoned'

export const cordoned = defineFinding({
  code: 'ICH0609',
  name: 'A node is cordoned',
  severity: 'info',
  needs: ['proxmox', 'kubernetes'],
  *find({ observed: { machines } }) {
    for (const { name, node } of machines) {
      if (node?.unschedulable !== true) continue
      const isOurs = node.annotations[ownCordon] !== undefined
      yield {
        severity: isOurs ? 'warns' : 'info',
        subject: { kind: 'node', name },
        title: isOurs ? `A run of ichor has left ${name} cordoned.` : `${name} was cordoned by hand.`,
        detail: 'It gets no new pods.',
        cure: isOurs
          ? { text: 'Finish what was interrupted.', command: 'ichor up' }
          : { text: `If the reason is gone: kubectl uncordon ${node.name}` },
      }
    }
  },
})
