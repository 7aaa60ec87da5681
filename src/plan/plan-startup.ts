import type { Desired } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import { withoutStartup } from '../findings/notes/machines.js'
import type { Observed } from '../observe/observed.js'
import { reconfigureVm } from '../steps/reconfigure-vm.js'
import { wrongOptions } from '../vm/vm-drift.js'
import { findSeen } from '../work/wanted-machine.js'
import { noteForAdministrator } from './administration.js'
import type { Draft } from './draft.js'

const keys = ['startup']

/** For `ichor access`: the order of existing machines at host start. */
export function planStartup(draft: Draft, observed: Observed): void {
  for (const wanted of draft.desired.machines) {
    const seen = findSeen(observed, wanted.machine.name)
    if (seen?.mark.stage !== 'made') continue
    const wrong = wrongOptions(wanted, draft.desired, seen.options, seen.running)
    if (wrong.some(({ key }) => keys.includes(key)))
      draft.add(reconfigureVm, { machine: seen.name, keys }, 'vm.startup in the inventory')
  }
}

/** For a token that may not set it. */
export function startupNotes(desired: Desired, observed: Observed): Finding[] {
  const { machines = [], guests = [] } = desired.unsetStartup ?? {}
  const isEarly = machines.some((name) => findSeen(observed, name) === undefined)
  const missing = guests.filter(
    ({ name, vmid }) => !observed.proxmox.guests.some((guest) => guest.name === name || guest.vmid === vmid),
  )
  return [
    ...(machines.length === 0
      ? []
      : [
          noteForAdministrator(
            desired,
            `${machines.join(', ')}: the order at host start is not vm.startup`,
            { kind: 'machine', name: machines.join(', ') },
            isEarly,
          ),
        ]),
    ...missing.map(({ name, host, vmid, startup }) =>
      withoutStartup.note(`${name} is created without its order at host start, which this token may not set.`, {
        subject: { kind: 'object', name },
        cure: `Afterwards run as root on ${host}: qm set ${vmid} --startup ${startup}`,
      }),
    ),
  ]
}
