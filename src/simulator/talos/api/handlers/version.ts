import type { ServiceImpl } from '@connectrpc/connect'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import { machineOf } from '../call-context.js'

/** Who and what the node is. */
export const versionHandlers = {
  version: (_request, context) => {
    const { asset, facts } = machineOf(context)
    const built = '2026-10-01T00:00:00Z'
    return {
      messages: [
        {
          version: {
            tag: asset?.talos ?? '',
            sha: 'undefined',
            built,
            goVersion: 'go1.26.0',
            os: 'linux',
            arch: asset?.arch ?? 'amd64',
          },
          platform: { name: asset?.platform ?? '', mode: asset?.platform === 'nocloud' ? 'cloud' : 'metal' },
          ...(facts === undefined ? {} : { features: { rbac: true } }),
        },
      ],
    }
  },
  hostname: (_request, context) => ({ messages: [{ hostname: machineOf(context).hostname }] }),
  memory: (_request, context) => {
    const total = BigInt(Math.round(machineOf(context).hardware.memory / 1024))
    const free = (total * 6n) / 10n
    return { messages: [{ meminfo: { memtotal: total, memfree: free, memavailable: free, cached: total / 10n } }] }
  },
  loadAvg: () => ({ messages: [{ load1: 0.42, load5: 0.31, load15: 0.2 }] }),
  systemStat: (_request, context) => {
    const machine = machineOf(context)
    const cpu = Array.from({ length: machine.hardware.cores }, () => ({ user: 12, system: 7, idle: 900 }))
    return {
      messages: [{ bootTime: BigInt(Math.floor(machine.bootedAt / 1000)), cpuTotal: { user: 12, idle: 900 }, cpu }],
    }
  },
  mounts: (_request, context) => {
    const { hardware } = machineOf(context)
    const size = BigInt(hardware.disks[0]?.size ?? 0)
    return { messages: [{ stats: [{ filesystem: '/dev/sda6', size, available: size / 2n, mountedOn: '/var' }] }] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>
