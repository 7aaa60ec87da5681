import { groupBy } from '../../cluster/lookup.js'
import { sizeText } from '../../cluster/size-text.js'
import { freeSpace } from '../../proxmox/model/free-space.js'
import { defineFinding } from '../define-finding.js'
import { storagesOf } from '../storages-of.js'
import { percentText, severityAt, shareOf } from '../threshold.js'

/** Thin pools have a finding of their own; all of a plain volume group may be given away. */
const judgedElsewhere = new Set(['lvmthin', 'lvm'])

export const storageFull = defineFinding({
  code: 'ICH0205',
  name: 'A storage is almost full',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed }) {
    const found = storagesOf(observed).flatMap(({ host, storage, machines }) => {
      const seen = observed.proxmox.storages.find((one) => one.host === host && one.storage === storage)
      return seen === undefined || judgedElsewhere.has(seen.type) || !seen.available ? [] : [{ seen, machines }]
    })
    const nameOf = ({ seen: { storage, shared, host } }: (typeof found)[number]) =>
      shared ? storage : `${host}/${storage}`
    for (const [name, places] of groupBy(found, nameOf)) {
      const [first] = places
      if (first === undefined) continue
      const { seen } = first
      const share = shareOf(seen.used, seen.total)
      const severity = severityAt(share, { warns: 0.85, blocks: 0.95 })
      if (severity === undefined) continue
      yield {
        severity,
        subject: { kind: 'storage', name },
        title: `Storage ${seen.storage}${seen.shared ? '' : ` of host ${seen.host}`} is ${percentText(share)} full.`,
        detail: `${sizeText(freeSpace(seen))} are free. It holds disks of ${places.flatMap(({ machines }) => machines).join(', ')}, which QEMU pauses once it is full.`,
        cure: { text: 'Delete unused data there, or extend it.' },
      }
    }
  },
})
