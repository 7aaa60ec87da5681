import { ifSeen } from '../../cluster/seen.js'
import { askEtcdNow } from '../../etcd/etcd-now.js'
import { getAddress } from '../../node/node-address.js'
import { adminCertificate, clientCertificate } from '../../talos/clientconfig/client-certificate.js'
import { findSeen, machineOf } from '../../work/wanted-machine.js'
import type { WorkContext } from '../../work/work-context.js'

const kubernetesPort = 6443

/**
 * Uses connections that did not exist before: this computer reaches Talos and, on a control plane, Kubernetes; and every other
 * control plane that responds reaches Talos and the kubelet of the node. Open connections prove nothing about a firewall. etcd
 * must not lose a member.
 */
export async function reachByNewConnections(machine: string, context: WorkContext): Promise<void> {
  const { desired, signal } = context
  const file = await context.secrets.find()
  if (file === undefined) throw new Error('the secrets are missing')
  const now = new Date(context.clock.now())
  const lifetimeHours = 1
  const target = { machine, address: await getAddress(machine, context) }
  const visitor = await clientCertificate(file.bundle, { roles: ['os:reader'], lifetimeHours, now })
  const admin = await adminCertificate(file.bundle, { lifetimeHours, now })
  await context.talos.probe(target, visitor, signal)
  const { role } = machineOf(desired, machine).machine
  if (role === 'controlplane')
    await context.kubernetes.probe({ host: target.address, port: kubernetesPort }, admin, signal)
  const others = await findOthers(machine, context)
  const node = findSeen(context.observed, machine)?.node?.name
  for (const other of others) {
    await context.talos.probeThrough(other, target, visitor, signal)
    if (node === undefined) continue
    await context.kubernetes.dialKubelet({ host: other.address, port: kubernetesPort }, node, admin, signal)
  }
  if (role === 'controlplane' && others.length > 0) await refuseBrokenEtcd(context)
}

/** Members elect a new leader within seconds. */
const electionMs = 5000

/** Every member that voted and knew a leader must still do so. */
async function refuseBrokenEtcd(context: WorkContext): Promise<void> {
  const before = ifSeen(context.observed.etcd)
  if (before === undefined) return
  await context.clock.sleep(electionMs, context.signal)
  const { healthy } = await askEtcdNow(context)
  const lost = before.healthy.filter((member) => !healthy.has(member))
  if (lost.length > 0) throw new Error(`${lost.length} of ${before.healthy.length} etcd members lost their leader`)
}

/** Control planes that respond: only control planes forward calls. */
async function findOthers(machine: string, context: WorkContext) {
  const { desired, observed } = context
  const names = desired.machines
    .filter(({ machine: { name, role } }) => role === 'controlplane' && name !== machine)
    .map(({ machine: { name } }) => name)
    .filter((name) => findSeen(observed, name)?.talos.reach === 'secured')
  return Promise.all(names.map(async (name) => ({ machine: name, address: await getAddress(name, context) })))
}
