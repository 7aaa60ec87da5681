import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ContainerDriver } from '../../wire/common/common_pb.js'
import type { ServiceEvent } from '../../wire/machine/events_pb.js'
import {
  RebootRequest_Mode,
  type ResetRequestSchema,
  type ServiceInfo,
  ResetRequest_WipeMode as WipeMode,
} from '../../wire/machine/machine_pb.js'
import { applyConfiguration } from './apply.js'
import { type Channel, only } from './channel.js'
import { bytesOf, collect } from './data.js'
import { etcdCalls } from './etcd.js'
import type { ResetOptions, Service, TalosNode, TalosVersion } from './port.js'
import { resourceCalls } from './resources.js'
import { answered, TalosError } from './talos-error.js'
import { pullImage, upgrade } from './upgrade.js'

/** All calls to a configured node. */
export function talosNode(channel: Channel): TalosNode {
  const { machine } = channel
  return {
    version: (signal) => version(channel, signal),
    applyConfiguration: (config, options, signal) => applyConfiguration(channel, config, options, signal),
    bootstrap: async ({ recoverEtcd, skipHashCheck }, signal) => {
      const request = { recoverEtcd, recoverSkipHashCheck: skipHashCheck }
      const done = channel.call('Bootstrap', 'quick', signal, (call) => machine.bootstrap(request, call))
      return done.then(() => 'accepted', alreadyIfExists)
    },
    reboot: async (mode, signal) => {
      await channel.call('Reboot', 'work', signal, (call) => machine.reboot({ mode: rebootModes[mode] }, call))
    },
    shutdown: async ({ force }, signal) => {
      await channel.call('Shutdown', 'work', signal, (call) => machine.shutdown({ force }, call))
    },
    reset: async (options, signal) => {
      await channel.call('Reset', 'work', signal, (call) => machine.reset(resetRequest(options), call))
    },
    rollback: async (signal) => {
      await channel.call('Rollback', 'work', signal, (call) => machine.rollback({}, call))
    },
    upgrade: (image, options, signal) => upgrade(channel, image, options, signal),
    services: async (signal) => {
      const { messages } = await channel.call('ServiceList', 'quick', signal, (call) => machine.serviceList({}, call))
      return only(channel, 'ServiceList', messages).services.map(serviceFrom)
    },
    restartService: async (id, signal) => {
      const { messages } = await channel.call('ServiceRestart', 'work', signal, (call) =>
        machine.serviceRestart({ id }, call),
      )
      only(channel, 'ServiceRestart', messages)
    },
    logs: ({ service, namespace, follow, tailLines }, signal) =>
      bytesOf(channel, `Logs of ${service}`, streamKind(follow), signal, (call) =>
        machine.logs({ namespace, id: service, driver: driverOf(namespace), follow, tailLines }, call),
      ),
    dmesg: (options, signal) =>
      bytesOf(channel, 'Dmesg', streamKind(options.follow), signal, (call) => machine.dmesg(options, call)),
    bootId: async (signal) => {
      const path = '/proc/sys/kernel/random/boot_id'
      const bytes = await collect(
        bytesOf(channel, `Read ${path}`, 'sending', signal, (call) => machine.read({ path }, call)),
      )
      return Buffer.from(bytes).toString('utf8').trim()
    },
    etcd: etcdCalls(channel),
    readFile: (path, signal) =>
      bytesOf(channel, `Read of ${path}`, 'sending', signal, (call) => machine.read({ path }, call)),
    memory: async (signal) => {
      const { messages } = await channel.call('Memory', 'quick', signal, (call) => machine.memory({}, call))
      return Number(only(channel, 'Memory', messages).meminfo?.memtotal ?? 0n) * 1024
    },
    bootTime: async (signal) => {
      const { messages } = await channel.call('SystemStat', 'quick', signal, (call) => machine.systemStat({}, call))
      return Number(only(channel, 'SystemStat', messages).bootTime)
    },
    clock: async (signal) => {
      const { messages } = await channel.call('Time', 'quick', signal, (call) => channel.time.time({}, call))
      const { localtime, remotetime } = only(channel, 'Time', messages)
      if (localtime === undefined || remotetime === undefined)
        throw answered('Internal', 'the answer has no time', channel.target, 'Time')
      return { node: timestampMs(localtime), server: timestampMs(remotetime) }
    },
    pullImage: (reference, namespace, signal) => pullImage(channel, reference, namespace, signal),
    resources: resourceCalls(channel),
  }
}

export async function version(channel: Channel, signal: AbortSignal, node?: string): Promise<TalosVersion> {
  const headers = node === undefined ? {} : { headers: { node } }
  const { messages } = await channel.call('Version', 'quick', signal, (call) =>
    channel.machine.version({}, { ...call, ...headers }),
  )
  const { version: running, platform } = only(channel, 'Version', messages)
  return {
    tag: running?.tag ?? '',
    platform: platform?.name ?? '',
    mode: platform?.mode ?? '',
    arch: running?.arch ?? '',
  }
}

function alreadyIfExists(thrown: unknown): 'already' {
  if (thrown instanceof TalosError && thrown.grpcCode === 'AlreadyExists') return 'already'
  throw thrown
}

/** Pods run in a different containerd than Talos's services. */
function driverOf(namespace: 'system' | 'k8s.io'): ContainerDriver {
  return namespace === 'k8s.io' ? ContainerDriver.CRI : ContainerDriver.CONTAINERD
}

/** A follower may wait indefinitely for the next line. */
function streamKind(follow: boolean): 'following' | 'sending' {
  return follow ? 'following' : 'sending'
}

const rebootModes = {
  default: RebootRequest_Mode.DEFAULT,
  powercycle: RebootRequest_Mode.POWERCYCLE,
  force: RebootRequest_Mode.FORCE,
} as const

function resetRequest(options: ResetOptions): MessageInitShape<typeof ResetRequestSchema> {
  const userDisks = options.userDisks ?? []
  return {
    graceful: options.graceful,
    reboot: options.reboot,
    systemPartitionsToWipe: options.systemPartitions.map((label) => ({ label, wipe: true })),
    userDisksToWipe: [...userDisks],
    mode: userDisks.length > 0 ? WipeMode.ALL : WipeMode.SYSTEM_DISK,
  }
}

function serviceFrom({ id, state, health, events: happened }: ServiceInfo): Service {
  const isKnown = health !== undefined && !health.unknown
  const last = happened?.events.at(-1)
  const ended = whyItEnded(happened?.events ?? [])
  return {
    id,
    state,
    ...(isKnown ? { healthy: health.healthy } : {}),
    message: health?.lastMessage || (last?.msg ?? ''),
    ...(ended === undefined ? {} : { ended }),
    ...(last?.ts === undefined ? {} : { changedAt: timestampMs(last.ts) }),
  }
}

/**
 * Talos starts a service that ended again for ever: it is Waiting until then. Before its first start it is
 * Waiting too, and the message names what for.
 */
function whyItEnded(happened: readonly Pick<ServiceEvent, 'state' | 'msg'>[]): string | undefined {
  const healthy = happened.findLastIndex(({ msg }) => msg === 'Health check successful')
  const isEnd = ({ state, msg }: Pick<ServiceEvent, 'state' | 'msg'>) =>
    state === 'Failed' || (state === 'Waiting' && !msg.startsWith('Waiting for '))
  return happened.slice(healthy + 1).findLast(isEnd)?.msg
}
