import { stepOf } from '../capabilities/steps.js'
import { systemClock } from '../clock.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import type { Desired } from '../desired/desired.js'
import { Cancelled, Incomplete, PlanRefused, UserFacingError } from '../errors.js'
import { lostEtcd } from '../etcd/lost-etcd.js'
import type { AnnouncedStep, NewEvent, Outcome, Report } from '../events/event.js'
import type { PlanView } from '../events/plan-view.js'
import { type Execution, execute } from '../execute/execute.js'
import { unreachableIn } from '../execute/step-failed.js'
import { noteText } from '../findings/notes/define-note.js'
import { collectRefusals } from '../findings/refusals/collect-refusals.js'
import { unknownNetwork } from '../findings/refusals/inventory.js'
import { notConverging, tooManyRounds } from '../findings/refusals/runs.js'
import type { Inventory } from '../inventory/inventory.js'
import { needsNetwork, withNetwork } from '../inventory/inventory.js'
import type { KnownFacts } from '../observe/ask-proxmox.js'
import { awaitQuiet } from '../observe/await-quiet.js'
import { type ObserveOptions, observe } from '../observe/observe.js'
import { intendedVmids } from '../observe/observe-scope.js'
import type { Observed } from '../observe/observed.js'
import { type Lease, type LeaseEnd, takeLease } from '../ownership/index.js'
import { lacksIdentity } from '../ownership/mark.js'
import { leaseOfRequests } from '../ownership/requests.js'
import { consentTo } from '../plan/consent.js'
import { createDigester, type Digester, plainDigest } from '../plan/digest.js'
import { changesOf, limitsOf, type Plan, type PlannedStep, type Unknown } from '../plan/plan.js'
import { sameSteps } from '../plan/step-identity.js'
import { unknownsOf } from '../plan/unknowns.js'
import { maxRounds, planRounds } from '../rounds/plan-rounds.js'
import { plannedFile } from '../secrets/rotation.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { homesWithout } from '../vm/remembered-homes.js'
import type { Clock, World } from '../world.js'
import { type Goal, up } from './goals.js'
import { findingsBesideRefusal, type PlanBasis } from './plan-findings.js'
import { checkSite, refuseMissingNames } from './preflight/check-site.js'
import { refuseOtherPodNetwork } from './preflight/refuse-other-network.js'
import { refuseOldProxmox } from './refuse-old-proxmox.js'
import { refuseOtherTime } from './refuse-other-time.js'
import type { Result } from './result.js'
import { shownPlan } from './shown-plan.js'
import { withoutQuorum } from './without-quorum.js'

export interface Reconcile {
  readonly spec: Omit<ClusterSpec, 'secrets'>
  readonly world: World
  readonly goal: Goal
  /** Receives the whole plan before anything is changed. */
  readonly confirm: (plan: Plan, facts: ConfirmFacts) => Promise<boolean>
  /** Under the lease, before anything is changed; what it throws ends the run. */
  readonly onLease?: (lease: Lease) => Promise<void>
  /** Asked between rounds and before each machine: a reason pauses the run once everything that has begun is done. */
  readonly mayBegin?: () => Promise<string | undefined>
  readonly emit: Report
  readonly signal: AbortSignal
  /** The ID of this run, in its events, journal and lease. */
  readonly run: string
  readonly forceUnlock?: boolean
  /** A plan that was approved before the secrets existed is compared by unkeyed digests. */
  readonly digest?: 'plain'
  /** Leases protect against users on other computers, so their time is real time, even in a lab. */
  readonly leaseClock?: Clock
}

interface ConfirmFacts {
  readonly desired: Desired
  readonly observed: Observed
  /** The plan as it is shown. */
  readonly view: PlanView
}

/** The core loop: observe, plan, confirm, execute, until nothing is left to do. */
export async function reconcile(request: Reconcile): Promise<Result> {
  const { signal, world } = request
  const started = world.clock.monotonic()
  const failed = new Set<string>()
  let changed = 0
  let thoughtMs = 0
  const emit = watchFailures(request.emit, failed)
  const finish = (outcome: Outcome, next: string[]) => {
    const ms = Math.round(world.clock.monotonic() - started - thoughtMs)
    emit({ type: 'run.finished', at: now(), outcome, changed, ms, failed: [...failed], next })
  }
  /** The time that the user takes to read the plan is not counted. */
  const confirm: Reconcile['confirm'] = async (plan, facts) => {
    const asked = world.clock.monotonic()
    const isAgreed = await request.confirm(plan, facts)
    thoughtMs = world.clock.monotonic() - asked
    return isAgreed
  }
  try {
    const { outcome, left = [] } = await runReconcile({ ...request, emit, confirm }, () => changed++)
    finish(outcome, [])
    return { outcome, changed, ...(left.length === 0 ? {} : { left }) }
  } catch (thrown) {
    finish(outcomeOf(thrown, signal), thrown instanceof UserFacingError ? [thrown.fix] : [])
    throw thrown
  }
}

