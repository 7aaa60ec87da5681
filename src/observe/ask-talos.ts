import { hasProbes, withoutProbes } from '../cluster/node-probes.js'
import { type Seen, seen, unseen } from '../cluster/seen.js'
import { reasonOf } from '../errors.js'
import type { TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import { askNodeProblems } from './ask-node-problems.js'
import { askedMachine, type ObserveScope } from './observe-scope.js'
import type { ObservedMachine, ObservedTalos } from './observed.js'
import { isOfUntrustedCa } from './untrusted-ca.js'

/** Timeout for a node that does not respond. */
const patienceMs = 5000

/** The machine with its address and what its API reports. */
export async function askTalos(
  machine: ObservedMachine,
  question: ObserveScope,
  world: World,
  signal: AbortSignal,
): Promise<ObservedMachine> {
  if (machine.status !== 'running') return machine
  const address = await findAddress(machine, question, world, signal)
  if (address === undefined) return { ...machine, talos: { reach: 'silent', reason: 'no address is known yet' } }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const talos = await ask(machine, address, question, world, patience)
  const isWiped = talos.reach === 'silent' && (await isWaitingElsewhere(machine, address, question, world, signal))
  return { ...machine, address, talos: isWiped ? { reach: 'maintenance' } : talos }
}

/** A machine that was wiped waits for a config at its DHCP address, not at the address in the inventory. */
async function isWaitingElsewhere(
  machine: ObservedMachine,
  address: string,
  question: ObserveScope,
  world: World,
  signal: AbortSignal,
): Promise<boolean> {
  if (machine.mark.stage !== 'made') return false
  const reported = await findReportedAddress(machine, question, world.proxmox, signal)
  if (reported === undefined || reported === address) return false
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  return (await ask(machine, reported, question, world, patience)).reach === 'maintenance'
}

async function ask(
  { name, mark }: ObservedMachine,
  address: string,
  question: ObserveScope,
  { talos }: World,
  signal: AbortSignal,
): Promise<ObservedTalos> {
  const target = { machine: name, address }
  const node = talos.node(target)
  try {
    const { tag } = await node.version(signal)
    const [status, config, image, problems, persisted] = await Promise.all([
      node.resources.machineStatus(signal),
      node.resources.machineConfig(signal).then(seen, (thrown) => unseen(reasonOf(thrown))),
      node.resources.image(signal).then(seen, (thrown) => unseen(reasonOf(thrown))),
      askNodeProblems(name, node, question, signal),
      question.triesRules
        ? node.resources.persistedConfig(signal).then(seen, (thrown) => unseen(reasonOf(thrown)))
        : undefined,
    ])
    return {
      reach: 'secured',
      version: tag,
      stage: status.stage,
      ready: status.ready,
      unmet: status.unmet.map(({ name, reason }) => `${name}: ${reason}`),
      schematic: image.seen ? seen(image.value.schematic) : image,
      ...(image.seen ? { extensions: image.value.extensions } : {}),
      ...(problems.length === 0 ? {} : { problems }),
      config: await withoutTriedProbes(config, node, signal),
      ...(persisted === undefined ? {} : { persisted }),
    }
  } catch (thrown) {
    const identity = await talos
      .maintenance(target)
      .findIdentity(signal)
      .catch(() => undefined)
    if (identity === undefined)
      return {
        reach: 'silent',
        reason: reasonOf(thrown),
        ...(isOfUntrustedCa(thrown) ? { isUntrusted: true } : {}),
      }
    // Another machine that waits there for a config provides no information about this one.
    if (identity.uuid.toLowerCase() === mark.uuid) return { reach: 'maintenance' }
    return { reach: 'silent', reason: `another machine is waiting for a config at ${address}` }
  }
}

/** Probes of a killed run expire by themselves and are not drift. Probes on the disk of the node are. */
async function withoutTriedProbes(config: Seen<string>, { resources }: TalosNode, signal: AbortSignal) {
  if (!config.seen || !hasProbes(config.value)) return config
  return resources.persistedConfig(signal).then(
    (persisted) => (hasProbes(persisted) ? config : seen(withoutProbes(config.value))),
    (thrown) => unseen(reasonOf(thrown)),
  )
}

/** From the inventory; otherwise from the guest agent. */
async function findAddress(
  machine: ObservedMachine,
  question: ObserveScope,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (machine.address !== undefined) return machine.address
  const wanted = askedMachine(question, machine.name)
  return wanted?.address ?? findReportedAddress(machine, question, proxmox, signal)
}

async function findReportedAddress(
  machine: ObservedMachine,
  { vip }: ObserveScope,
  { agent }: World['proxmox'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const interfaces = await agent.findAddresses(machine, signal).catch(() => undefined)
  const first = interfaces?.find(({ mac }) => mac?.toUpperCase() === machine.mark.mac)
  return first?.addresses.find(
    (address) => !address.startsWith('fe80:') && !address.startsWith('169.254.') && address !== vip,
  )
}

/**
 * An existing machine that is silent at its configured address may still run at an old one, which its agent or its node
 * reports. For a machine that is no longer in the inventory and has no agent, only its node reports the address.
 */
export async function askElsewhere(
  machine: ObservedMachine,
  question: ObserveScope,
  world: World,
  signal: AbortSignal,
): Promise<ObservedMachine> {
  const { mark, talos, node } = machine
  if (talos.reach !== 'silent' || mark.stage !== 'made') return machine
  const reported = await findReportedAddress(machine, question, world.proxmox, signal)
  const others = [...new Set([reported, ...(node?.internalAddresses ?? [])])]
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  for (const address of others) {
    if (address === undefined || address === machine.address || address === question.vip) continue
    const found = await ask(machine, address, question, world, patience)
    if (found.reach !== 'secured') continue
    return machine.address === undefined
      ? { ...machine, address, talos: found }
      : { ...machine, talos: { ...talos, elsewhere: address } }
  }
  return machine
}
