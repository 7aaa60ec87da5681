import type { Desired } from '../desired/desired.js'
import type { StepInputs } from './step-inputs.js'
import { unknownAddress } from './unknown-address.js'
import { machineOf } from './wanted-machine.js'

/** The inputs of a machine's config, without the secrets. */
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
