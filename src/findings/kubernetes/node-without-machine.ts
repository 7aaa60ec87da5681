import { ifSeen } from '../../cluster/seen.js'
import { isUnmanaged } from '../../cluster/unmanaged.js'
import { machinesAway } from '../../desired/away.js'
import { defineFinding } from '../define-finding.js'

export const nodeWithoutMachine = defineFinding({
  code: 'ICH0604',
  name: 'A node has no machine',
  severity: 'warns',
  needs: ['kubernetes', 'proxmox'],
  *find({ inventory, observed }) {
    const away = machinesAway(inventory.machines, observed).map(({ machine }) => machine.name)
    const known = new Set([...observed.machines.flatMap(({ node }) => node?.name ?? []), ...away])
    for (const { name, ready } of ifSeen(observed.kubernetes)?.nodes ?? []) {
      if (known.has(name) || isUnmanaged(name, inventory.settings.unmanaged_nodes)) continue
      const isReplaced = !ready && inventory.machines.some((machine) => machine.name === name)
      yield {
        subject: { kind: 'node', name },
        title: `The node ${name} has no machine of this cluster.`,
        detail: ready ? 'It is Ready: it was joined by hand, or its VM has lost its mark.' : 'Its machine is gone.',
        cure: isReplaced
          ? { text: 'Delete it, and create its machine again.', command: 'ichor up' }
          : { text: `If the machine is gone, delete the node: kubectl delete node ${name}` },
      }
    }
  },
})
