import { endOf } from '../cluster/etcd-service.js'
import { ifSeen } from '../cluster/seen.js'
import type { Finding } from '../findings/finding.js'
import { sickMember } from '../findings/notes/etcd.js'
import type { Observed, ObservedMachine, ObservedTalos } from '../observe/observed.js'
import { hasMajority, memberOf } from './etcd-members.js'

/** A control plane that responds, and whose etcd does not run and does not come back by itself. */
export interface SickMember {
  readonly machine: string
  /** A sentence without the name of the machine. */
  readonly problem: string
  /** `undefined` without a majority: nothing can be done through etcd. */
  readonly fix?: string
}

export function sickMembers({ machines, etcd }: Pick<Observed, 'machines' | 'etcd'>): SickMember[] {
  const known = ifSeen(etcd)
  const isWell = known !== undefined && hasMajority(known)
  return machines.flatMap((seen) => {
    const problem = problemOf(seen, known !== undefined && isWell && memberOf(known, seen) === undefined)
    if (problem === undefined) return []
    const { name: machine, talos } = seen
    const verb = talos.reach === 'secured' && talos.etcdState === 'Finished' ? 'reboot' : 'replace'
    return [{ machine, problem, ...(isWell ? { fix: `ichor ${verb} ${machine}` } : {}) }]
  })
}

/** Talos starts its etcd again for ever, and never calls the machine ready. */
export function endsAgainAndAgain(talos: ObservedTalos): talos is Ending {
  return talos.reach === 'secured' && talos.etcdState !== 'Finished' && talos.etcdEnd !== undefined
}

type Ending = Extract<ObservedTalos, { reach: 'secured' }> & { readonly etcdEnd: string }

export function isSick(machine: ObservedMachine): boolean {
  return problemOf(machine, false) !== undefined
}

/** For a plan that does not delete them: nothing else repairs them. */
export function sickNotes(
  observed: Pick<Observed, 'machines' | 'etcd'>,
  deleted: ReadonlySet<string | undefined>,
): Finding[] {
  return sickMembers(observed)
    .filter(({ machine }) => !deleted.has(machine))
    .map(({ machine, problem, fix }) =>
      sickMember.note(`${machine}: ${problem}`, {
        subject: { kind: 'member', name: machine },
        ...(fix === undefined ? {} : { cure: `Fix: ${fix}`, command: fix }),
      }),
    )
}

function problemOf({ mark, talos }: ObservedMachine, isRemoved: boolean): string | undefined {
  if (mark.role !== 'controlplane' || talos.reach !== 'secured') return undefined
  if (talos.etcdState === 'Finished') return 'its etcd has left the cluster, and joins again when it reboots.'
  if (!endsAgainAndAgain(talos)) return undefined
  if (isRemoved) return 'its member was removed from etcd, so its etcd does not start.'
  return `its etcd does not start: ${endOf(talos.etcdEnd)}.`
}
