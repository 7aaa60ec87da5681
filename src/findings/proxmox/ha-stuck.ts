import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { becauseOffline } from './host-offline.js'

/** States in which Proxmox HA does not run the VM as asked. */
const stuck: Readonly<Record<string, { readonly severity: 'blocks' | 'warns'; readonly means: string }>> = {
  queued: { severity: 'warns', means: 'no manager takes it: without a working watchdog HA never starts it' },
  error: { severity: 'blocks', means: 'HA has given it up and no longer touches it' },
  fence: { severity: 'blocks', means: 'HA waits until its host is fenced' },
  recovery: { severity: 'blocks', means: 'HA looks for another host, and finds none' },
}

export const haStuck = defineFinding({
  code: 'ICH0209',
  name: 'Proxmox HA does not run a machine',
  severity: 'blocks',
  needs: ['proxmox', 'examined.ha'],
  *find({ observed, examined }) {
    const offline = new Set(observed.proxmox.hosts.filter(({ online }) => !online).map(({ name }) => name))
    for (const { vmid, host, state } of ifSeen(examined?.ha)?.services ?? []) {
      const machine = observed.machines.find((one) => one.vmid === vmid)
      const known = stuck[state]
      if (machine === undefined || known === undefined) continue
      yield {
        severity: known.severity,
        subject: { kind: 'machine', name: machine.name },
        title: `Proxmox HA reports ${machine.name} as ${state}.`,
        detail: `VM ${vmid} on host ${host}: ${known.means}.`,
        ...(offline.has(host) ? becauseOffline(host) : {}),
        cure:
          state === 'error'
            ? {
                text: `Mend the reason, then as root on a host: ha-manager set vm:${vmid} --state disabled, and started again.`,
              }
            : { text: `Look at Datacenter, HA in Proxmox; a host needs a running watchdog-mux.` },
      }
    }
  },
})
