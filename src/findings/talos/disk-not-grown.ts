import { ifSeen } from '../../cluster/seen.js'
import { sizeText } from '../../cluster/size-text.js'
import { parseDisk } from '../../proxmox/model/options/disk.js'
import { defineFinding } from '../define-finding.js'

const systemSlots = ['scsi0', 'virtio0', 'sata0', 'ide0']
/** Boot, state and reserves take about 2 GiB. */
const otherPartitions = 4 * 1024 ** 3

/** Talos grows EPHEMERAL at its next boot. A config may keep it small on purpose. */
export const diskNotGrown = defineFinding({
  code: 'ICH0404',
  name: 'A node does not use its whole system disk',
  severity: 'warns',
  certainty: 'likely',
  needs: ['talos.config', 'examined.machines'],
  *find({ observed, examined }) {
    for (const { name, ephemeralSize } of examined?.machines ?? []) {
      const machine = observed.machines.find((one) => one.name === name)
      const used = ifSeen(ephemeralSize)
      if (machine?.talos.reach !== 'secured' || used === undefined || used === 0) continue
      if (/^name: ["']?EPHEMERAL/m.test(ifSeen(machine.talos.config) ?? '')) continue
      const slot = systemSlots.find((one) => parseDisk(machine.options[one] ?? '').size !== undefined)
      const size = slot === undefined ? 0 : (parseDisk(machine.options[slot] ?? '').size ?? 0)
      if (slot === undefined || size - used < otherPartitions) continue
      yield {
        subject: { kind: 'machine', name },
        title: `The system disk of ${name} has ${sizeText(size)}, and its largest partition only ${sizeText(used)}.`,
        detail: `${slot} was enlarged, and EPHEMERAL was not grown with it.`,
        cure: { text: 'It grows at a reboot. If it does not, replace the machine.', command: `ichor reboot ${name}` },
      }
    }
  },
})
