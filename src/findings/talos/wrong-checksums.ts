import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { percentText, shareOf } from '../threshold.js'

/** Counters since the last boot: whether they still rise does not show in one look. */
export const wrongChecksums = defineFinding({
  code: 'ICH0407',
  name: 'A node drops datagrams with wrong checksums',
  severity: 'warns',
  certainty: 'likely',
  needs: ['examined.machines'],
  *find({ examined }) {
    for (const { name, udp } of examined?.machines ?? []) {
      const counted = ifSeen(udp)
      if (counted === undefined) continue
      const { received, checksumErrors } = counted
      const share = shareOf(checksumErrors, received + checksumErrors)
      if (checksumErrors < 100 || share < 0.01) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} dropped ${checksumErrors} datagrams with wrong checksums, ${percentText(share)} of all.`,
        detail:
          'Pods on other nodes are then hard to reach: the network card of the VM offloads checksums of VXLAN wrongly.',
        cure: { text: 'Turn tx-checksum-ip-generic off with an EthernetConfig in talos.patches.' },
      }
    }
  },
})
