import { defineFinding } from '../define-finding.js'

export const withoutConfig = defineFinding({
  code: 'ICH0327',
  name: 'A machine waits for its config',
  severity: 'blocks',
  needs: ['proxmox', 'talos'],
  *find({ observed: { machines } }) {
    for (const { name, talos } of machines) {
      if (talos.reach !== 'maintenance') continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} runs Talos from its image and waits for its config.`,
        detail: 'It is in maintenance mode: it was created or reset, and not configured yet.',
        cure: { text: 'Configure it.', command: 'ichor up' },
      }
    }
  },
})
