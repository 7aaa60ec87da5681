import { ifSeen } from '../../cluster/seen.js'
import { parseAgent } from '../../proxmox/model/options/hardware.js'
import { defineFinding } from '../define-finding.js'

/** Proxmox then shuts such a machine down through an agent that never answers. */
export const agentSilent = defineFinding({
  code: 'ICH0314',
  name: 'The guest agent does not answer',
  severity: 'warns',
  needs: ['talos', 'examined.agents', 'examined.machines'],
  *find({ observed, examined }) {
    for (const { name, answers } of examined?.agents ?? []) {
      const machine = observed.machines.find((one) => one.name === name)
      if (machine?.talos.reach !== 'secured' || ifSeen(answers) !== false) continue
      if (parseAgent(machine.options.agent ?? '').enabled !== true) continue
      const node = examined?.machines.find((one) => one.name === name)
      const extensions = ifSeen(node?.extensions)
      const isMissing = extensions !== undefined && !extensions.includes('qemu-guest-agent')
      const isMetal = ifSeen(node?.platform) === 'metal'
      yield {
        subject: { kind: 'machine', name },
        title: `The guest agent of ${name} does not answer, and its VM has one.`,
        detail: isMissing
          ? 'Its image has no qemu-guest-agent: Proxmox waits for it at every shutdown, until it gives up.'
          : isMetal
            ? 'Its image is made for the platform metal, where Talos does not start the agent.'
            : 'Proxmox waits for it at every shutdown, and knows no address of the machine.',
        cure:
          isMissing || isMetal
            ? {
                text: 'Set network.agent, and talos.platform to nocloud; then bring it the image.',
                command: 'ichor up',
              }
            : { text: 'Look at the service.', command: `ichor logs ${name} ext-qemu-guest-agent` },
      }
    }
  },
})
