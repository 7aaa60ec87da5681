import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { lostHostListed } from '../../findings/refusals/proxmox.js'
import type { Inventory } from '../../inventory/inventory.js'
import { guardReplicas } from '../../node/longhorn-replicas.js'
import { observe } from '../../observe/observe.js'
import type { World } from '../../world.js'
import { filesOf, isBack, type LostHost, lostHost, stillLives } from './lost-host.js'

const patienceMs = 5000
const talosPort = 50_000

/** Facts about a host that the user reports as lost. Refused while it, or any of its machines, responds. */
export async function findLostHost(
  host: string,
  inventory: Inventory,
  world: World,
  signal: AbortSignal,
): Promise<LostHost> {
  const lost = lostHost(host, inventory, await observe(inventory, world, signal))
  await refuseAnswering(lost, world, signal)
  return lost
}

async function refuseAnswering({ host, addresses }: LostHost, world: World, signal: AbortSignal): Promise<void> {
  const answers = await Promise.all(addresses.map((address) => doesAnswer(address, world, signal)))
  const address = addresses.find((_, index) => answers[index])
  if (address !== undefined) throw stillLives(host, `${address} answers`)
}

/** Every Longhorn volume on these machines must have a replica elsewhere. Checked before the user removes files. */
export async function assertReplicasElsewhere(
  { machines }: LostHost,
  spec: Omit<ClusterSpec, 'secrets'>,
  world: World,
  signal: AbortSignal,
): Promise<void> {
  if (machines.length === 0) return
  const { resolve } = await import('../reconcile.js')
  const { up } = await import('../goals.js')
  const { desired, observed } = await resolve({ spec, world, goal: up, signal })
  const silent = { attempt: 1, note: () => undefined, waiting: () => undefined, assertLease: () => undefined }
  await guardReplicas(machines, { ...world, desired, observed, signal, ...silent })
}

async function doesAnswer(host: string, { dialer }: World, signal: AbortSignal): Promise<boolean> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const socket = await dialer.dial({ host, port: talosPort }, patience)
    socket.destroy()
    return true
  } catch {
    signal.throwIfAborted()
    return false
  }
}

const longestWaitMs = 3_600_000
const pauseMs = 5000

/**
 * Waits until Proxmox no longer lists its VMs: only root on a remaining host can remove them. The host may come back during the wait:
 * without their files its VMs would run on, unknown to Proxmox.
 */
export async function awaitForgotten(lost: LostHost, world: World, signal: AbortSignal): Promise<void> {
  const { proxmox, clock } = world
  const until = clock.monotonic() + longestWaitMs
  for (;;) {
    const { guests, hosts } = await proxmox.cluster.resources(signal)
    if (hosts.some(({ name, online }) => name === lost.host && online)) throw isBack(lost.host)
    await refuseAnswering(lost, world, signal)
    const listed = guests.filter(({ host, vmid }) => host === lost.host && lost.vmids.includes(vmid))
    if (listed.length === 0) return
    if (clock.monotonic() > until) {
      const files = filesOf({ host: lost.host, vmids: listed.map(({ vmid }) => vmid) })
      throw lostHostListed.refuse(`Proxmox still lists ${files.length} VMs of ${lost.host}.`, {
        subject: { kind: 'host', name: lost.host },
        where: `Proxmox host ${lost.host}`,
        fix: `As root on another host: rm ${files.join(' ')}. Then run the command again.`,
      })
    }
    await clock.sleep(pauseMs, signal)
  }
}
