import { badParameters } from '../api-error.js'
import { type Call, find, may, type Routes, text } from '../http/call.js'
import { nodeResource, nodeStatistics } from './resources.js'
import { describeStaged, stagedInterfaces } from './staged-network.js'
import { versionOf } from './version.js'

function list(call: Call): unknown[] {
  const { datacenter } = call
  return Object.values(datacenter.state.hosts).map((host) => ({
    ...nodeResource(datacenter, host, may(call, `/nodes/${host.name}`, ['Sys.Audit'])),
    ssl_fingerprint: datacenter.fingerprint,
  }))
}

function status({ datacenter, host }: Call): unknown {
  const machine = datacenter.state.hosts[host]
  if (machine === undefined) return undefined
  const { cpu = 0, mem = 0, disk = 0, uptime = 0 } = nodeStatistics(datacenter, machine)
  const { version, repoid } = versionOf(datacenter.pve)
  const free = machine.rootTotal - disk
  const kernel = { sysname: 'Linux', machine: 'x86_64', release: '6.8.12-15-pve', version: '#1 SMP PREEMPT_DYNAMIC' }
  return {
    uptime,
    idle: 0,
    cpu,
    wait: 0,
    loadavg: ['0.10', '0.12', '0.09'],
    memory: {
      total: machine.memory,
      used: mem,
      free: machine.memory - mem,
      ...(datacenter.pve === 8 ? {} : { available: machine.memory - mem }),
    },
    swap: swapOf(datacenter, host),
    rootfs: { total: machine.rootTotal, used: disk, free, avail: free },
    ksm: { shared: 0 },
    cpuinfo: {
      cpus: machine.cpus,
      cores: machine.cpus,
      sockets: 1,
      model: 'Simulated CPU',
      mhz: '3000.000',
      flags: 'aes avx2 vmx',
      hvm: '1',
      user_hz: 100,
      ...(datacenter.pve === 8 ? {} : { family: '6', vendor: 'GenuineIntel' }),
    },
    kversion: `Linux ${kernel.release} ${kernel.version}`,
    'current-kernel': kernel,
    'boot-info': { mode: 'legacy-bios' },
    pveversion: `pve-manager/${version}/${repoid}`,
  }
}

const swapBytes = 8 * 1024 ** 3

/** Without trouble it has none. */
function swapOf({ trouble }: Call['datacenter'], host: string): Record<string, number> {
  const used = trouble.usedSwap.get(host)
  return used === undefined ? { total: 0, used: 0, free: 0 } : { total: swapBytes, used, free: swapBytes - used }
}

function interfaces(call: Call): Record<string, Record<string, string | number>> {
  return call.datacenter.state.hosts[call.host]?.interfaces ?? {}
}

const kinds: Record<string, (type: string) => boolean> = {
  any_bridge: (type) => type === 'bridge' || type === 'OVSBridge',
  any_local_bridge: (type) => type === 'bridge' || type === 'OVSBridge',
  include_sdn: () => true,
}

function network(call: Call): unknown[] {
  const type = find(call, 'type')
  const fits = type === undefined ? () => true : (kinds[type] ?? ((kind: string) => kind === type))
  const staged = stagedInterfaces(call)
  const changes = describeStaged(staged)
  if (changes !== undefined) call.extra.changes = changes
  return Object.entries({ ...interfaces(call), ...staged })
    .filter(([, details]) => fits(String(details.type)))
    .filter(([name, details]) => details.type !== 'bridge' || maySeeBridge(call, name))
    .map(([iface, details]) => ({ iface, ...details, families: ['inet'] }))
}

function maySeeBridge(call: Call, bridge: string): boolean {
  return (
    may(call, `/nodes/${call.host}`, ['Sys.Audit', 'Sys.Modify'], true) ||
    may(call, `/sdn/zones/localnetwork/${bridge}`, ['SDN.Audit', 'SDN.Use', 'SDN.Allocate'], true)
  )
}

function oneInterface(call: Call): unknown {
  const details = interfaces(call)[text(call, 'iface')]
  if (details === undefined) throw badParameters({ iface: 'interface does not exist' })
  return { ...details, families: ['inet'] }
}

export const nodeRoutes: Routes = {
  'GET /nodes': list,
  'GET /nodes/{node}/status': status,
  'GET /nodes/{node}/network': network,
  'GET /nodes/{node}/network/{iface}': oneInterface,
}
