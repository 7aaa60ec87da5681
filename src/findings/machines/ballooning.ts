import { defineFinding } from '../define-finding.js'

/** With fixed memory the device only reports statistics. */
export const ballooning = defineFinding({
  code: 'ICH0308',
  name: 'Ballooning takes memory from a node',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, options } of machines) {
      const balloon = Number(options.balloon ?? options.memory)
      if (!(balloon > 0) || balloon >= Number(options.memory)) continue
      yield {
        subject: { kind: 'machine', name },
        title: `Proxmox may shrink ${name} to ${balloon} MiB while its kubelet counts on ${options.memory} MiB.`,
        detail: 'Talos does not support ballooning: pods are killed when the memory is gone.',
        cure: { text: 'Set vm.balloon to 0 in the inventory.', command: 'ichor up' },
      }
    }
  },
})
