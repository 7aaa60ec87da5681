import { parseNet } from '../../proxmox/model/options/net.js'
import { defineFinding } from '../define-finding.js'

export const linkDown = defineFinding({
  code: 'ICH0325',
  name: 'A network card is disconnected',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, host, vmid, options } of machines) {
      for (const [slot, option] of Object.entries(options)) {
        if (!/^net\d+$/.test(slot) || parseNet(option).linkDown !== true) continue
        yield {
          subject: { kind: 'machine', name },
          title: `${slot} of ${name} is disconnected in Proxmox.`,
          detail: `VM ${vmid} on host ${host}: link_down is set, as if its cable were pulled.`,
          cure: { text: `Remove the tick at Disconnect, under Hardware of VM ${vmid} in Proxmox.` },
        }
      }
    }
  },
})
