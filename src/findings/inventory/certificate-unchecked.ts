import { defineFinding } from '../define-finding.js'

export const certificateUnchecked = defineFinding({
  code: 'ICH0121',
  name: 'The certificate of Proxmox is not checked',
  severity: 'warns',
  needs: [],
  *find({ inventory }) {
    if (!inventory.settings.proxmox.insecure) return
    yield {
      subject: { kind: 'inventory', name: 'proxmox.insecure' },
      title: 'ichor does not verify the certificate of Proxmox before it sends its token.',
      detail: 'An attacker between them can read the token, and with it change every machine.',
      cure: { text: 'Remove proxmox.insecure and set proxmox.fingerprint; ichor init shows it.' },
      where: inventory.where('proxmox.insecure'),
    }
  },
})
