import { groupBy } from '../cluster/lookup.js'
import type { Observed } from '../observe/observed.js'
import { disksOnStorages } from '../proxmox/model/disks-on-storages.js'

/** The storages that hold disks of our machines, by host. */
export function storagesOf({ machines }: Observed): { host: string; storage: string; machines: string[] }[] {
  const uses = machines.flatMap(({ name, host, options }) =>
    [...new Set(disksOnStorages(options).map(({ storage }) => storage))].map((storage) => ({ name, host, storage })),
  )
  const places = groupBy(uses, ({ host, storage }) => `${host}/${storage}`)
  return [...places.values()].flatMap((all) =>
    all.slice(0, 1).map(({ host, storage }) => ({ host, storage, machines: all.map(({ name }) => name) })),
  )
}
