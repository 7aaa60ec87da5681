import type { World } from '../world.js'
import type { Observed } from './observed.js'

/** Workers that take VMIDs, give them back, or keep a VM locked. */
const unsettling = new Set(['qmcreate', 'qmclone', 'qmdestroy', 'qmrestore', 'qmigrate'])

/**
 * VMs in our way that are just being made, moved or destroyed (locked so, or by a worker of ours from before a kill) are
 * waited for, so that no VMID is allocated beside one that is about to be ours or free, and a lock that is left is a forgotten
 * one. Gives whether to look again.
 */
export async function awaitQuiet(
  { proxmox: seen, machines, unverified }: Observed,
  intended: ReadonlySet<number>,
  world: World,
  signal: AbortSignal,
): Promise<boolean> {
  const locked = seen.guests.filter(({ lock }) => lock === 'create' || lock === 'clone' || lock === 'destroyed')
  const ours = new Set([...intended, ...machines.map(({ vmid }) => vmid), ...unverified.map(({ vmid }) => vmid)])
  const online = seen.hosts.filter((host) => host.online).map(({ name }) => name)
  const moving = machines.filter(({ lock }) => lock === 'migrate')
  const busy = new Set([...locked.filter(({ vmid }) => ours.has(vmid)), ...moving].map(({ host }) => host))
  const hosts = online.filter((name) => busy.has(name))
  const running = (await Promise.all(hosts.map((host) => world.proxmox.tasks.running(host, signal)))).flat()
  const relevant = running.filter(
    ({ type, id }) => unsettling.has(type) && (type === 'qmclone' || ours.has(Number(id))),
  )
  await Promise.all(relevant.map((task) => world.proxmox.tasks.wait(task, signal).catch(() => undefined)))
  return relevant.length + moving.length > 0
}
