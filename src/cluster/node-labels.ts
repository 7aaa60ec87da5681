/** Labels under kubernetes.io and k8s.io that a kubelet may set on its own node. */
const allowedKeys = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
])
const allowedDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io']

/**
 * Labels that a node may set on itself, and those that NodeRestriction reserves for the admin client, such as roles.
 */
export function splitLabels(labels: Readonly<Record<string, string>>): {
  allowed: Record<string, string>
  restricted: Record<string, string>
} {
  const entries = Object.entries(labels)
  return {
    allowed: Object.fromEntries(entries.filter(([key]) => mayKubeletSet(key))),
    restricted: Object.fromEntries(entries.filter(([key]) => !mayKubeletSet(key))),
  }
}

function mayKubeletSet(key: string): boolean {
  const domain = key.includes('/') ? (key.split('/')[0] ?? '') : ''
  const isReserved = isWithin(domain, 'kubernetes.io') || isWithin(domain, 'k8s.io')
  return !isReserved || allowedKeys.has(key) || allowedDomains.some((allowed) => isWithin(domain, allowed))
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`)
}
