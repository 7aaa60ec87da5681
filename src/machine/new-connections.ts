import { adminCertificate, clientCertificate } from '../talos/clientconfig/client-certificate.js'
import type { World } from '../world.js'
import { getAddress } from './node-address.js'
import { machineOf } from './wanted-machine.js'
import type { WorkContext } from './work-context.js'

const kubernetesPort = 6443

/**
 * Over connections that did not exist before: this computer reaches Talos and, on a control plane, Kubernetes; and another
 * control plane, where there is one, reaches the node. An open connection says nothing about a firewall.
 */
export async function reachByNewConnections(machine: string, world: World, context: WorkContext): Promise<void> {
  const { desired, signal } = context
  const file = await world.secrets.find()
  if (file === undefined) throw new Error('the secrets are missing')
  const now = new Date(world.clock.now())
  const lifetimeHours = 1
  const target = { machine, address: await getAddress(machine, world, context) }
  const visitor = await clientCertificate(file.bundle, { roles: ['os:reader'], lifetimeHours, now })
  await world.talos.greet(target, visitor, signal)
  if (machineOf(desired, machine).machine.role === 'controlplane') {
    const admin = await adminCertificate(file.bundle, { lifetimeHours, now })
    await world.kubernetes.greet({ host: target.address, port: kubernetesPort }, admin, signal)
  }
  const other = await findOther(machine, world, context)
  if (other !== undefined) await world.talos.greetThrough(other, target, visitor, signal)
}

/** A control plane that answers: only they pass calls on. */
async function findOther(machine: string, world: World, context: WorkContext) {
  const { desired, observed } = context
  const others = desired.machines.filter(({ machine: { name, role } }) => role === 'controlplane' && name !== machine)
  const answering = others.find(({ machine: { name } }) =>
    observed.machines.some((seen) => seen.name === name && seen.talos.reach === 'secured'),
  )
  if (answering === undefined) return undefined
  const { name } = answering.machine
  return { machine: name, address: await getAddress(name, world, context) }
}
