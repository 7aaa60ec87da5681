import { EtcdMemberAlarm_AlarmType as Alarm } from '../../wire/machine/etcd_pb.js'
import { type Channel, only } from './channel.js'
import { bytesOf } from './data.js'
import type { EtcdCalls } from './port.js'

/** etcd on one control plane. Workers return Unimplemented for all of it. */
export function etcdCalls(channel: Channel): EtcdCalls {
  const { machine } = channel
  return {
    async members({ local }, signal) {
      const { messages } = await channel.call('EtcdMemberList', 'quick', signal, (call) =>
        machine.etcdMemberList({ queryLocal: local }, call),
      )
      return only(channel, 'EtcdMemberList', messages).members.map((member) => ({
        id: memberId(member.id),
        hostname: member.hostname,
        peerUrls: member.peerUrls,
        isLearner: member.isLearner,
      }))
    },
    async status(signal) {
      const { messages } = await channel.call('EtcdStatus', 'quick', signal, (call) => machine.etcdStatus({}, call))
      const status = only(channel, 'EtcdStatus', messages).memberStatus
      return {
        member: memberId(status?.memberId ?? 0n),
        leader: memberId(status?.leader ?? 0n),
        dbSize: Number(status?.dbSize ?? 0n),
        dbSizeInUse: Number(status?.dbSizeInUse ?? 0n),
        isLearner: status?.isLearner ?? false,
        errors: status?.errors ?? [],
        version: status?.protocolVersion ?? '',
        storageVersion: status?.storageVersion ?? '',
        appliedIndex: Number(status?.raftAppliedIndex ?? 0n),
      }
    },
    snapshot: (signal) => bytesOf(channel, 'EtcdSnapshot', 'sending', signal, (call) => machine.etcdSnapshot({}, call)),
    async recover(snapshot, signal) {
      await channel.call('EtcdRecover', 'upload', signal, (call) => machine.etcdRecover(chunksOf(snapshot), call))
    },
    async forfeitLeadership(signal) {
      await channel.call('EtcdForfeitLeadership', 'work', signal, (call) => machine.etcdForfeitLeadership({}, call))
    },
    async lowerVersion(version, signal) {
      const request = { version }
      await channel.call('EtcdDowngradeValidate', 'work', signal, (call) =>
        machine.etcdDowngradeValidate(request, call),
      )
      await channel.call('EtcdDowngradeEnable', 'work', signal, (call) => machine.etcdDowngradeEnable(request, call))
    },
    async removeMember(id, signal) {
      await channel.call('EtcdRemoveMemberByID', 'work', signal, (call) =>
        machine.etcdRemoveMemberByID({ memberId: BigInt(`0x${id}`) }, call),
      )
    },
    async alarms(signal) {
      const { messages } = await channel.call('EtcdAlarmList', 'quick', signal, (call) =>
        machine.etcdAlarmList({}, call),
      )
      return messages
        .flatMap((message) => message.memberAlarms)
        .filter(({ alarm }) => alarm !== Alarm.NONE)
        .map((raised) => ({
          member: memberId(raised.memberId),
          alarm: raised.alarm === Alarm.NOSPACE ? ('nospace' as const) : ('corrupt' as const),
        }))
    },
    async defragment(signal) {
      await channel.call('EtcdDefragment', 'long', signal, (call) => machine.etcdDefragment({}, call))
    },
    async disarmAlarms(signal) {
      await channel.call('EtcdAlarmDisarm', 'work', signal, (call) => machine.etcdAlarmDisarm({}, call))
    },
  }
}

/** Member IDs do not fit a JavaScript number; etcd's own tools write them as 16 hex digits. */
function memberId(id: bigint): string {
  return id.toString(16).padStart(16, '0')
}

const chunkBytes = 32 * 1024

async function* chunksOf(snapshot: AsyncIterable<Uint8Array>): AsyncIterable<{ bytes: Uint8Array }> {
  for await (const bytes of snapshot) {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield { bytes: bytes.slice(at, at + chunkBytes) }
  }
}
