import { UserFacingError } from '../errors.js'
import type { WorkContext } from '../work/work-context.js'
import { findAddress } from './node-address.js'

class NoAddress extends UserFacingError {
  readonly code = 'no-address'
  readonly exitCode = 1
}

/** The API through the control planes, one after another: it must work before the VIP does. */
export async function kubernetesApi(context: WorkContext) {
  const controlPlanes = context.desired.machines.filter(({ machine }) => machine.role === 'controlplane')
  const addresses = await Promise.all(controlPlanes.map(({ machine }) => findAddress(machine.name, context)))
  const known = addresses.filter((address) => address !== undefined)
  if (known.length === 0) throw noAddress(controlPlanes.map(({ machine }) => machine.name))
  return context.kubernetes.at(known.map((host) => ({ host, port: 6443 })))
}

function noAddress(names: readonly string[]): NoAddress {
  const whose = names.length === 1 ? `${names[0]} is` : `${names.join(', ')} are`
  return new NoAddress(`Kubernetes cannot be asked: the address of ${whose} not known.`, {
    where: `machine ${names.join(', ')}`,
    fix: `The guest agent reports it once the machine runs: ichor reboot ${names[0]}, or look at its console in Proxmox.`,
  })
}
