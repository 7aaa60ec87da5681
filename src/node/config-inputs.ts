import type { Desired } from '../desired/desired.js'
import type { StepInputs } from '../work/step-inputs.js'
import { machineOf } from '../work/wanted-machine.js'
import { unknownAddress } from './unknown-address.js'

/** The inputs of a machine's config, without the secrets. */
export function configInputs(machine: string, desired: Desired): StepInputs {
  const wanted = machineOf(desired, machine)
  const { endpoint, contract } = desired.cluster
  const isPending = endpoint === undefined || endpoint.includes(unknownAddress)
  return {
    known: () => ({ contract, config: wanted.configInputs(), ...(isPending ? {} : { endpoint }) }),
    pending: isPending ? ['endpoint'] : [],
  }
}
