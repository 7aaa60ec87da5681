import { reasonOf } from '../errors.js'
import type { EtcdCalls, EtcdStatus, TalosPort } from '../talos/api/port.js'
import type { Clock } from '../world.js'
import { chooseMembers, type MemberReport, type SilentMember } from './choose-member.js'
import { BackupError } from './snapshot-error.js'
import type { ClusterFacts } from './take-snapshot.js'

/** A control plane and the address of its API. */
export interface EtcdTarget {
  readonly name: string
  readonly address: string
}

/** The member that provides the snapshot, and what it reports about its cluster. */
export interface EtcdSource {
  readonly machine: string
  readonly isLeader: boolean
  readonly etcdVersion: string
  readonly members: ClusterFacts['members']
  stream(signal: AbortSignal): AsyncIterable<Uint8Array>
}

interface Report extends MemberReport {
  readonly etcd: EtcdCalls
  readonly version: string
}

/**
 * Queries every control plane and chooses a voter without alarms that has caught up with the leader, preferably a
 * follower.
 */
export async function chooseEtcdSource(
  { talos, clock }: { readonly talos: TalosPort; readonly clock: Clock },
  controlPlanes: readonly EtcdTarget[],
  where: string,
  signal: AbortSignal,
): Promise<EtcdSource> {
  const answers = await Promise.all(controlPlanes.map((target) => askMember(talos, target, signal)))
  const reports = answers.filter((answer): answer is Report => 'member' in answer)
  const silent = answers.filter((answer): answer is SilentMember => !('member' in answer))
  const { candidates, leaderIndex } = chooseMembers(reports, silent, where)
  const chosen = await firstCaughtUp(candidates, leaderIndex, { clock, where }, signal)
  const members = await chosen.etcd.members({ local: false }, signal)
  return {
    machine: chosen.machine,
    isLeader: chosen.member === chosen.leader,
    etcdVersion: chosen.version,
    members: members.map(({ id, hostname, peerUrls }) => ({ id, hostname, peer_urls: [...peerUrls] })),
    stream: (stop) => chosen.etcd.snapshot(stop),
  }
}

async function askMember(
  talos: TalosPort,
  { name, address }: EtcdTarget,
  signal: AbortSignal,
): Promise<Report | SilentMember> {
  const { etcd } = talos.node({ machine: name, address })
  try {
    const [status, alarms] = await Promise.all([etcd.status(signal), etcd.alarms(signal)])
    return { machine: name, etcd, alarms, ...status }
  } catch (thrown) {
    signal.throwIfAborted()
    return { machine: name, because: reasonOf(thrown).replace(/\.$/, '') }
  }
}

const maxLooks = 5
const lookEveryMs = 500

/** The leader was queried before, so a member that has applied that index has everything the leader had then. */
async function firstCaughtUp(
  candidates: readonly Report[],
  index: number,
  { clock, where }: { readonly clock: Clock; readonly where: string },
  signal: AbortSignal,
): Promise<Report> {
  for (let look = 0; look < maxLooks; look++) {
    for (const candidate of candidates) {
      const now: EtcdStatus | undefined = await candidate.etcd.status(signal).catch(() => undefined)
      if (now !== undefined && now.appliedIndex >= index) return candidate
    }
    await clock.sleep(lookEveryMs, signal)
  }
  throw new BackupError(`No etcd member has caught up with the leader, which is at index ${index}.`, {
    where,
    fix: 'Run `ichor health`, and run `ichor backup` again when etcd is healthy.',
  })
}
