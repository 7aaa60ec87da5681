import type { FoundMachine } from '../found-cluster.js'

interface Wanted {
  readonly name: string
  readonly vmid: number
  readonly host: string
  readonly mac: string
  readonly address: string
  readonly role?: FoundMachine['role']
  /** What it runs. */
  readonly config?: string
}

export function aFoundMachine({ name, vmid, host, mac, address, role = 'worker', config }: Wanted): FoundMachine {
  return {
    name,
    role,
    address,
    uuid: `5b1e9d3a-0000-4000-8000-000000000${vmid}`,
    vm: { vmid, host, name, mac, options: {} },
    talos: {
      config: config ?? `machine: { type: ${role} }\n`,
      version: 'v1.13.9',
      platform: 'nocloud',
      extensions: [],
    },
  }
}
