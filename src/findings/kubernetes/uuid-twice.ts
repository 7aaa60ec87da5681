import { groupBy } from '../../cluster/lookup.js'
import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const uuidTwice = defineFinding({
  code: 'ICH0602',
  name: 'One machine is two nodes',
  severity: 'blocks',
  needs: ['kubernetes'],
  *find({ observed }) {
    const byUuid = groupBy(ifSeen(observed.kubernetes)?.nodes ?? [], ({ systemUuid }) => systemUuid.toLowerCase())
    for (const [uuid, nodes] of byUuid) {
      const [first, ...others] = nodes
      if (first === undefined || others.length === 0 || uuid === '') continue
      const names = nodes.map(({ name }) => name).join(' and ')
      yield {
        subject: { kind: 'node', name: first.name },
        title: `The nodes ${names} have the same system UUID.`,
        detail: 'A machine that changed its name leaves its old node behind; a cloned VM keeps the UUID of its origin.',
        cure: { text: 'Delete the node that is not Ready in Kubernetes, or give the copied VM a UUID of its own.' },
      }
    }
  },
})
