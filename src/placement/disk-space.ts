import type { Machine } from '../cluster/machine.js'
import { GiB } from '../cluster/machine.js'
import type { HostFacts, StorageFacts } from './facts.js'

/** What something needs from the storages. */
export type DiskDemand = Pick<Machine, 'disk' | 'disks'>

/** Free space of every storage during placement. A shared storage has one amount for all hosts. */
export class DiskSpace {
  readonly #free = new Map<string, number>()
  readonly #storages = new Map<string, Map<string, StorageFacts>>()
  readonly #datastore: string | undefined

  constructor(hosts: readonly HostFacts[], datastore: string | undefined) {
    this.#datastore = datastore
    for (const host of hosts) {
      const holding = host.storages.filter(({ content }) => content.includes('images')).toSorted(byId)
      this.#storages.set(host.name, new Map(holding.map((storage) => [storage.id, storage])))
      for (const storage of holding) this.#free.set(keyOf(host.name, storage), storage.free)
    }
  }

  canHold(host: string, machine: DiskDemand): boolean {
    return this.#demands(host, machine).every(([id, size]) => {
      const storage = this.#storages.get(host)?.get(id)
      return storage !== undefined && size <= (this.#free.get(keyOf(host, storage)) ?? 0)
    })
  }

  /** Why the disks of this machine do not fit on this host; `undefined` if they do. */
  obstacleFor(host: string, machine: DiskDemand): string | undefined {
    for (const [id, size] of this.#demands(host, machine)) {
      const storage = this.#storages.get(host)?.get(id)
      if (storage === undefined) return id === '' ? 'no storage for disk images' : `no storage ${id} for disk images`
      const free = this.#free.get(keyOf(host, storage)) ?? 0
      if (size > free)
        return `${Math.floor(free / GiB)} GiB of disk space free on ${id}, and ${Math.ceil(size / GiB)} GiB needed`
    }
    return undefined
  }

  take(host: string, machine: DiskDemand): void {
    for (const [id, size] of this.#demands(host, machine)) {
      const storage = this.#storages.get(host)?.get(id)
      if (storage === undefined) continue
      const key = keyOf(host, storage)
      this.#free.set(key, (this.#free.get(key) ?? 0) - size)
    }
  }

  /** Bytes by storage. The default datastore is the first on the host that allows disk images. */
  #demands(host: string, { disk, disks }: DiskDemand): [string, number][] {
    const usual = this.#datastore ?? this.#storages.get(host)?.keys().next().value ?? ''
    if (disks.length === 0) return disk === 0 ? [] : [[usual, disk]]
    const demands = new Map([[usual, disk]])
    for (const { size, datastore = usual } of disks) demands.set(datastore, (demands.get(datastore) ?? 0) + size)
    return [...demands]
  }
}

function byId(one: StorageFacts, other: StorageFacts): number {
  return one.id < other.id ? -1 : 1
}

function keyOf(host: string, { id, shared }: StorageFacts): string {
  return shared ? id : `${host}/${id}`
}
