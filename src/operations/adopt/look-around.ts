import type { FoundCluster, FoundMachine, FoundTalos, FoundVm, LeftOut } from '../../adopt/found-cluster.js'
import { mapLimit } from '../../cluster/map-limit.js'
import { reasonOf } from '../../errors.js'
import type { KubernetesPort, NodeInfo } from '../../kubernetes/port.js'
import { identityOfVm } from '../../ownership/identity-of-vm.js'
import type { ProxmoxPort } from '../../proxmox/client/port.js'
import { parseDisk } from '../../proxmox/model/options/disk.js'
import type { TalosNode, TalosPort } from '../../talos/api/port.js'

/** Read-only clients with the credentials of the cluster that is adopted. */
export interface Surroundings {
  readonly proxmox: Pick<ProxmoxPort, 'cluster' | 'machines'>
  readonly talos: Pick<TalosPort, 'node'>
  readonly kubernetes: Pick<KubernetesPort, 'at'>
}

const atOnce = 8
const apiPort = 6443

export function endpointsOf(controlPlanes: readonly string[]): { host: string; port: number }[] {
  return controlPlanes.map((host) => ({ host, port: apiPort }))
}

/** The nodes of the cluster as Kubernetes knows them, what each reports itself, and the VM of each by UUID and MAC. */
export async function lookAround(
  controlPlanes: readonly string[],
  { proxmox, talos, kubernetes }: Surroundings,
  signal: AbortSignal,
): Promise<FoundCluster> {
  const api = kubernetes.at(endpointsOf(controlPlanes))
  const [nodes, vms] = await Promise.all([api.nodes(signal), findVms(proxmox, signal)])
  const answers = await mapLimit(nodes, atOnce, (node) => findMachine(node, vms, talos, signal))
  return {
    machines: answers.filter((answer): answer is FoundMachine => 'vm' in answer).sort(byName),
    leftOut: answers.filter((answer): answer is LeftOut => 'why' in answer).sort(byName),
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name.localeCompare(other.name, 'en', { numeric: true })
}

interface SeenVm extends FoundVm {
  readonly uuid: string
  readonly isRunning: boolean
}

/** Every VM that the token can see, wherever it is now. */
async function findVms({ cluster, machines }: Surroundings['proxmox'], signal: AbortSignal): Promise<SeenVm[]> {
  const { guests } = await cluster.resources(signal)
  const readable = guests.filter(({ kind, template }) => kind === 'qemu' && !template)
  const read = await mapLimit(readable, atOnce, async ({ host, vmid, name, pool, status }): Promise<SeenVm[]> => {
    const config = await machines.findOptions({ host, vmid }, signal)
    if (config === undefined) return []
    const { uuid = '', mac = '' } = identityOfVm(config)
    const options = config.options
    return [
      {
        ...{ host, vmid, uuid, mac, options, name: name ?? '', isRunning: status === 'running' },
        ...(pool === undefined ? {} : { pool }),
      },
    ]
  })
  return read.flat()
}

async function findMachine(
  node: NodeInfo,
  vms: readonly SeenVm[],
  talos: Surroundings['talos'],
  signal: AbortSignal,
): Promise<FoundMachine | LeftOut> {
  const { name } = node
  const uuid = node.systemUuid.toLowerCase()
  const address = node.internalAddresses.find((one) => one.includes('.')) ?? node.internalAddresses[0]
  const [vm, twin] = vms.filter((one) => one.uuid === uuid)
  if (address === undefined) return { name, why: 'Kubernetes knows no address of it.' }
  if (vm === undefined) return { name, why: `no VM that this token can see has its UUID ${uuid}.` }
  if (twin !== undefined) return { name, why: `VMs ${vm.vmid} and ${twin.vmid} both have its UUID.` }
  const unfit = whyUnfit(vm)
  if (unfit !== undefined) return { name, why: `VM ${vm.vmid} ${unfit}.` }
  const { uuid: _uuid, isRunning, ...own } = vm
  const role = 'node-role.kubernetes.io/control-plane' in node.labels ? ('controlplane' as const) : ('worker' as const)
  const machine = { name, role, address, uuid, vm: own }
  if (!isRunning) return machine
  try {
    const report = await askNode(talos.node({ machine: name, address }), signal)
    if (report.uuid !== uuid) return { name, why: `the node at ${address} has another UUID than in Kubernetes.` }
    if (!report.macs.includes(vm.mac)) return { name, why: `the node has no NIC with the MAC of VM ${vm.vmid}.` }
    return { ...machine, talos: report.talos }
  } catch (thrown) {
    signal.throwIfAborted()
    return { name, why: `its Talos API does not answer: ${reasonOf(thrown)}` }
  }
}

/** ichor's machines boot from scsi0. */
function whyUnfit({ options, mac }: SeenVm): string | undefined {
  if (mac === '') return 'has no net0'
  if (parseDisk(options.scsi0 ?? '').volume !== undefined) return undefined
  const other = Object.keys(options).find(
    (key) => /^(virtio|sata|ide)\d+$/.test(key) && !options[key]?.includes('cdrom'),
  )
  return `boots from ${other ?? 'no disk'}; ichor manages VMs that boot from scsi0`
}

async function askNode({ resources, version }: TalosNode, signal: AbortSignal) {
  const [uuid, links, config, { tag, platform }, { schematic, extensions }] = await Promise.all([
    resources.systemUuid(signal),
    resources.list('LinkStatuses.net.talos.dev', 'network', signal),
    resources.machineConfig(signal),
    version(signal),
    resources.image(signal),
  ])
  const talos: FoundTalos = {
    config,
    version: tag,
    platform,
    ...(schematic === undefined ? {} : { schematic }),
    extensions,
  }
  const macs = links.map(({ spec }) => field(spec, 'hardwareAddr').toUpperCase())
  return { uuid: uuid.toLowerCase(), macs, talos }
}

function field(value: unknown, key: string): string {
  if (typeof value !== 'object' || value === null) return ''
  const found = Object.entries(value).find(([name]) => name === key)?.[1]
  return typeof found === 'string' ? found : ''
}
