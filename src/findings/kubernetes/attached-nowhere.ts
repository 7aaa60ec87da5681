import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

const driverOfProxmox = 'csi.proxmox.sinextra.dev'

/** The driver calls a volume `region/zone/storage/vm-9999-pvc-1`; the VM has it as `storage:vm-9999-pvc-1`. */
export const attachedNowhere = defineFinding({
  code: 'ICH0615',
  name: 'A volume is attached in Kubernetes and not in Proxmox',
  severity: 'warns',
  certainty: 'likely',
  needs: ['proxmox', 'examined.kubernetes'],
  *find({ observed, examined }) {
    const volumes = ifSeen(examined?.kubernetes?.volumes) ?? []
    for (const { driver, node, volume, isAttached } of ifSeen(examined?.kubernetes?.attachments) ?? []) {
      const machine = observed.machines.find((one) => one.node?.name === node)
      const handle = volumes.find(({ name }) => name === volume)?.handle
      if (driver !== driverOfProxmox || !isAttached || machine === undefined || handle === undefined) continue
      const [disk = '', storage = ''] = handle.split('/').reverse()
      if (disk === '' || Object.values(machine.options).some((option) => option.includes(`${storage}:${disk}`)))
        continue
      yield {
        subject: { kind: 'object', name: volume },
        title: `Kubernetes believes that ${volume} is attached to ${node}, and VM ${machine.vmid} does not have it.`,
        detail: 'The task in Proxmox failed after the driver had reported success. The pod hangs on its device.',
        cure: {
          text: `Look at the tasks of VM ${machine.vmid} on host ${machine.host}; a cold start attaches it again.`,
        },
      }
    }
  },
})
