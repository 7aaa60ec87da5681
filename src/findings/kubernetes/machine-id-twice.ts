import { groupBy } from '../../cluster/lookup.js'
import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const machineIdTwice = defineFinding({
  code: 'ICH0606',
  name: 'Two nodes have the same machine ID',
  severity: 'warns',
  needs: ['kubernetes'],
  *find({ observed }) {
    const nodes = (ifSeen(observed.kubernetes)?.nodes ?? []).filter(({ machineId = '' }) => machineId !== '')
    for (const [id, holders] of groupBy(nodes, ({ machineId }) => machineId)) {
      const [first] = holders
      const isOneMachine = new Set(holders.map(({ systemUuid }) => systemUuid.toLowerCase())).size < holders.length
      if (first === undefined || holders.length < 2 || isOneMachine) continue
      yield {
        subject: { kind: 'node', name: first.name },
        title: `The nodes ${holders.map(({ name }) => name).join(' and ')} have the same machine ID.`,
        detail: `One was copied from the other with its disk. DHCP and discovery take them for one machine. The ID is ${id}.`,
        cure: { text: 'Create the copy again.', command: `ichor replace ${holders.at(-1)?.name}` },
      }
    }
  },
})
