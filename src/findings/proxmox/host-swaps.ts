import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'
import { statusOfOurHosts } from '../hosts-of-ours.js'
import { percentText, shareOf } from '../threshold.js'

const MiB = 1024 ** 2

/** Linux moves a little out of memory that is free as well: only with little memory left does it slow machines down. */
export const hostSwaps = defineFinding({
  code: 'ICH0206',
  name: 'A host swaps',
  severity: 'info',
  needs: ['examined.hosts'],
  *find(facts) {
    for (const { name, machines, status } of statusOfOurHosts(facts)) {
      const { memory, swap } = status
      const share = shareOf(memory.used, memory.total)
      if (swap.used < 256 * MiB) continue
      yield {
        severity: share >= 0.9 ? 'warns' : 'info',
        subject: { kind: 'host', name },
        title: `Host ${name} has swapped ${sizeText(swap.used)} out; its memory is ${percentText(share)} full.`,
        detail: `Machines whose memory is swapped out answer late: ${machines.join(', ')}.`,
        cure: { text: 'Limit the cache of ZFS (zfs_arc_max), or move a machine to another host.' },
      }
    }
  },
})
