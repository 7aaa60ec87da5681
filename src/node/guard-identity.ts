import { otherMachineAnswers } from '../findings/refusals/machines.js'
import { getOwned } from '../vm/owned-vm.js'
import type { WorkContext } from '../work/work-context.js'

/**
 * Addresses can change hands: before a node is wiped or gets a config, it must prove that it is the VM of this machine.
 */
export async function guardIdentity(machine: string, address: string | undefined, context: WorkContext): Promise<void> {
  if (address === undefined) throw new Error(`no address of ${machine} is known`)
  const { mark, vmid } = await getOwned(machine, context)
  const uuid = await context.talos.node({ machine, address }).resources.systemUuid(context.signal)
  if (uuid === mark.uuid) return
  throw otherMachineAnswers.refuse(
    `What answers at ${address} is not ${machine}: it has the UUID ${uuid}, and VM ${vmid} ${mark.uuid}.`,
    {
      subject: { kind: 'machine', name: machine },
      where: `machine ${machine}`,
      fix: 'Find out which machine holds that address, then run ichor up again.',
    },
  )
}
