import type { HostView, Part, Snapshot } from './snapshot.js'

/** What is away keeps the value that it was last seen with, and when that was. */
export function keepLast(last: Snapshot | null, now: Snapshot): Snapshot {
  if (last === null) return now
  const hosts = new Map(last.hosts.map((host) => [host.name, host]))
  return {
    ...now,
    hosts: now.hosts.map((host) => keepHost(hosts.get(host.name), host)),
    api: keepPart(last.api, now.api),
    etcd: keepPart(last.etcd, now.etcd),
    addons: keepPart(last.addons, now.addons),
    backup: keepPart(last.backup, now.backup),
  }
}

function keepPart<T>(last: Part<T>, now: Part<T>): Part<T> {
  return now.value === null && last.value !== null ? { ...last, why: now.why } : now
}

/** An offline host reports no sizes, and Proxmox lists none of its storages. */
function keepHost(last: HostView | undefined, now: HostView): HostView {
  if (now.online || last === undefined || last.memory === null) return now
  const { at, proxmox_version, cpus, memory, memory_used, cpu_ratio, storages } = last
  return { ...now, at, proxmox_version, cpus, memory, memory_used, cpu_ratio, storages }
}
