import type { FoundCluster, FoundMachine } from '../found-cluster.js'
import { configDifference } from './config-difference.js'
import type { StateVm, TerraformState } from './terraform-state.js'

/** Where a state differs from what runs; places only, never a value of a config. */
export function terraformDifferences({ vms, configs }: TerraformState, { machines }: FoundCluster): string[] {
  return [
    ...machines.flatMap((machine) => {
      const { name, vm } = machine
      const one = findVm(machine, vms)
      if (one === undefined) return vms.length === 0 ? [] : [`${name}: VM ${vm.vmid} is not in the state`]
      return one.host === vm.host || one.host === ''
        ? []
        : [`${one.resource}: the state has VM ${vm.vmid} on ${one.host}, and it is on ${vm.host}`]
    }),
    ...configs.flatMap(({ resource, node, text }) => {
      const machine = machines.find(({ address }) => address === node)
      return machine === undefined ? [] : configDifference(resource, text, machine)
    }),
  ]
}

/** What the former tool must forget, one command for each resource; VMs that are not of the cluster stay with it. */
export function forgetCommands({ vms, talosResources }: TerraformState, { machines }: FoundCluster): string[] {
  const ofCluster = machines.flatMap((machine) => findVm(machine, vms)?.resource ?? [])
  return [...ofCluster, ...talosResources].map((resource) => `tofu state rm ${shellWord(resource)}`)
}

/** A MAC proves more than a number, which another VM may have by now. */
function findVm({ vm }: FoundMachine, vms: readonly StateVm[]): StateVm | undefined {
  const byMac = vms.find(({ macs }) => macs.includes(vm.mac))
  return byMac ?? vms.find(({ macs, vmid }) => macs.length === 0 && vmid === vm.vmid)
}

/** One word of a command line, whatever is in it. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
