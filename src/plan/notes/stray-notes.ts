import { groupBy } from '../../cluster/lookup.js'
import { GiB } from '../../cluster/machine.js'
import type { Finding } from '../../findings/finding.js'
import { strayDisks } from '../../findings/notes/proxmox.js'
import type { Observed } from '../../observe/observed.js'

/** Only an administrator may delete them: on their storage, the token has no right to the disks of others. */
export function strayNotes({ proxmox: { strayVolumes = [] } }: Pick<Observed, 'proxmox'>): Finding[] {
  const groups = groupBy(strayVolumes, ({ host, machine }) => `${host} ${machine}`)
  return [...groups.values()].flatMap((volumes) => {
    const [first] = volumes
    if (first === undefined) return []
    const { host, machine } = first
    const size = Math.ceil(volumes.reduce((sum, volume) => sum + volume.size, 0) / GiB)
    const free = volumes.map(({ volid }) => `pvesm free ${volid}`).join(' && ')
    return [
      strayDisks.note(
        `${host} holds disks of ${machine}, which is on another host (${size} GiB): a failed migration left them, or a replication job keeps them.`,
        {
          subject: { kind: 'machine', name: machine },
          cure: `If there is no such job, run \`${free}\` as root on ${host}.`,
          where: `Proxmox host ${host}`,
        },
      ),
    ]
  })
}
