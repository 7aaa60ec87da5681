import type { ServiceImpl } from '@connectrpc/connect'
import type { InspectService } from '../../../../wire/inspect/inspect_pb.js'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import { blockDevices } from '../../disks/drives.js'
import { machineOf } from '../call-context.js'

const megahertz = 2400

/** The numbers for the dashboard: they grow with the node's uptime and have no other meaning. */
export const statsHandlers = {
  cPUInfo: (_request, context) => {
    const { cores } = machineOf(context).hardware
    const cpuInfo = Array.from({ length: cores }, (_, processor) => ({
      processor,
      vendorId: 'GenuineIntel',
      modelName: 'QEMU Virtual CPU version 2.5+',
      cpuMhz: megahertz,
      physicalId: '0',
      coreId: String(processor),
      cpuCores: cores,
    }))
    return { messages: [{ cpuInfo }] }
  },
  cPUFreqStats: (_request, context) => {
    const kilohertz = BigInt(megahertz * 1000)
    const one = { currentFrequency: kilohertz, minimumFrequency: kilohertz, maximumFrequency: kilohertz, governor: '' }
    return { messages: [{ cpuFreqStats: Array.from({ length: machineOf(context).hardware.cores }, () => one) }] }
  },
  diskStats: (_request, context) => {
    const machine = machineOf(context)
    const busy = uptimeSeconds(machine)
    const devices = blockDevices(machine.hardware).map(({ id }) => diskStat(id, busy))
    return { messages: [{ total: diskStat('', busy * BigInt(devices.length)), devices }] }
  },
  networkDeviceStats: (_request, context) => {
    const machine = machineOf(context)
    const seconds = uptimeSeconds(machine)
    const devices = machine.links.map(({ name }) => netDev(name, seconds))
    return { messages: [{ total: netDev('', seconds * BigInt(devices.length)), devices }] }
  },
  processes: (_request, context) => {
    const { services } = machineOf(context)
    const running = services.list().filter(({ state }) => state === 'Running')
    const processes = running.map(({ id }, n) => ({
      pid: n + 1,
      ppid: n === 0 ? 0 : 1,
      state: 'S',
      threads: 8,
      cpuTime: 1.5,
      virtualMemory: 800_000_000n,
      residentMemory: 60_000_000n,
      command: id,
      executable: `/usr/bin/${id}`,
      args: id,
    }))
    return { messages: [{ processes }] }
  },
  containers: ({ namespace }, context) => {
    const { services } = machineOf(context)
    const names = namespace === 'k8s.io' ? [] : ['apid', 'trustd', 'etcd', 'kubelet']
    const running = names.filter((id) => services.find(id)?.state === 'Running')
    const containers = running.map((id, n) => ({ namespace, id, name: id, pid: n + 1, status: 'RUNNING', image: '' }))
    return { messages: [{ containers }] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

/** The lab's node has no controllers whose dependencies could be shown. */
export const inspectHandlers = {
  controllerRuntimeDependencies: () => ({ messages: [{ edges: [] }] }),
} satisfies ServiceImpl<typeof InspectService>

function uptimeSeconds({ fleet, bootedAt }: { fleet: { clock: { now(): number } }; bootedAt: number }): bigint {
  return BigInt(Math.max(0, Math.floor((fleet.clock.now() - bootedAt) / 1000)))
}

function diskStat(name: string, n: bigint) {
  return { name, readCompleted: n * 5n, readSectors: n * 80n, writeCompleted: n * 10n, writeSectors: n * 160n }
}

function netDev(name: string, n: bigint) {
  return { name, rxBytes: n * 20_000n, rxPackets: n * 50n, txBytes: n * 15_000n, txPackets: n * 40n }
}
