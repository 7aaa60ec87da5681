import { machinesAway } from '../../desired/away.js'
import { defineFinding } from '../define-finding.js'
import { becauseLost } from '../etcd/no-majority.js'
import { becauseOffline } from '../proxmox/host-offline.js'
import { becauseNotCreated } from '../runs/not-created.js'

export const vmMissing = defineFinding({
  code: 'ICH0301',
  name: 'The VM of a machine does not exist',
  severity: 'blocks',
  needs: ['proxmox'],
  *find(facts) {
    const { inventory, observed } = facts
    const there = new Set(observed.machines.map(({ name }) => name))
    const held = new Set(observed.unverified.flatMap(({ holds }) => holds ?? []))
    const away = new Map(machinesAway(inventory.machines, observed).map((one) => [one.machine.name, one]))
    for (const { name } of inventory.machines) {
      const { host, vmid, doubt } = away.get(name) ?? {}
      if (there.has(name) || (held.has(name) && host === undefined)) continue
      if (doubt !== undefined) {
        yield {
          severity: 'warns',
          subject: { kind: 'machine', name },
          title: `VM ${vmid} of ${name} is not taken over: ${doubt.replace(/\.$/, '')}.`,
          detail: 'Until its node has shown that it is that machine, nothing of it is changed.',
          cure: { text: 'Start it, or look at its console; then take it over.', command: 'ichor up' },
        }
        continue
      }
      yield host === undefined
        ? {
            subject: { kind: 'machine', name },
            title: `The VM of ${name} does not exist.`,
            detail: 'The inventory wants it.',
            cure: { text: 'Create it.', command: 'ichor up' },
            ...(observed.machines.length > 0 ? {} : becauseNotCreated(inventory.settings.cluster_name)),
            ...becauseLost(facts),
          }
        : {
            subject: { kind: 'machine', name },
            title: `${name} is on host ${host}, which does not answer.`,
            detail: 'Nothing else is known of it.',
            ...becauseOffline(host),
          }
    }
  },
})
