import type { Guest, Machine, VmRef } from '../../cluster/machine.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Topology, TopologyHost, TopologyNetwork, TopologyVm } from '../../render/topology.js'

export interface Places {
  readonly endpoint?: string | undefined
  /** Empty if only Proxmox knows the hosts. */
  readonly places: ReadonlyMap<string, VmRef>
  readonly addresses: ReadonlyMap<string, string>
}

/** The inventory and the hosts of its machines, for diagrams. */
export function topologyOf(inventory: Inventory, { endpoint, places, addresses }: Places): Topology {
  const { settings, machines, guests } = inventory
  const { vip } = settings.network
  const jump = jumpOf(inventory)
  const vms = machines.map((machine) => {
    const { host = '', vmid } = places.get(machine.name) ?? {}
    return { host, vm: machineVm(machine, vmid, addresses.get(machine.name)) }
  })
  const names = [...new Set([...settings.proxmox.target_nodes, ...vms.map(({ host }) => host), ...hostsOf(guests)])]
  return {
    cluster: settings.cluster_name,
    talosVersion: settings.talos_version,
    kubernetesVersion: settings.kubernetes_version,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(vip === undefined ? {} : { vip }),
    ...(jump === undefined ? {} : { jump }),
    networks: networksOf(inventory),
    hosts: names.map(
      (name): TopologyHost => ({
        ...(name === '' ? {} : { name }),
        machines: vms.filter(({ host }) => host === name).map(({ vm }) => vm),
        guests: guests.filter(({ host }) => host === name).map(guestVm),
      }),
    ),
  }
}

function hostsOf(guests: readonly Guest[]): string[] {
  return guests.map(({ host }) => host)
}

function machineVm(machine: Machine, vmid: number | undefined, address: string | undefined): TopologyVm {
  const { name, role, pool, cpu, memory, disk, disks, devices } = machine
  return {
    name,
    kind: role,
    pool,
    ...(vmid === undefined ? {} : { vmid }),
    ...(address === undefined ? {} : { address }),
    cpu,
    memory,
    disks: [{ size: disk }, ...disks],
    devices: devices.map(({ mapping }) => mapping),
  }
}

function guestVm({ name, cpu, memory, disk, vmid, address, devices }: Guest): TopologyVm {
  return {
    name,
    kind: 'guest',
    ...(vmid === undefined ? {} : { vmid }),
    ...(address === undefined ? {} : { address }),
    cpu,
    memory,
    disks: [{ size: disk }],
    devices: devices.map(({ mapping }) => mapping),
  }
}

function jumpOf({ settings }: Inventory): string | undefined {
  const { ssh, socks } = settings.proxmox
  if (ssh !== undefined) return `SSH ${ssh.user}@${ssh.host}${ssh.port === 22 ? '' : `:${ssh.port}`}`
  return socks === undefined ? undefined : `SOCKS ${socks.replace(/^socks5h?:\/\//, '')}`
}

/** One per bridge and VLAN of the machines. */
function networksOf({ settings }: Inventory): TopologyNetwork[] {
  const { proxmox, network } = settings
  const nameOf = (bridge: string, vlan: number | undefined) => (vlan === undefined ? bridge : `${bridge}, VLAN ${vlan}`)
  const first: TopologyNetwork = {
    name: nameOf(proxmox.bridge, proxmox.vlan_id),
    ...(network.cidr === undefined ? {} : { cidr: network.cidr }),
    ...(network.gateway === undefined ? {} : { gateway: network.gateway }),
  }
  const further = network.nics.map(
    (nic): TopologyNetwork => ({
      name: nameOf(nic.bridge, nic.vlan_id),
      ...(nic.cidr === undefined ? {} : { cidr: nic.cidr }),
    }),
  )
  return [first, ...further.filter(({ name }) => name !== first.name)]
}
