import { ifSeen } from '../../cluster/seen.js'
import { parseAgent } from '../../proxmox/model/options/hardware.js'
import { defineFinding } from '../define-finding.js'

/** The extension waits for a channel that the VM does not have, and the boot with it. */
export const agentOff = defineFinding({
  code: 'ICH0315',
  name: 'The image has a guest agent and the VM has none',
  severity: 'warns',
  needs: ['examined.machines'],
  *find({ observed, examined }) {
    for (const { name, extensions } of examined?.machines ?? []) {
      const options = observed.machines.find((one) => one.name === name)?.options
      if (options === undefined || ifSeen(extensions)?.includes('qemu-guest-agent') !== true) continue
      if (parseAgent(options.agent ?? '').enabled === true) continue
      yield {
        subject: { kind: 'machine', name },
        title: `The image of ${name} has the guest agent, and its VM has no channel for it.`,
        detail: 'The service waits for its device, and the machine may never finish its boot.',
        cure: { text: 'Set network.agent to true. The change needs a cold start.', command: 'ichor up' },
      }
    }
  },
})
