import { dropHaRules } from '../../capabilities/high-availability/set-high-availability.js'
import type { DesiredMachine } from '../../desired/desired.js'
import type { Change } from '../../events/plan-view.js'
import type { ObservedMachine } from '../../observe/observed.js'
import { awaitBack } from '../../steps/await-back.js'
import { checkEvacuation } from '../../steps/check-evacuation.js'
import { forgetHome, migrateMachine } from '../../steps/migrate-machine.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { isEmptied } from '../../vm/emptied.js'
import { findSeen } from '../../work/wanted-machine.js'
import { planDisruption } from '../disruption.js'
import type { Draft, StepRef } from '../draft.js'
import { neededVotes } from '../etcd/needed-votes.js'
import { mustVoteMeanwhile } from '../etcd/unhealthy-members.js'
import { turnOf } from '../turns.js'

/** A machine that leaves an evacuated host, or returns once the host is no longer evacuated. */
interface Move {
  readonly wanted: DesiredMachine
  readonly seen: ObservedMachine
  readonly to: string
}

/**
 * Machines that are off are moved and then started on the new host. Returns the machines that move while running; the
 * next round makes their other changes. Machines that are being replaced are created on the new host anyway.
 */
export function planColdMoves(draft: Draft, replaced: ReadonlySet<string>): ReadonlySet<string> {
  const moves = movesIn(draft).filter(({ seen }) => !replaced.has(seen.name))
  const isRunning = ({ seen }: Move) => seen.status === 'running'
  // Kubernetes is asked before machines move, and etcd has no majority: what is off starts where it is.
  if (isVoteNeeded(draft)) return new Set(moves.filter(isRunning).map(({ seen }) => seen.name))
  for (const move of moves) if (move.seen.status !== 'running') planMigration(draft, move, [planCheck(draft, move, [])])
  return new Set(moves.filter(isRunning).map(({ seen }) => seen.name))
}

/**
 * Running machines move one at a time per pool, or as many as may be unavailable at once. A host with a
 * control plane that etcd needs until another one is there is left in the next round.
 */
export function planLiveMoves(draft: Draft, moving: ReadonlySet<string>): void {
  if (isVoteNeeded(draft)) return
  // The etcd majority is checked after the machines started in this round are back.
  const before = [...draft.refs(reachMachine), ...draft.refs(awaitBack)]
  const live = movesIn(draft).filter(({ seen }) => moving.has(seen.name) && !mustHostWait(draft, seen.host))
  // Hosts of machines that move while off were checked before those started.
  for (const move of live)
    if (draft.refIfPlanned(checkEvacuation, { host: move.seen.host }) === undefined) planCheck(draft, move, before)
  for (const move of live) {
    const turn = turnOf(move.wanted.machine, draft.desired)
    planDisruption(draft, {
      seen: move.seen,
      purpose: {},
      isLive: true,
      reason: reasonOf(move),
      before: [draft.ref(checkEvacuation, { host: move.seen.host }), ...before],
      turn,
      work: (after) => [planMigration(draft, move, after, turn)],
    })
  }
}

/** Machines that are back on their original host: a run was killed in between, or they were moved back by hand. */
export function planForgottenHomes(draft: Draft): void {
  const { machines, cluster } = draft.desired
  for (const { machine, home, host } of machines) {
    const isBack = home === host && !cluster.evacuated?.includes(host)
    if (isBack && findSeen(draft.observed, machine.name)?.isSealed)
      draft.add(forgetHome, { machine: machine.name }, `${host} is no longer evacuated`)
  }
}

/** The check of the host asks etcd about each control plane that moves. */
export function mustHostWait(draft: Draft, host: string): boolean {
  return movesIn(draft).some(({ seen }) => seen.host === host && mustVoteMeanwhile(draft, seen))
}

function isVoteNeeded(draft: Draft): boolean {
  return neededVotes(draft, draft.observed).length > 0
}

function planCheck(draft: Draft, { seen: { host } }: Move, before: readonly StepRef[]): StepRef {
  return draft.add(checkEvacuation, { host }, 'machines leave it', [...before, ...draft.refs(dropHaRules)])
}

function planMigration(
  draft: Draft,
  move: Move,
  after: readonly (StepRef | undefined)[],
  turn?: ReturnType<typeof turnOf>,
): StepRef {
  return draft.add(
    migrateMachine,
    { machine: move.seen.name, to: move.to },
    { text: reasonOf(move), values: [hostOf(move)] },
    after,
    turn,
  )
}

function hostOf({ seen: { host }, to }: Move): Change {
  return { what: 'host', from: host, to }
}

function reasonOf({ wanted: { home }, seen: { host }, to }: Move): string {
  return home === to ? `returns to ${to}, which is no longer evacuated` : `moves to ${to}, ${host} is evacuated`
}

function movesIn(draft: Draft): Move[] {
  return draft.desired.machines.flatMap((wanted) => findMove(draft, wanted) ?? [])
}

function findMove({ desired, observed }: Draft, wanted: DesiredMachine): Move | undefined {
  const seen = findSeen(observed, wanted.machine.name)
  if (seen === undefined || wanted.moveTo === undefined || isEmptied(seen, desired)) return undefined
  return { wanted, seen, to: wanted.moveTo }
}
