import { seen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import type { ObservedMachine } from '../observe/observed.js'
import { optionText } from '../proxmox/model/option-text.js'
import { writeDrive } from '../proxmox/model/options/disk.js'
import type { Model } from '../work/model.js'
import { machineOf } from '../work/wanted-machine.js'
import { freshMark } from './fresh-mark.js'

type Change = Partial<ObservedMachine> | ((before: ObservedMachine) => Partial<ObservedMachine>)

/** Changes one machine of the model. A new one appears as it is right after its claim. */
export function changeMachine(model: Model, desired: Desired, name: string, change: Change): void {
  const before = model.machines.get(name) ?? claimed(desired, name)
  model.setMachine({ ...before, ...(typeof change === 'function' ? change(before) : change) })
}

/** Removes a machine or template whose VM is deleted. */
export function removeVm(model: Model, name: string): void {
  const machine = model.machines.get(name)
  const gone = machine ?? model.around.templates.find((vm) => vm.name === name)
  model.removeMachine(name)
  if (gone !== undefined) {
    model.removeGuest(gone.vmid)
    leaveHa(model, gone.vmid)
  }
  if (machine === undefined)
    model.change(({ templates }) => ({ templates: templates.filter((vm) => vm.name !== name) }))
}

/** Proxmox deletes a VM together with its HA resource. */
function leaveHa(model: Model, vmid: number): void {
  model.change(({ proxmox }) => {
    if (proxmox.ha?.seen !== true) return {}
    const { resources, groups, rules } = proxmox.ha.value
    const left = rules.map((rule) => ({ ...rule, vmids: rule.vmids.filter((other) => other !== vmid) }))
    const ha = {
      resources: resources.filter((resource) => resource.vmid !== vmid),
      groups,
      rules: left.filter(({ vmids }) => vmids.length > 0),
    }
    return { proxmox: { ...proxmox, ha: seen(ha) } }
  })
}

function claimed(desired: Desired, name: string): ObservedMachine {
  const wanted = machineOf(desired, name)
  const options = Object.entries(wanted.options).map(([key, value]) => [key, optionText(value)])
  return {
    name,
    host: wanted.host,
    vmid: wanted.vmid,
    mark: freshMark(wanted, desired),
    isSealed: true,
    pool: desired.cluster.pool,
    options: { ...Object.fromEntries(options), onboot: '0', ide2: writeDrive() },
    status: 'stopped',
    pending: [],
    talos: { reach: 'off' },
    ...(wanted.address === undefined ? {} : { address: wanted.address }),
  }
}
