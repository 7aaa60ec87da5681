import { groupBy } from '../../cluster/lookup.js'
import { defineFinding } from '../define-finding.js'

export const addressTwice = defineFinding({
  code: 'ICH0412',
  name: 'An address is used twice',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    const addressed = machines.filter(({ address, status }) => address !== undefined && status === 'running')
    for (const [address = '', holders] of groupBy(addressed, (machine) => machine.address)) {
      if (holders.length < 2) continue
      yield {
        subject: { kind: 'object', name: address },
        title: `${holders.map(({ name }) => name).join(' and ')} both have the address ${address}.`,
        detail: 'Packets reach one or the other by chance.',
        cure: { text: 'Give each machine an address of its own in the inventory or the DHCP server.' },
      }
    }
  },
})
