import { defineFinding } from '../define-finding.js'
import { statusOfOurHosts } from '../hosts-of-ours.js'

export const hostKernels = defineFinding({
  code: 'ICH1105',
  name: 'Hosts run different kernels',
  severity: 'info',
  needs: ['examined.hosts'],
  *find(facts) {
    const found = statusOfOurHosts(facts).map(({ name, status }) => ({ name, kernel: releaseOf(status.kernel) }))
    const kernels = new Set(found.map(({ kernel }) => kernel))
    if (kernels.size < 2) return
    yield {
      subject: { kind: 'cluster', name: 'Proxmox' },
      title: `The hosts run ${kernels.size} different kernels.`,
      detail: `${found.map(({ name, kernel }) => `${name} ${kernel}`).join(', ')}. Moving a machine back to an older one can fail.`,
      cure: { text: 'Update the hosts to the same version, one after the other.' },
    }
  },
})

/** `6.8.12-15-pve` of `Linux 6.8.12-15-pve #1 SMP …`. */
function releaseOf(kernel: string): string {
  return kernel.split(' ').find((word) => /^\d/.test(word)) ?? kernel
}
