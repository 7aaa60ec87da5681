import { BackupError } from './snapshot-error.js'

/** What a control plane reports about its etcd. */
export interface MemberReport {
  readonly machine: string
  /** Its own ID and that of the leader; the latter is all zeros without one. */
  readonly member: string
  readonly leader: string
  readonly isLearner: boolean
  readonly errors: readonly string[]
  /** Alarms of any member that it knows. */
  readonly alarms: readonly { readonly member: string; readonly alarm: string }[]
  readonly appliedIndex: number
}

/** A control plane that did not respond. */
export interface SilentMember {
  readonly machine: string
  readonly because: string
}

export interface MemberChoice<Report extends MemberReport> {
  /** Voters without alarms, followers first: reading the whole database is less of a load for them. */
  readonly candidates: readonly Report[]
  /** The index that a member must have applied to have caught up with the leader. */
  readonly leaderIndex: number
}

/** The members that a snapshot may be taken from. Fails with the reason for each if there is none. */
export function chooseMembers<Report extends MemberReport>(
  reports: readonly Report[],
  silent: readonly SilentMember[],
  where: string,
): MemberChoice<Report> {
  const rejected = reports.flatMap((report) => {
    const because = faultOf(report, reports)
    return because === undefined ? [] : [{ machine: report.machine, because }]
  })
  const good = reports.filter((report) => faultOf(report, reports) === undefined)
  if (good.length === 0) throw noMember([...rejected, ...silent], where)
  const leader = good.find(({ member, leader: led }) => member === led)
  return {
    candidates: [...good.filter((report) => report !== leader), ...(leader === undefined ? [] : [leader])],
    leaderIndex: leader?.appliedIndex ?? Math.max(...good.map(({ appliedIndex }) => appliedIndex)),
  }
}

function faultOf(report: MemberReport, all: readonly MemberReport[]): string | undefined {
  if (/^0*$/.test(report.leader)) return 'its etcd has no leader'
  if (report.isLearner) return 'its etcd is a learner'
  const raised = all.flatMap(({ alarms }) => alarms).find(({ member }) => member === report.member)
  if (raised !== undefined) return `its etcd has the alarm ${raised.alarm}`
  const error = report.errors.find((text) => !alarmError.test(text))
  return error === undefined ? undefined : `its etcd reports: ${error}`
}

/** Every member repeats the alarms of all in its errors. */
const alarmError = /^memberID:\d+ alarm:/

function noMember(reasons: readonly SilentMember[], where: string): BackupError {
  const list = reasons.map(({ machine, because }) => `${machine}: ${because}`).join('; ')
  return new BackupError(`No etcd member can give a snapshot. ${list || 'No control plane is known'}.`, {
    where,
    fix: 'Run `ichor health`, repair etcd, then run `ichor backup` again.',
  })
}
