import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { storagesOf } from '../storages-of.js'
import { percentText, severityAt, shareOf } from '../threshold.js'

/** Machines whose writes fail are paused by QEMU; full metadata can damage the whole pool. */
export const thinPoolFull = defineFinding({
  code: 'ICH0202',
  name: 'A thin pool is almost full',
  severity: 'warns',
  needs: ['examined.hosts', 'examined.storages'],
  *find({ observed, examined }) {
    const definitions = ifSeen(examined?.storages) ?? []
    const places = storagesOf(observed)
    for (const { name: host, thinPools } of examined?.hosts ?? []) {
      for (const pool of ifSeen(thinPools) ?? []) {
        const { volumeGroup, name } = pool
        const [data, metadata] = [shareOf(pool.used, pool.size), shareOf(pool.metadataUsed, pool.metadataSize)]
        const ofData = severityAt(data, { warns: 0.85, blocks: 0.95 })
        const ofMetadata = severityAt(metadata, { warns: 0.75, blocks: 0.9 })
        const storages = definitions.filter(
          ({ thinPool }) => thinPool?.volumeGroup === volumeGroup && thinPool.name === name,
        )
        const used = places.filter(
          (place) => place.host === host && storages.some((one) => one.storage === place.storage),
        )
        if (used.length === 0 || (ofData ?? ofMetadata) === undefined) continue
        yield {
          severity: ofData === 'blocks' || ofMetadata === 'blocks' ? 'blocks' : 'warns',
          subject: { kind: 'storage', name: `${host}/${volumeGroup}/${name}` },
          title: `The thin pool ${volumeGroup}/${name} of host ${host} is ${percentText(data)} full, its metadata ${percentText(metadata)}.`,
          detail: `If it is full, QEMU pauses ${used.flatMap(({ machines }) => machines).join(', ')}.`,
          cure: {
            text:
              ofMetadata === undefined
                ? 'Delete unused disks and snapshots, or extend the pool.'
                : `Extend the metadata, as root on ${host}: lvextend --poolmetadatasize +1G ${volumeGroup}/${name}`,
          },
          where: `Proxmox host ${host}`,
        }
      }
    }
  },
})
