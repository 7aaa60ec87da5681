import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'

export const guestLarger = defineFinding({
  code: 'ICH1004',
  name: 'A guest is larger than in the inventory',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    for (const { name, vmid, cpu, memory } of inventory.guests) {
      const found = observed.proxmox.guests.find((guest) =>
        vmid === undefined ? guest.name === name : guest.vmid === vmid,
      )
      if (found === undefined || (found.memory <= memory && found.cpus <= cpu)) continue
      yield {
        subject: { kind: 'object', name },
        title: `The guest ${name} has ${found.cpus} vCPUs and ${sizeText(found.memory)}, and ${cpu} and ${sizeText(memory)} in the inventory.`,
        detail: `VM ${found.vmid} on host ${found.host} takes what ichor counts as free.`,
        cure: { text: 'Correct it under guests, or make the guest smaller again.' },
      }
    }
  },
})