/** Records the steps that fail. */
function watchFailures(emit: Report, failed: Set<string>): Report {
  return (event: NewEvent) => {
    if (event.type === 'step.failed' && event.retryInMs === undefined) failed.add(event.step)
    emit(event)
  }
}

type Look = Pick<Reconcile, 'spec' | 'world' | 'goal' | 'signal' | 'digest'>

/** What is wanted of what is there, for commands that plan nothing. */
export async function resolve(request: Look): Promise<{ observed: Observed; desired: Desired }> {
  const { observed, desire } = await look(request)
  return { observed, desired: desire(observed) }
}

interface Previewed extends Required<PlanBasis> {
  readonly plan: Plan
}

/** The result of `plan`: all rounds, nothing changed. A refusal carries what else does not fit. */
export async function preview(request: Look): Promise<Previewed> {
  const looked = await look(request)
  try {
    return await planAll(request, looked)
  } catch (thrown) {
    const spec = { ...request.spec, inventory: looked.inventory }
    if (thrown instanceof PlanRefused)
      thrown.beside = await findingsBesideRefusal(thrown, { spec, observed: looked.observed })
    throw thrown
  }
}

async function planAll(
  { spec, goal, world, signal }: Look,
  { observed, inventory, desire, digester }: Awaited<ReturnType<typeof look>>,
): Promise<Previewed> {
  const planned = unlessRefused(() => planRounds({ desire, planRound: goal.planRound }, observed, digester))
  const wanted = { ...spec, inventory }
  const notes = checksSite(goal) ? await checkSite({ wanted, observed, planned, world, signal }) : []
  if (planned instanceof PlanRefused) throw planned
  const plan = { ...planned, notes: [...planned.notes, ...notes] }
  const desired = desire(observed)
  if (checksSite(goal) && planned.steps.length > 0) refuseOtherPodNetwork(inventory, desired, observed, planned.steps)
  return { plan, observed, desired, spec: wanted }
}

function checksSite({ name }: Goal): boolean {
  return name === 'up' || name === 'restore'
}

function unlessRefused(plan: () => Plan): Plan | PlanRefused {
  try {
    return plan()
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return thrown
    throw thrown
  }
}

/** The result of `status`: also if the plan is refused, when it is needed most. */
export async function survey(request: Omit<Look, 'goal'>): Promise<{
  observed: Observed
  inventory: Inventory
  verdict: Plan | PlanRefused
}> {
  const { observed, inventory, desire, digester } = await look({ ...request, goal: up })
  const verdict = unlessRefused(() => planRounds({ desire, planRound: up.planRound }, observed, digester))
  return { observed, inventory, verdict }
}

async function runReconcile(request: Reconcile, onChange: () => void): Promise<Omit<Result, 'changed'>> {
  const { world, goal, confirm, emit, signal, run } = request
  const { plan, ...basis } = await preview(request)
  const { desired, observed } = basis
  const seenAt = systemClock.monotonic()
  if (plan.steps.length === 0) {
    for (const text of plan.notes.map(noteText)) emit({ type: 'run.noted', at: now(), severity: 'warning', text })
    refuseIncomplete(plan.unknown, desired)
    if (isPaused(goal, desired, observed, 1)) return { outcome: 'paused' }
    return { outcome: 'nothing-to-do', left: plan.differences?.map(noteText) ?? [] }
  }
  const refused = withoutQuorum(observed)
  if (refused !== undefined) throw refused
  const view = await shownPlan(goal, plan, basis)
  if (!(await confirm(plan, { desired, observed, view }))) return { outcome: 'declined' }
  const lease = await takeLease({
    pools: world.proxmox.pools,
    clock: request.leaseClock ?? systemClock,
    pool: desired.cluster.pool,
    run,
    intent: desired.machines.map(({ vmid }) => vmid),
    signal,
    force: request.forceUnlock ?? false,
    onWait: (holder) => {
      const at = now()
      const whose = `the lease of ${holder?.user ?? 'an unknown user'} on ${holder?.host ?? 'another computer'}`
      emit({ type: 'step.waiting', at, step: 'lease', for: whose, since: at })
      emit({ type: 'run.noted', at, severity: 'info', text: `waiting for ${whose}` })
    },
  })
  await request.onLease?.(lease).catch(async (thrown: unknown) => {
    await lease.release({ remove: 'nothing' })
    throw thrown
  })
  emit({
    type: 'run.started',
    at: now(),
    version: 1,
    cluster: plan.cluster,
    goal: goal.name,
    changes: changesOf(plan),
    steps: plan.steps.map(announced),
    plan: { ...view, lease: lease.number },
  })
  let isOver = false
  let endedWell = false
  const endLease = async () => {
    isOver = true
    await lease.release({ remove: 'lease-and-pool' })
  }
  try {
    const isRecent = systemClock.monotonic() - seenAt < recentMs
    const known = isRecent ? settledFacts(observed) : { version: observed.proxmox.version }
    const outcome = await actInRounds(
      request,
      { plan, observed },
      lease,
      { endLease, onChange, isOver: () => isOver },
      known,
    )
    // What a run that was stopped may have claimed stays recorded.
    endedWell = outcome !== 'stopped'
    return { outcome: outcome === 'stopped' ? 'paused' : outcome }
  } finally {
    if (!isOver) await lease.release(endedWell ? leaseEndOf(goal) : { remove: 'nothing' })
  }
}

