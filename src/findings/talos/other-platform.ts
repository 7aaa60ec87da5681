import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** The installer decides it: a machine that was upgraded with another one changes its platform. */
export const otherPlatform = defineFinding({
  code: 'ICH0402',
  name: 'A machine has an image for another platform',
  severity: 'warns',
  needs: ['examined.machines'],
  *find({ inventory, examined }) {
    const { platform: wanted } = inventory.settings.talos
    for (const { name, platform } of examined?.machines ?? []) {
      const runs = ifSeen(platform)
      if (runs === undefined || runs === '' || runs === wanted) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} runs an image for ${runs}, expected ${wanted}.`,
        detail:
          runs === 'metal'
            ? 'It ignores its seed, and the guest agent does not start: static addresses and names can be lost at a reboot.'
            : 'Seed, guest agent and names work differently there.',
        cure: { text: 'Create it again from the right image.', command: `ichor replace ${name}` },
      }
    }
  },
})
