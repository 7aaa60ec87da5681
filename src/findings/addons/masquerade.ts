import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** The host answers with an address that Cilium then does not expect. Both are needed for it. */
export const masquerade = defineFinding({
  code: 'ICH0702',
  name: 'Cilium drops the answers of host DNS',
  severity: 'warns',
  needs: ['talos.config', 'examined.kubernetes'],
  *find({ inventory, observed, examined }) {
    const settings = ifSeen(examined?.kubernetes?.cilium)
    if (settings?.['enable-bpf-masquerade'] !== 'true') return
    const forwarding = observed.machines.filter(
      ({ talos }) =>
        talos.reach === 'secured' && /^\s*forwardKubeDNSToHost:\s*true\s*$/m.test(ifSeen(talos.config) ?? ''),
    )
    if (forwarding.length === 0) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `Cilium masquerades with BPF, and ${forwarding.map(({ name }) => name).join(', ')} forward DNS of pods to the host.`,
      detail: 'Names outside the cluster are not resolved in pods.',
      cure: {
        text: 'Set machine.features.hostDNS.forwardKubeDNSToHost to false with a patch in talos.patches.cluster.',
      },
    }
  },
})