/** What the inventory wants of its machines does not matter. */
function takesOnlyWhatIsThere({ isLeaving, isStopping }: Goal): boolean {
  return isLeaving || isStopping === true
}

/** Where the pool is not ours, no step removes it, and with it the lease. */
function leaseEndOf({ isLeaving, isAdministering }: Goal): LeaseEnd | undefined {
  return isLeaving && isAdministering !== true ? { remove: 'lease' } : undefined
}

interface Hooks extends Pick<Execution, 'endLease' | 'onChange'> {
  /** The lease was removed with everything else. */
  isOver(): boolean
}

async function actInRounds(
  request: Reconcile,
  { plan: shown, observed: seenFirst }: { readonly plan: Plan; readonly observed: Observed },
  lease: Lease,
  { isOver, ...hooks }: Hooks,
  settled: KnownFacts,
): Promise<'done' | 'paused' | 'stopped'> {
  const { world, goal, emit, signal } = request
  const refuseUnlessShown = consentTo(shown, seenFirst)
  let before = 0
  let last: readonly PlannedStep[] = []
  let looking: ObserveOptions = { known: settled }
  for (let round = 1; ; round++) {
    const { observed, desire, desireAgain } = await look(request, looking)
    let desired = underLease(desire(observed), lease)
    if (round > maxRounds(desired)) throw overMaxRounds(shown, round - 1)
    const steps = goal.planRound(desired, observed, round)
    if (!takesOnlyWhatIsThere(goal))
      await lease.rememberHomes(homesWithout(deletedBy(steps), desired, observed), signal)
    if (steps.length === 0) {
      refuseIncomplete(unknownsOf(desired, observed), desired)
      await lease.rememberUnfinished(requestsLeft(observed), signal)
      lease.keepClaims(clonesLeft(observed))
      return isPaused(goal, desired, observed, round) ? 'paused' : 'done'
    }
    refuseUnlessShown(steps)
    if (isStopped(await request.mayBegin?.(), emit)) return 'stopped'
    if (sameSteps(last, steps, shown.digester)) throw sameStepsLeft(shown, steps)
    last = steps
    await lease.declare(
      desired.machines.map(({ vmid }) => vmid),
      signal,
    )
    emit({ type: 'round.started', at: now(), round, steps: steps.map(announced) })
    let stopped: string | undefined
    const unreachable = await execute(steps, {
      ...hooks,
      ...(request.mayBegin === undefined ? {} : { mayBegin: request.mayBegin }),
      get desired() {
        return desired
      },
      resolveAgain: async () => {
        desired = underLease(await desireAgain(), lease)
      },
      observed,
      world,
      stepOf,
      emit,
      signal,
      assertLease: () => lease.assertFresh(),
      steps: { before, total: Math.max(shown.steps.length, before + steps.length) },
    }).then((why) => {
      stopped = why
      return undefined
    }, throwUnlessUnreachable)
    if (isStopped(stopped, emit)) return 'stopped'
    // The next observation sets machines on failed hosts aside, and the rest continues.
    if (unreachable !== undefined) await refuseUnlessHostIsAway(unreachable, request)
    before += steps.length
    if (isOver()) return 'done'
    looking = { known: { version: observed.proxmox.version }, isTidy: unreachable === undefined }
  }
}

