import { groupBy } from '../../cluster/lookup.js'
import { GiB } from '../../cluster/machine.js'
import type { Finding } from '../../findings/finding.js'
import { strayDisks } from '../../findings/notes/proxmox.js'
import type { Observed } from '../../observe/observed.js'
import { freeing } from '../../vm/copies-left.js'

export function strayNotes({ proxmox }: Pick<Observed, 'proxmox'>): Finding[] {
  return [...strayVolumeNotes(proxmox), ...unlistedNotes(proxmox)]
}

function unlistedNotes({ unlistedStorages = [] }: Observed['proxmox']): Finding[] {
  return unlistedStorages.map(({ host, storage, why }) =>
    strayDisks.note(
      `Whether storage ${storage} on ${host} holds disks that a failed migration left is unknown: ${why}.`,
      {
        subject: { kind: 'storage', name: `${host}/${storage}` },
        cure: `Give the token Datastore.Audit on /storage/${storage}, or look with \`pvesm list ${storage}\` as root on ${host}.`,
        where: `Proxmox host ${host}`,
      },
    ),
  )
}

/** Only an administrator may delete them: on their storage, the token has no right to the disks of others. */
function strayVolumeNotes({ strayVolumes = [] }: Observed['proxmox']): Finding[] {
  const groups = groupBy(strayVolumes, ({ host, machine }) => `${host} ${machine}`)
  return [...groups.values()].flatMap((volumes) => {
    const [first] = volumes
    if (first === undefined) return []
    const { host, machine } = first
    const size = Math.ceil(volumes.reduce((sum, volume) => sum + volume.size, 0) / GiB)
    return [
      strayDisks.note(
        `${host} holds disks of ${machine}, which is on another host (${size} GiB): a failed migration left them, or a replication job keeps them.`,
        {
          subject: { kind: 'machine', name: machine },
          cure: `If there is no such job, run ${freeing(volumes.map(({ volid }) => volid))} as root on ${host}.`,
          where: `Proxmox host ${host}`,
        },
      ),
    ]
  })
}
