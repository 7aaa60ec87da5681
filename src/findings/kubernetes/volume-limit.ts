import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** scsi0 to scsi30 of a VM: the system disk and 30 others. */
const slotsOfProxmox = 30
const driverOfProxmox = 'csi.proxmox.sinextra.dev'

export const volumeLimit = defineFinding({
  code: 'ICH0613',
  name: 'A node attaches as many volumes as it can',
  severity: 'warns',
  needs: ['examined.kubernetes'],
  *find({ examined }) {
    const attached = ifSeen(examined?.kubernetes?.attachments) ?? []
    for (const { node, driver, limit } of ifSeen(examined?.kubernetes?.drivers) ?? []) {
      const most = limit ?? (driver === driverOfProxmox ? slotsOfProxmox : undefined)
      const count = attached.filter((one) => one.node === node && one.driver === driver).length
      if (most === undefined || most === 0 || count < most) continue
      yield {
        subject: { kind: 'node', name: node },
        title: `${node} has ${count} volumes of ${driver}, and ${most} are its limit.`,
        detail: 'Pods with another volume do not start there.',
        cure: { text: 'Spread the pods over more nodes, or raise the limit of the driver.' },
      }
    }
  },
})
