import { lookupBy } from '../cluster/lookup.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { readMark } from '../ownership/mark.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { optionText } from '../proxmox/model/option-text.js'
import type { Desired, DesiredMachine } from './desired.js'

const seenByName = lookupBy(({ name }: ObservedMachine) => name)

/** Whether the order at host start differs from the inventory; an order that others have set is theirs. */
function hasOtherStartup({ options }: Pick<DesiredMachine, 'options'>, seen: ObservedMachine | undefined): boolean {
  const wanted = options.startup === undefined ? undefined : optionText(options.startup)
  const actual = seen?.options.startup
  return wanted === undefined ? actual !== undefined && isSetByIchor(seen) : wanted !== actual
}

function isSetByIchor(seen: ObservedMachine | undefined): boolean {
  return readMark(seen?.options.description)?.mark.more?.set?.split(',').includes('startup') ?? false
}

/** For a token that may not set the order at host start: it stays as it is, and who has another one is listed. */
export function withKeptStartup(desired: Desired, { machines }: Observed): Desired {
  const others = desired.machines.filter((wanted) => hasOtherStartup(wanted, seenByName(machines, wanted.machine.name)))
  const keep = (wanted: DesiredMachine): DesiredMachine => {
    const actual = seenByName(machines, wanted.machine.name)?.options.startup
    const options = withoutStartup(wanted.options)
    return { ...wanted, options: actual === undefined ? options : { ...options, startup: actual } }
  }
  return {
    ...desired,
    machines: desired.machines.map(keep),
    templates: desired.templates.map((template) => ({ ...template, options: withoutStartup(template.options) })),
    guestsToMake: desired.guestsToMake.map((guest) => ({ ...guest, options: withoutStartup(guest.options) })),
    unsetStartup: {
      machines: others.map(({ machine }) => machine.name),
      guests: desired.guestsToMake.flatMap(({ name, host, vmid, options }) =>
        options.startup === undefined ? [] : [{ name, host, vmid, startup: optionText(options.startup) }],
      ),
    },
  }
}

function withoutStartup({ startup: _startup, ...options }: VmOptions): VmOptions {
  return options
}
