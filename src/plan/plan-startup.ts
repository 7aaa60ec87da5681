import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { reconfigureVm } from '../steps/reconfigure-vm.js'
import { wrongOptions } from '../vm/vm-drift.js'
import { findSeen } from '../work/wanted-machine.js'
import { forAdministrator } from './administration.js'
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
export function startupNotes(desired: Desired, observed: Observed): string[] {
  const { machines = [], guests = [] } = desired.unsetStartup ?? {}
  const isEarly = machines.some((name) => findSeen(observed, name) === undefined)
  const missing = guests.filter(
    ({ name, vmid }) => !observed.proxmox.guests.some((guest) => guest.name === name || guest.vmid === vmid),
  )
  return [
    ...(machines.length === 0
      ? []
      : [forAdministrator(desired, `${machines.join(', ')}: the order at host start is not vm.startup`, isEarly)]),
    ...missing.map(
      ({ name, host, vmid, startup }) =>
        `${name} is created without its order at host start, which this token may not set. Afterwards run as root on ${host}: qm set ${vmid} --startup ${startup}`,
    ),
  ]
}
