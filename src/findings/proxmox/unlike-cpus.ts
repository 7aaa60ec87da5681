import { parseCpu } from '../../proxmox/model/options/hardware.js'
import { defineFinding } from '../define-finding.js'
import { statusOfOurHosts } from '../hosts-of-ours.js'

/** A running machine with the CPU of its host only moves to a host that has the same one. */
export const unlikeCpus = defineFinding({
  code: 'ICH0212',
  name: 'Machines cannot move live between unlike hosts',
  severity: 'info',
  needs: ['examined.hosts'],
  *find(facts) {
    const { inventory, observed } = facts
    const models = new Set(statusOfOurHosts(facts).map(({ status }) => status.cpuModel))
    const bound = observed.machines.filter(({ options }) =>
      ['host', 'max'].includes(parseCpu(options.cpu ?? '').type ?? ''),
    )
    if (models.size < 2 || bound.length === 0) return
    yield {
      severity: inventory.settings.placement.ha === undefined ? 'info' : 'warns',
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `${bound.length} machines have the CPU of their host, and the hosts have ${models.size} models.`,
      detail: `Live migration between ${[...models].join(' and ')} fails, or crashes the machine.`,
      cure: { text: 'Set vm.cpu_type to a common model, such as x86-64-v2-AES.' },
    }
  },
})
