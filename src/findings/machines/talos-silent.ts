import { addressNeed } from '../../etcd/fix-of-silent.js'
import { seedSlots } from '../../vm/seed.js'
import { defineFinding } from '../define-finding.js'

export const talosSilent = defineFinding({
  code: 'ICH0303',
  name: 'Talos does not answer',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ desired, observed: { machines } }) {
    for (const { name, host, vmid, options, talos } of machines) {
      if (talos.reach !== 'silent' || talos.halted !== undefined) continue
      yield {
        subject: { kind: 'machine', name },
        title: `The VM of ${name} runs, but Talos does not answer.`,
        detail: [
          talos.reason,
          ...(talos.elsewhere === undefined ? [] : [`It answers at ${talos.elsewhere}.`]),
          ...(seedSlots(options).length === 0 ? [] : ['Its seed, which holds the keys of the cluster, is attached.']),
        ].join(' '),
        cure: {
          text: [
            `Look at the console of VM ${vmid} on host ${host} in Proxmox.`,
            ...(desired === undefined ? [] : [addressNeed(name, desired)]),
            `ichor up waits for it; ichor replace ${name} recreates it.`,
          ].join(' '),
        },
      }
    }
  },
})
