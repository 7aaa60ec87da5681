import { defineNote } from './define-note.js'

export const withoutQuorum = defineNote({
  code: 'ICH0201',
  name: 'Proxmox has no quorum',
  severity: 'blocks',
  detail: 'Running machines go on.',
})

export const offlineHost = defineNote({
  code: 'ICH0203',
  name: 'A host is offline',
  severity: 'blocks',
  detail: 'Its machines are neither changed nor created elsewhere: once it is back there would be two of them.',
})

export const hiddenVmid = defineNote({
  code: 'ICH0230',
  name: 'A VMID belongs to a guest that the token cannot see',
  severity: 'info',
  detail: 'The token of a run sees the guests of its pool only.',
})

export const strayDisks = defineNote({
  code: 'ICH0231',
  name: 'Disks of a machine are on a host where it is not',
  severity: 'warns',
  detail: 'They take space, and only an administrator may delete them.',
})

export const firewallOff = defineNote({
  code: 'ICH0232',
  name: 'The firewall of the Proxmox datacenter is off',
  severity: 'warns',
  detail: 'Rules on VMs are written and filter nothing.',
})

export const sharedNetwork = defineNote({
  code: 'ICH0233',
  name: 'VMs of others are in the network of the nodes',
  severity: 'warns',
  detail: 'The rules of the firewall know nodes by their network.',
})

export const foreignSwitch = defineNote({
  code: 'ICH0234',
  name: 'The firewall of the Proxmox datacenter was enabled by something else',
  severity: 'info',
  detail: 'What ichor did not enable it neither changes nor disables.',
})

export const othersFiltered = defineNote({
  code: 'ICH0235',
  name: 'Enabling the firewall of the datacenter concerns other VMs',
  severity: 'info',
  detail: 'The switch is one for all guests: those with firewall=1 on a network card are filtered from then on.',
})

export const unreadGuests = defineNote({
  code: 'ICH0236',
  name: 'The firewall of some guests could not be read',
  severity: 'warns',
  detail: 'They may be filtered once the firewall of the datacenter is enabled.',
})
