import type { Desired } from '../desired/desired.js'
import type { StepInputs } from './step-inputs.js'
import { unknownAddress } from './unknown-address.js'
import { machineOf } from './wanted-machine.js'

/** What the config of a machine is written from, but for the secrets. */
export function configInputs(machine: string, desired: Desired): StepInputs {
  const { talos } = machineOf(desired, machine)
  const { endpoint, contract } = desired.cluster
  const isPending = endpoint === undefined || endpoint.includes(unknownAddress)
  return {
    known: () => ({
      contract,
      ...(talos === undefined ? {} : { config: talos.inputs }),
      ...(isPending ? {} : { endpoint }),
    }),
    pending: [...(isPending ? ['endpoint'] : []), ...(talos === undefined ? ['config'] : [])],
  }
}
