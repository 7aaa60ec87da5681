import { defineFinding } from '../define-finding.js'

/** Taints that the node controller sets for a condition of a kubelet. */
const pressures: Readonly<Record<string, string>> = {
  'node.kubernetes.io/memory-pressure': 'memory',
  'node.kubernetes.io/disk-pressure': 'space on its disk',
  'node.kubernetes.io/pid-pressure': 'process IDs',
}

export const underPressure = defineFinding({
  code: 'ICH0614',
  name: 'A node runs out of resources',
  severity: 'warns',
  needs: ['proxmox', 'kubernetes'],
  *find({ observed: { machines } }) {
    for (const { name, node } of machines) {
      const short = Object.keys(pressures).flatMap((key) =>
        node?.taints.some((taint) => taint.key === key) === true ? (pressures[key] ?? []) : [],
      )
      if (short.length === 0) continue
      yield {
        subject: { kind: 'node', name },
        title: `${name} runs out of ${short.join(' and ')}.`,
        detail: 'Its kubelet evicts pods and takes no new ones.',
        cure: { text: 'Give the machine more in sizing, or limit what runs there.' },
      }
    }
  },
})