function isStopped(why: string | undefined, emit: Report): boolean {
  if (why === undefined) return false
  emit({ type: 'run.noted', at: now(), severity: 'warning', text: `nothing more begins: ${why}` })
  return true
}

/** Requests in marks count for the runs of this lease and of those that ended before their work. */
function underLease(desired: Desired, { number }: Lease): Desired {
  return { ...desired, cluster: { ...desired.cluster, lease: number } }
}

/** Requests that this run leaves, for example on machines that it does not target. */
function requestsLeft({ machines }: Observed): number[] {
  const numbers = machines.flatMap(({ mark }) => leaseOfRequests(mark) ?? [])
  return [...new Set(numbers)].sort((one, other) => one - other)
}

/** Clones of an earlier run that this one had nothing to do with: restore leaves those that are not wanted to up. */
function clonesLeft({ machines, templates }: Observed): number[] {
  return [...machines, ...templates].flatMap(({ mark }) => (lacksIdentity(mark) ? [mark.vmid] : []))
}

function deletedBy(steps: readonly PlannedStep[]): string[] {
  return steps.flatMap(({ kind, machine }) => (kind === deleteMachine.kind && machine !== undefined ? [machine] : []))
}

function overMaxRounds({ cluster }: Plan, rounds: number): PlanRefused {
  return tooManyRounds.refuse(`After ${rounds} rounds there is still something to do.`, {
    subject: { kind: 'cluster', name: cluster },
    where: `cluster ${cluster}`,
    fix: 'Run ichor plan to see what is left.',
  })
}

/** Returns the failure if something may only have been unobserved or unreachable. */
function throwUnlessUnreachable(thrown: unknown): UserFacingError {
  if (thrown instanceof UserFacingError && unreachableIn(thrown) !== undefined) return thrown
  throw thrown
}

/** After a failed round, unobserved parts are reported as such; if everything was observed, the failure is thrown. */
async function refuseUnlessHostIsAway(failure: UserFacingError, request: Look): Promise<void> {
  const { observed, inventory, desire } = await look(request)
  const desired = desire(observed)
  const unknown = unknownsOf(desired, observed)
  if (lostEtcd(observed, inventory) !== undefined) throw withoutEtcd(failure)
  if (unknown.length === 0) throw failure
  if (unreachableIn(failure) === 'nodes' || desired.away.length === 0) throw incomplete(unknown, desired, failure)
}

/** What waits for etcd never ends by itself. The newest snapshot is known to `ichor status`. */
function withoutEtcd(failure: UserFacingError): UserFacingError {
  return new Incomplete(`${failure.message} etcd has lost its majority.`, {
    where: failure.where,
    fix: 'ichor status names the way back.',
    cause: failure,
  })
}

/** Everything within the limit is done, and something beyond it is left. */
function isPaused({ planUnlimited }: Goal, desired: Desired, observed: Observed, round: number): boolean {
  return (planUnlimited?.(desired, observed, round) ?? []).length > 0
}

/** How long facts that rarely change are reused from before the user was asked. */
const recentMs = 10_000

/**
 * Facts from before the lease that the first round need not query again: each step that depends on them checks for
 * itself. Guests, hosts, leases, nodes and etcd are always queried.
 */
function settledFacts({ proxmox: { version, backupJobs, contents, hidden } }: Observed): KnownFacts {
  return {
    version,
    contents,
    ...(backupJobs === undefined ? {} : { backupJobs }),
    ...(hidden === undefined ? {} : { hidden }),
  }
}

async function look({ spec, world, goal, signal, digest }: Look, looking: ObserveOptions = {}) {
  const { isLeaving, isAdministering = false } = goal
  const asked = { isLeaving, isAdministering }
  const ask = (more: ObserveOptions) => observe(spec.inventory, world, signal, { ...asked, ...more })
  let observed = await ask(looking)
  if (await awaitQuiet(observed, new Set(intendedVmids(spec.inventory)), world, signal)) observed = await ask({})
  const secrets = await world.secrets.find()
  const isWithoutWishes = takesOnlyWhatIsThere(goal)
  const inventory = isWithoutWishes ? spec.inventory : completed(spec.inventory, observed)
  const digester: Digester = digest === 'plain' ? plainDigest : createDigester(secrets?.bundle.cluster)
  return {
    observed,
    inventory,
    digester,
    desire: (seen: Observed): Desired => {
      const refusals = collectRefusals()
      if (!isWithoutWishes) {
        refusals.attempt(() => refuseOtherTime(seen.proxmox.version), undefined)
        refusals.attempt(() => refuseOldProxmox(seen.proxmox.version, spec.inventory.settings.talos.boot), undefined)
      }
      return refusals.finish(() => {
        if (!goal.isLeaving) refuseMissingNames({ ...spec, inventory }, seen, goal)
        return goal.desire({ ...spec, inventory, secrets: plannedSecrets(secrets, seen, spec) }, seen)
      })
    },
    /** On the same facts, with the secrets that were created since. */
    desireAgain: async () => goal.desire({ ...spec, inventory, secrets: await world.secrets.find() }, observed),
  }
}

