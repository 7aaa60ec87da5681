import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect'
import { EtcdMemberAlarm_AlarmType } from '../../../../wire/machine/etcd_pb.js'
import type { MachineService } from '../../../../wire/machine/machine_pb.js'
import { type EtcdCluster, minorOf } from '../../etcd/etcd-cluster.js'
import { snapshotFile } from '../../etcd/snapshot-file.js'
import { findMembership } from '../../machine/etcd-life.js'
import { leaveEtcd } from '../../machine/leave-etcd.js'
import type { TalosMachine } from '../../machine/machine.js'
import { controlPlaneOf } from '../call-context.js'
import { unknownMethod } from '../unknown-method.js'

/** etcd calls of the node's API. */
export const etcdHandlers = {
  etcdMemberList: async ({ queryLocal }, context) => {
    await hangWithoutEtcd(context)
    const membership = await membershipOf(context)
    const { cluster } = membership
    if (!queryLocal) refuseWithoutQuorum(membership)
    const members = [...cluster.members.values()].map(({ id, name, peerUrls, clientUrls, isLearner }) => ({
      id: BigInt(`0x${id}`),
      hostname: name,
      peerUrls: [...peerUrls],
      clientUrls: [...clientUrls],
      isLearner,
    }))
    return { messages: [{ legacyMembers: members.map(({ hostname }) => hostname), members }] }
  },
  etcdStatus: async (_request, context) => {
    await hangWithoutEtcd(context, Code.Unavailable)
    const { cluster, member } = await membershipOf(context)
    const size = BigInt(20 * 1024 ** 2 + cluster.extraSize)
    // What it grew by holds no data: it is gone after a defragmentation.
    const inUse = BigInt(10 * 1024 ** 2)
    const index = BigInt(cluster.index)
    return {
      messages: [
        {
          memberStatus: {
            protocolVersion: cluster.versionOf(member) ?? '',
            storageVersion: cluster.storageVersion ?? '',
            dbSize: size,
            dbSizeInUse: inUse,
            // A member that is cut off from the majority knows no leader, whatever the others elect.
            leader: BigInt(`0x${(cluster.hasQuorum(member) ? cluster.leader() : undefined) ?? '0'}`),
            raftIndex: index,
            raftAppliedIndex: cluster.laggards.has(member) ? 0n : index,
            raftTerm: BigInt(cluster.term),
            errors: [...cluster.alarms].map(
              ([id, alarm]) => `memberID:${BigInt(`0x${id}`)} alarm:${alarm.toUpperCase()}`,
            ),
            isLearner: cluster.members.get(member)?.isLearner ?? false,
            memberId: BigInt(`0x${member}`),
          },
        },
      ],
    }
  },
  etcdSnapshot: async function* (_request, context) {
    const { cluster } = await membershipOf(context)
    for (const bytes of snapshotFile(cluster)) yield { bytes }
  },
  etcdLeaveCluster: async (_request, context) => {
    const { machine } = await membershipOf(context)
    leaveEtcd(machine)
    return { messages: [{}] }
  },
  etcdForfeitLeadership: async (_request, context) => {
    const membership = await membershipOf(context)
    const { cluster, member, machine } = membership
    refuseWithoutQuorum(membership)
    if (cluster.members.size === 1)
      throw new ConnectError('failed to forfeit leadership: cannot forfeit leadership, only one member', Code.Unknown)
    if (cluster.leader() !== member) return { messages: [{ member: '' }] }
    const heir = cluster.voters.find(({ id }) => id !== member && cluster.isRunning(id))
    if (heir === undefined) return { messages: [{ member: '' }] }
    cluster.lead(heir.id)
    machine.record('etcd.leader-moved', { etcd: cluster.id, to: heir.id }, true)
    return { messages: [{ member: heir.name }] }
  },
  etcdRemoveMemberByID: async ({ memberId }, context) => {
    const membership = await membershipOf(context)
    const { cluster, machine } = membership
    refuseWithoutQuorum(membership)
    const id = memberId.toString(16).padStart(16, '0')
    if (!cluster.members.has(id)) throw new ConnectError('etcdserver: member not found', Code.NotFound)
    refuseToLoseQuorum(cluster, id)
    cluster.remove(id)
    machine.record('etcd.member-removed', { etcd: cluster.id, member: id }, true)
    return { messages: [{}] }
  },
  etcdDowngradeValidate: async ({ version }, context) => {
    const { cluster } = await downgradeOf(context, version)
    return { messages: [{ clusterDowngrade: { clusterVersion: cluster.version } }] }
  },
  etcdDowngradeEnable: async ({ version }, context) => {
    const { cluster, machine, target } = await downgradeOf(context, version)
    cluster.downgradeTo = target
    cluster.agreeOnVersion()
    machine.record('etcd.downgrade-enabled', { etcd: cluster.id, to: target }, true)
    return { messages: [{ clusterDowngrade: { clusterVersion: cluster.version } }] }
  },
  etcdDowngradeCancel: async (_request, context) => {
    const membership = await membershipOf(context)
    const { cluster, machine } = membership
    refuseBefore11(machine, 'EtcdDowngradeCancel')
    refuseWithoutQuorum(membership)
    if (cluster.downgradeTo === undefined) throw etcdFailure('no inflight downgrade job')
    cluster.downgradeTo = undefined
    cluster.agreeOnVersion()
    machine.record('etcd.downgrade-cancelled', { etcd: cluster.id }, true)
    return { messages: [{ clusterDowngrade: { clusterVersion: cluster.version } }] }
  },
  etcdAlarmList: async (_request, context) => {
    await hangWithoutEtcd(context)
    const { cluster } = await membershipOf(context)
    return { messages: [{ memberAlarms: alarmsOf(cluster) }] }
  },
  etcdAlarmDisarm: async (_request, context) => {
    const { cluster } = await membershipOf(context)
    const memberAlarms = alarmsOf(cluster)
    cluster.alarms.clear()
    return { messages: [{ memberAlarms }] }
  },
  etcdDefragment: async (_request, context) => {
    const { cluster, machine } = await membershipOf(context)
    await machine.fleet.clock.sleep(2000, context.signal)
    cluster.extraSize = 0
    machine.record('etcd.defragmented', { etcd: cluster.id }, true)
    return { messages: [{}] }
  },
} satisfies Partial<ServiceImpl<typeof MachineService>>

