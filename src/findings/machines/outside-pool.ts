import { defineFinding } from '../define-finding.js'

/** The rights of the token end at the pool: what is outside can often not be changed at all. */
export const outsidePool = defineFinding({
  code: 'ICH0317',
  name: 'A machine is outside its pool',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    const { pool: wanted } = inventory.settings.proxmox
    for (const { name, host, vmid, pool } of observed.machines) {
      if (pool === wanted) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} is ${pool === undefined ? 'in no pool' : `in the pool ${pool}`} of Proxmox, not in ${wanted}.`,
        detail: `VM ${vmid} on host ${host}. The rights of the API token usually end at the pool.`,
        cure: { text: `Add VM ${vmid} to the pool ${wanted} in Proxmox: Datacenter, Permissions, Pools.` },
      }
    }
  },
})
