import type { World } from '../world.js'
import type { Observed } from './observed.js'

/** Tasks that allocate VMIDs, free them, or keep a VM locked. */
const unsettling = new Set(['qmcreate', 'qmclone', 'qmdestroy', 'qmrestore', 'qmigrate'])

/**
 * Waits for relevant VMs that are being created, moved or destroyed (locked, or by a task of ours from before a kill).
 * So no VMID is allocated next to one that is about to become ours or free, and any remaining lock is stale. Returns
 * whether to observe again.
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
