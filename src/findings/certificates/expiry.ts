import { defineFinding } from '../define-finding.js'

const dayMs = 86_400_000
const rotations: Readonly<Record<string, string>> = {
  'Talos CA': 'ichor secrets rotate talos-ca',
  'Kubernetes CA': 'ichor secrets rotate kubernetes-ca',
}

export const expiry = defineFinding({
  code: 'ICH0801',
  name: 'A certificate or token expires',
  severity: 'warns',
  needs: [],
  *find({ expiries, inventory, now }) {
    const clientDays = inventory.settings.client_files.lifetime / dayMs / 2
    for (const { name, expires } of expiries) {
      const days = (Date.parse(expires) - now) / dayMs
      const isClientFile = name === 'talosconfig' || name === 'kubeconfig'
      const limit = inventory.settings.observability.certificate_warning_days
      if (days >= (isClientFile ? Math.min(limit, clientDays) : limit)) continue
      yield {
        severity: days < 7 && !isClientFile ? 'blocks' : 'warns',
        subject: { kind: 'object', name },
        title: `${name} ${days < 0 ? 'expired' : 'expires'} on ${expires.slice(0, 10)}.`,
        detail: isClientFile
          ? 'ichor itself uses certificates of its own.'
          : 'Nothing that relies on it works afterwards.',
        cure: cureOf(name),
      }
    }
  },
})

function cureOf(name: string) {
  if (name.startsWith('token ')) return { text: 'Renew it.', command: 'ichor access --renew' }
  const command = rotations[name]
  if (command !== undefined) return { text: 'Rotate it.', command }
  if (name.endsWith('CA')) return { text: 'It cannot be rotated: plan another cluster.' }
  return { text: 'Write a new one.', command: 'ichor up' }
}
