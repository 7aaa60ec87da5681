import { groupBy } from '../../cluster/lookup.js'
import { isInPool } from '../../cluster/pool.js'
import type { Desired, DesiredMachine } from '../../desired/desired.js'
import type { Finding } from '../../findings/finding.js'
import { readableSeed } from '../../findings/notes/secrets.js'
import type { Observed } from '../../observe/observed.js'
import { findSeen } from '../../work/wanted-machine.js'

/** Contents with which a storage also holds what belongs to other VMs. */
const ofOthers: Readonly<Record<string, string>> = { images: 'disks', rootdir: 'disks', backup: 'backups' }

/** Configs on their way to new machines, on a storage that other people have reasons to read. */
export function seedNotes({ cluster, machines }: Desired, observed: Observed): Finding[] {
  const { proxmox } = observed
  const ours = new Set(observed.machines.map(({ vmid }) => vmid))
  const hasOthers = proxmox.guests.some(({ pool, vmid }) => !isInPool(pool, cluster.pool) && !ours.has(vmid))
  if (cluster.delivery !== 'cidata' || !hasOthers) return []
  const isNew = machines.filter(({ machine }) => findSeen(observed, machine.name) === undefined)
  return [...groupBy(isNew, ({ seed }) => `${seed.storage} ${seed.kind}`).values()].flatMap((there) => {
    const [first] = there
    const found = proxmox.storages.find(({ host, storage }) => host === first?.host && storage === first.seed.storage)
    const kinds = [...new Set((found?.content ?? []).flatMap((content) => ofOthers[content] ?? []))]
    return first === undefined || kinds.length === 0 ? [] : [seedNote(there, first.seed, kinds)]
  })
}

function seedNote(there: readonly DesiredMachine[], seed: DesiredMachine['seed'], kinds: readonly string[]): Finding {
  const names = there.map(({ machine }) => machine.name)
  const who = names.length > 3 ? `${names.length} new machines` : names.join(' and ')
  const until = seed.kind === 'disk' ? 'until their import' : 'until the machines respond'
  const also = `which is also for ${kinds.join(' and ')} of other VMs`
  return readableSeed.note(
    `The configs of ${who} hold keys of the cluster and are uploaded to ${seed.storage}, ${also}: who can read that storage can read them ${until}.`,
    {
      subject: { kind: 'storage', name: seed.storage },
      cure: 'Set proxmox.seed_datastore to a storage of its own, or talos.delivery: apply.',
    },
  )
}
