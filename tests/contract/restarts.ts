import type { DatacenterState } from '../../src/simulator/proxmox/state.js'
import { addLeaseUsers } from './people.js'

/** How the host of a file differs from that of the one before it. */
export interface Restart {
  readonly edit: (state: DatacenterState) => void
  /** Whether a 401 reports what is wrong, as before 8.4.17. */
  readonly saysWhyRefused: boolean
}

const unchanged = () => undefined

/** Files before which the recorded host was another one. */
export const restarts: Readonly<Record<string, Restart>> = {
  '01b-auth-before-8.4.17': { edit: unchanged, saysWhyRefused: true },
  '20-vzdump-errors': { edit: unchanged, saysWhyRefused: false },
  '22-killed-workers': { edit: clearForLeases, saysWhyRefused: false },
}

const GiB = 1024 ** 3

/** The recordings about leases were made an hour later, on a host that had been cleared, with users of their own. */
function clearForLeases(state: DatacenterState): void {
  addLeaseUsers(state)
  state.pools = {}
  for (const poolid of ['leases', 'leases/l-1']) state.pools[poolid] = { poolid, vms: [], storages: [] }
  delete state.sections.ha
  state.vms = {}
  for (const [key, { volid }] of Object.entries(state.volumes))
    if (volid !== 'local:iso/tiny.iso') delete state.volumes[key]
  const volid = 'local:import/big.raw'
  state.volumes[`pve|${volid}`] = {
    volid,
    storage: 'local',
    host: 'pve',
    content: 'import',
    format: 'raw',
    size: 4 * GiB,
    used: 4 * GiB,
    ctime: 1,
    disk: {},
  }
}
