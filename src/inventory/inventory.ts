import type { Address } from '../cluster/address.js'
import type { Guest, Machine, Nic } from '../cluster/machine.js'
import type { Problem } from './problem.js'
import type { Settings } from './schema.js'

/** What the user wants: validated, complete, and with the file position of each setting. */
export interface Inventory {
  /** The folder of patches, secrets and other files. */
  readonly folder: string
  /** The file with the name of the cluster. */
  readonly file: string
  readonly environment: string
  readonly settings: Settings
  /** The settings as in the files, without what the environment adds. */
  readonly written?: Settings
  readonly machines: readonly Machine[]
  readonly guests: readonly Guest[]
  readonly warnings: readonly Problem[]
  /** `cluster.yaml:7:9  (proxmox.node)`, for errors that are raised later. */
  where(path: string): string
  /** The same place with its line, for several problems that are reported at once. */
  problem(path: string, message: string, fix: string): Problem
}

export interface BridgeNetwork {
  readonly prefix: number
  readonly gateway?: Address
}

/** Whether prefix and gateway must still be read from the bridge: `network.cidr` is absent and addresses are static. */
export function needsNetwork({ settings, machines }: Inventory): boolean {
  return settings.network.cidr === undefined && machines.some(({ nics: [first] }) => first.addresses.some(isBare))
}

/** The inventory with addresses completed by the network of the host's bridge. */
export function withNetwork(inventory: Inventory, network: BridgeNetwork): Inventory {
  return { ...inventory, machines: inventory.machines.map((machine) => completed(machine, network)) }
}

function completed(machine: Machine, network: BridgeNetwork): Machine {
  const [first, ...others] = machine.nics
  return { ...machine, nics: [completedNic(first, network), ...others] }
}

function completedNic(nic: Nic, { prefix, gateway }: BridgeNetwork): Nic {
  if (!nic.addresses.some(isBare)) return nic
  const addresses = nic.addresses.map((address) => (isBare(address) ? `${address}/${prefix}` : address))
  const route = nic.gateway ?? gateway
  return { ...nic, addresses, ...(route === undefined ? {} : { gateway: route }) }
}

function isBare(address: string): boolean {
  return !address.includes('/')
}