/** A plan passes through the phases of a rotation before any of them is recorded. */
function plannedSecrets(
  file: ClusterSpec['secrets'],
  { secrets }: Observed,
  { intent: { rotating } }: Pick<ClusterSpec, 'intent'>,
): ClusterSpec['secrets'] {
  if (file === undefined || rotating === undefined) return file
  return plannedFile(file, secrets.rotation, rotating.fresh)
}

/** Without `network.cidr`, prefix and gateway come from the host's bridge; they are never guessed. */
function completed(inventory: Inventory, { proxmox }: Observed): Inventory {
  if (!needsNetwork(inventory)) return inventory
  const { bridge } = inventory.settings.proxmox
  const found = proxmox.bridges.find(({ name, cidr }) => name === bridge && cidr !== undefined)
  const prefix = Number(found?.cidr?.split('/')[1])
  if (found === undefined || Number.isNaN(prefix)) {
    throw unknownNetwork.refuse(`The network of the nodes is not known: bridge ${bridge} has no address on any host.`, {
      subject: { kind: 'inventory', name: inventory.file },
      where: inventory.where('network'),
      fix: 'Set network.cidr and network.gateway.',
    })
  }
  return withNetwork(inventory, { prefix, ...(found.gateway === undefined ? {} : { gateway: found.gateway }) })
}

/** Everything possible is done, but what could not be observed does not count as finished. */
function refuseIncomplete(unknown: readonly Unknown[], desired: Desired): void {
  if (unknown.length > 0) throw incomplete(unknown, desired)
}

function incomplete(
  unknown: readonly Unknown[],
  { cluster, away }: Desired,
  failure?: UserFacingError,
): UserFacingError {
  const silent = away.filter(({ doubt }) => doubt === undefined)
  const hosts = [...new Set(silent.map(({ host }) => host))].join(', ')
  const waiting = away.filter((one) => !silent.includes(one)).map(({ machine }) => machine.name)
  const reasons = unknown.map(({ what, why }) => `${what}: ${why}`).join('; ')
  const first = failure === undefined ? '' : `${failure.message} `
  return new Incomplete(`${first}${cluster.name} is incomplete: ${reasons}.`, {
    where: hosts === '' ? `cluster ${cluster.name}` : `Proxmox host ${hosts}`,
    fix:
      failure !== undefined
        ? `${failure.fix} Check the network between this computer and the nodes as well.`
        : hosts === '' && waiting.length > 0
          ? `Start ${waiting.join(', ')}, or look at its console, and run the same command again. If it will not come back, remove it from the inventory.`
          : hosts === ''
            ? 'Bring it back, or check the network between this computer and the nodes; then run the same command again.'
            : `Bring ${hosts} back and run the same command again; everything else matches the inventory. If it is lost permanently, ichor replace --host ${silent[0]?.host} --gone recreates its machines elsewhere.`,
    ...(failure === undefined ? {} : { cause: failure }),
  })
}

function sameStepsLeft({ cluster }: Plan, steps: readonly PlannedStep[]): UserFacingError {
  return notConverging.refuse(
    `The same ${steps.length} steps are left after they were done: "${steps[0]?.title}" and so on.`,
    {
      subject: { kind: 'cluster', name: cluster },
      where: steps
        .map(({ id }) => id)
        .slice(0, 5)
        .join(', '),
      fix: 'Something undoes them. Run ichor plan to see what differs, and look for another tool that manages these VMs.',
    },
  )
}

function announced(step: PlannedStep): AnnouncedStep {
  const { id, kind, title, after, machine, round } = step
  return { id, kind, title, after, ...(machine === undefined ? {} : { machine }), round, limits: limitsOf(step) }
}

function outcomeOf(thrown: unknown, signal: AbortSignal): Outcome {
  if (thrown instanceof Cancelled || signal.aborted) return 'cancelled'
  if (thrown instanceof Incomplete) return 'incomplete'
  return thrown instanceof PlanRefused ? 'refused' : 'failed'
}

function now(): string {
  return new Date().toISOString()
}