/** The requirements of a downgrade: a target exactly one minor version below, and no downgrade in progress. */
async function downgradeOf(context: HandlerContext, version: string): Promise<Membership & { target: string }> {
  const membership = await membershipOf(context)
  const { cluster, machine } = membership
  refuseBefore11(machine, 'EtcdDowngradeEnable')
  if (version === '') throw new ConnectError('version is required for etcd downgrade', Code.InvalidArgument)
  const minor = /^v?3\.(\d+)(\.\d+)?$/.exec(version)?.[1]
  if (minor === undefined) throw new ConnectError(`failed to parse version "${version}"`, Code.InvalidArgument)
  refuseWithoutQuorum(membership)
  if (cluster.downgradeTo !== undefined) throw etcdFailure('cluster has a downgrade job in progress')
  if (Number(minor) !== minorOf(cluster.version) - 1) throw etcdFailure('invalid downgrade target version')
  return { ...membership, target: `3.${minor}.0` }
}

function etcdFailure(reason: string): ConnectError {
  return new ConnectError(`failed to query etcd status: etcdserver: ${reason}`, Code.Unknown)
}

function refuseBefore11({ minor }: TalosMachine, method: string): void {
  if (minor < 11) throw unknownMethod(`/machine.MachineService/${method}`)
}

interface Membership {
  readonly machine: TalosMachine
  readonly cluster: EtcdCluster
  readonly member: string
}

/** The running member of this node; without one, etcd's client finds none. */
async function membershipOf(context: HandlerContext): Promise<Membership> {
  const { machine } = controlPlaneOf(context)
  if (machine.etcdDelayMs > 0) await machine.fleet.clock.sleep(machine.etcdDelayMs, context.signal)
  const membership = findMembership(machine)
  if (membership === undefined || !membership.cluster.isRunning(membership.member)) {
    throw new ConnectError(
      'error creating etcd client: dial tcp 127.0.0.1:2379: connect: connection refused',
      Code.Unavailable,
    )
  }
  return { machine, ...membership }
}

/** Until etcd is started for the first time, its client dials on until the caller gives up. */
async function hangWithoutEtcd(context: HandlerContext, code = Code.DeadlineExceeded): Promise<void> {
  const { machine } = controlPlaneOf(context)
  const isBefore = () =>
    findMembership(machine) === undefined &&
    ['Initialized', 'Preparing', 'Waiting'].includes(machine.services.find('etcd')?.state ?? '')
  while (isBefore()) {
    if (context.signal.aborted)
      throw new ConnectError(code === Code.Unavailable ? 'stream closed: CANCEL' : 'context deadline exceeded', code)
    await machine.fleet.clock.sleep(500, context.signal).catch(() => undefined)
  }
}

function refuseWithoutQuorum({ cluster, member }: Membership): void {
  if (!cluster.hasQuorum(member)) throw new ConnectError('etcdserver: no leader', Code.Unavailable)
}

/** etcd's strict check: the members that stay must be a majority of all that would count. */
function refuseToLoseQuorum(cluster: EtcdCluster, leaving: string): void {
  const staying = cluster.voters.filter(({ id }) => id !== leaving)
  const up = staying.filter(({ id }) => cluster.isRunning(id)).length
  if (staying.length > 0 && up > staying.length / 2) return
  throw new ConnectError('etcdserver: re-configuration failed due to not enough started members', Code.Unavailable)
}

function alarmsOf(cluster: EtcdCluster) {
  return [...cluster.alarms].map(([id, alarm]) => ({
    memberId: BigInt(`0x${id}`),
    alarm: alarm === 'nospace' ? EtcdMemberAlarm_AlarmType.NOSPACE : EtcdMemberAlarm_AlarmType.CORRUPT,
  }))
}
