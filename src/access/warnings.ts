import { contentBeside } from '../proxmox/model/preferred-storage.js'
import type { AccessFacts, AccessInventory } from './access-inventory.js'
import type { Places } from './places.js'

/** What is allowed and still not good, each with what to do about it. */
export function accessWarnings(inventory: AccessInventory, places: Places, facts: AccessFacts): string[] {
  return [...sharedStorages(places, facts), ...guestsWithoutVmid(inventory)]
}

/** Whoever may delete media on a storage may read and delete everything else on it. */
function sharedStorages({ images, seeds }: Places, { storages }: AccessFacts): string[] {
  const paths = new Set([...images, ...seeds])
  const named = storages.filter(({ storage }) => paths.has(`/storage/${storage}`))
  const beside = new Map(named.map((storage) => [storage.storage, contentBeside(storage)]))
  return [...beside].flatMap(([storage, content]) =>
    content.length === 0
      ? []
      : [
          `Storage ${storage} also holds ${content.join(' and ')} content, which the token can read and delete. Create a storage with only iso and import content, and set it as proxmox.seed_datastore and proxmox.image_datastore.`,
        ],
  )
}

function guestsWithoutVmid({ settings: { guests } }: AccessInventory): string[] {
  return guests.flatMap(({ name, create, vmid }) =>
    create && vmid === undefined
      ? [`The guest ${name} has no vmid, so no right can be granted for it: set its vmid in the inventory.`]
      : [],
  )
}
