import type { ApiToken } from '../proxmox/model/api-token.js'
import type { AccessInventory } from './access-inventory.js'
import type { TokenHome } from './token-home.js'

type Settings = AccessInventory['settings']

/** The part of an inventory that determines privileges: static addresses, image boot, config media. */
export function anAccessInventory({
  settings = {},
  ...rest
}: { settings?: Partial<Settings> } & Partial<Omit<AccessInventory, 'settings'>> = {}): AccessInventory {
  const nic = { mac: '02:00:00:00:00:01', bridge: 'vmbr0', addresses: [], dhcp: false }
  return {
    settings: {
      cluster_name: 'dev',
      proxmox: { pool: 'ichor-dev', bridge: 'vmbr0', target_nodes: ['pve1'] },
      guests: [],
      placement: { evacuate: [] },
      vm: { cpu_type: 'x86-64-v2-AES' },
      talos: { boot: 'image', delivery: 'cidata' },
      network: { mode: 'static', agent: true },
      backup: {},
      ...settings,
    },
    machines: [{ nics: [nic], devices: [], disks: [] }],
    ...rest,
  }
}

/** A token store in memory; one that only the user can write has no `keep`. */
export function aTokenHome(isWritable = false): TokenHome & { value: ApiToken | undefined; inUse: string | undefined } {
  const home = {
    location: 'a home in memory',
    value: undefined as ApiToken | undefined,
    inUse: undefined as string | undefined,
    find: async () => home.value,
    olderInUse: async () => home.inUse,
  }
  const keep = async (token: ApiToken) => {
    home.value = token
  }
  return isWritable ? Object.assign(home, { keep }) : home
}
