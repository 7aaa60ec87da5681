import { defineFinding } from '../define-finding.js'

export const nodeNotReady = defineFinding({
  code: 'ICH0603',
  name: 'A node is not Ready',
  severity: 'blocks',
  needs: ['kubernetes', 'talos'],
  *find({ observed }) {
    if (!observed.kubernetes.seen || observed.kubernetes.value === undefined) return
    for (const { name, node, talos, status } of observed.machines) {
      if (talos.reach !== 'secured' && status === 'running') continue
      if (node?.ready === true || talos.reach === 'maintenance') continue
      yield {
        subject: { kind: 'node', name },
        title: node === undefined ? `${name} is not in Kubernetes.` : `${name} is not Ready in Kubernetes.`,
        detail:
          talos.reach === 'secured' && talos.unmet.length > 0
            ? `Talos is ${talos.stage}: ${talos.unmet.join('; ')}.`
            : 'Its kubelet does not report.',
        ...(status === 'stopped' ? { because: { code: 'ICH0302', subject: name } as const } : {}),
        cure: { text: 'Look at its kubelet.', command: `ichor logs ${name} kubelet` },
      }
    }
  },
})
