import { randomUUID } from 'node:crypto'
import { systemClock } from './clock.js'
import type { ClusterSpec } from './desired/cluster-spec.js'
import type { Desired } from './desired/desired.js'
import { desiredTeardown } from './desired/desired-teardown.js'
import { resolveDesired } from './desired/resolve-desired.js'
import { Cancelled, PlanRefused, type UserFacingError } from './errors.js'
import type { Emit, Outcome } from './events.js'
import { type Execution, execute } from './execute/execute.js'
import type { Inventory } from './inventory/inventory.js'
import { needsNetwork, withNetwork } from './inventory/inventory.js'
import { awaitQuiet } from './observe/await-quiet.js'
import { observe } from './observe/observe.js'
import type { Observed } from './observe/observed.js'
import { intendedVmids } from './observe/question.js'
import { type Lease, takeLease } from './ownership/index.js'
import type { Plan, PlannedStep } from './plan/plan.js'
import { planDestroyRound } from './plan/plan-destroy.js'
import { planRound } from './plan/plan-round.js'
import { planRounds } from './plan/plan-rounds.js'
import { refuseOldProxmox } from './proxmox/model/refuse-old-proxmox.js'
import type { Clock, World } from './world.js'

export interface Reconcile {
  readonly spec: Omit<ClusterSpec, 'secrets'>
  readonly world: World
  /** `destroy` specs that nothing of the cluster were there. */
  readonly goal: 'up' | 'destroy'
  /** Sees the whole plan before anything is changed. */
  readonly confirm: (plan: Plan, facts: { readonly desired: Desired; readonly observed: Observed }) => Promise<boolean>
  readonly emit: Emit
  readonly signal: AbortSignal
  readonly forceUnlock?: boolean
  /** Leases are held against people at other computers, so their time is the wall's, in a lab too. */
  readonly leaseClock?: Clock
}

export interface Result {
  readonly outcome: Outcome
  readonly changed: number
}

const mostRounds = 20

/** The spine of the program: look, think, ask, act; and again until there is nothing left to do. */
export async function reconcile(request: Reconcile): Promise<Result> {
  const { emit, signal } = request
  let changed = 0
  const finish = (outcome: Outcome) => emit({ type: 'run.finished', at: now(), outcome, changed })
  try {
    const outcome = await runReconcile(request, () => changed++)
    finish(outcome)
    return { outcome, changed }
  } catch (thrown) {
    finish(outcomeOf(thrown, signal))
    throw thrown
  }
}

/** What `plan` shows: all rounds, nothing changed. */
export async function preview({
  spec,
  world,
  goal,
  signal,
}: Pick<Reconcile, 'spec' | 'world' | 'goal' | 'signal'>): Promise<{
  plan: Plan
  observed: Observed
  desired: Desired
}> {
  const { observed, desiredFor } = await look(spec, world, goal, signal)
  const plan = planRounds(desiredFor, observed, plannerOf(goal))
  return { plan, observed, desired: desiredFor(observed) }
}

/** What `status` shows: also where the plan is refused, because then it is needed most. */
export async function survey({ spec, world, signal }: Pick<Reconcile, 'spec' | 'world' | 'signal'>): Promise<{
  observed: Observed
  inventory: Inventory
  verdict: Plan | PlanRefused
}> {
  const { observed, inventory, desiredFor } = await look(spec, world, 'up', signal)
  try {
    return { observed, inventory, verdict: planRounds(desiredFor, observed, planRound) }
  } catch (thrown) {
    if (!(thrown instanceof PlanRefused)) throw thrown
    return { observed, inventory, verdict: thrown }
  }
}

async function runReconcile(request: Reconcile, onChange: () => void): Promise<Outcome> {
  const { world, confirm, emit, signal } = request
  const { plan, desired, observed } = await preview(request)
  if (plan.steps.length === 0) {
    refuseIncomplete(desired)
    return 'nothing-to-do'
  }
  if (!(await confirm(plan, { desired, observed }))) return 'declined'
  const run = randomUUID()
  const lease = await takeLease({
    pools: world.proxmox.pools,
    clock: request.leaseClock ?? systemClock,
    pool: desired.cluster.pool,
    run,
    intent: desired.machines.map(({ vmid }) => vmid),
    signal,
    force: request.forceUnlock ?? false,
    onWait: (holder) =>
      emit({
        type: 'run.noted',
        at: now(),
        severity: 'info',
        text: `waiting for the lease of ${holder?.user ?? 'somebody'} on ${holder?.host ?? 'another computer'}`,
      }),
  })
  emit({ type: 'run.started', at: now(), run, cluster: plan.cluster, steps: plan.steps.map(announced) })
  let isOver = false
  const endLease = async () => {
    isOver = true
    await lease.release({ remove: 'lease-and-pool' })
  }
  try {
    await actInRounds(request, plan, lease, { endLease, onChange })
    return 'done'
  } finally {
    if (!isOver) await lease.release()
  }
}

async function actInRounds(
  request: Reconcile,
  shown: Plan,
  lease: Lease,
  hooks: Pick<Execution, 'endLease' | 'onChange'>,
): Promise<void> {
  const { spec, world, goal, emit, signal } = request
  let before = 0
  let last = ''
  for (let round = 1; round <= mostRounds; round++) {
    const { observed, desiredFor } = await look(spec, world, goal, signal)
    const desired = desiredFor(observed)
    const steps = plannerOf(goal)(desired, observed, round)
    if (steps.length === 0) {
      refuseIncomplete(desired)
      return
    }
    refuseUnlessShown(steps, shown)
    const fingerprint = steps.map(({ id }) => id).join()
    if (fingerprint === last) throw notConverging(steps)
    last = fingerprint
    await lease.declare(
      desired.machines.map(({ vmid }) => vmid),
      signal,
    )
    emit({ type: 'round.started', at: now(), round, steps: steps.map(announced) })
    await execute(steps, {
      ...hooks,
      desired,
      observed,
      world,
      emit,
      signal,
      assertLease: () => lease.assertFresh(),
      steps: { before, total: Math.max(shown.steps.length, before + steps.length) },
    })
    before += steps.length
    if (steps.some(({ kind }) => kind === 'remove-pool')) return
  }
  throw new PlanRefused(`After ${mostRounds} rounds there is still something to do.`, {
    where: `cluster ${shown.cluster}`,
    fix: 'Run ichor plan to see what is left.',
  })
}

async function look(spec: Reconcile['spec'], world: World, goal: Reconcile['goal'], signal: AbortSignal) {
  const ask = () => observe(spec.inventory, world, signal, { isLeaving: goal === 'destroy' })
  let observed = await ask()
  if (await awaitQuiet(observed, new Set(intendedVmids(spec.inventory)), world, signal)) {
    observed = await ask()
  }
  const secrets = await world.secrets.find()
  if (goal === 'destroy')
    return {
      observed,
      inventory: spec.inventory,
      desiredFor: (seen: Observed): Desired => desiredTeardown({ ...spec, secrets }, seen),
    }
  refuseOldProxmox(observed.proxmox.version, spec.inventory.settings.talos.boot)
  const inventory = completed(spec.inventory, observed)
  return {
    observed,
    inventory,
    desiredFor: (seen: Observed): Desired => resolveDesired({ ...spec, inventory, secrets }, seen),
  }
}

/** Without `network.cidr`, prefix and gateway are those of the bridge on the host; a guess is never made. */
function completed(inventory: Inventory, { proxmox }: Observed): Inventory {
  if (!needsNetwork(inventory)) return inventory
  const { bridge } = inventory.settings.proxmox
  const found = proxmox.bridges.find(({ name, cidr }) => name === bridge && cidr !== undefined)
  const prefix = Number(found?.cidr?.split('/')[1])
  if (found === undefined || Number.isNaN(prefix)) {
    throw new PlanRefused(`The network of the nodes is not known: bridge ${bridge} has no address on any host.`, {
      where: inventory.where('network'),
      fix: 'Set network.cidr and network.gateway.',
    })
  }
  return withNetwork(inventory, { prefix, ...(found.gateway === undefined ? {} : { gateway: found.gateway }) })
}

function plannerOf(goal: Reconcile['goal']) {
  return goal === 'up' ? planRound : planDestroyRound
}

/** Everything that could be done is done; what is on a host that does not answer is not. */
function refuseIncomplete({ away, cluster }: Desired): void {
  if (away.length === 0) return
  const hosts = [...new Set(away.map(({ host }) => host))].join(', ')
  const names = away.map(({ machine, vmid }) => `${machine.name} (VM ${vmid})`).join(', ')
  throw new PlanRefused(`${cluster.name} is not whole: ${hosts} does not answer, and has ${names}.`, {
    where: `Proxmox host ${hosts}`,
    fix: `Bring ${hosts} back and run the same command again; all else is as the inventory says. If it is gone for ever, delete the files of these VMs under /etc/pve/nodes/${away[0]?.host}/qemu-server on another host: the next ichor up recreates them elsewhere.`,
  })
}

/** Consent covers what was shown, and nothing else. */
function refuseUnlessShown(steps: readonly PlannedStep[], shown: Plan): void {
  const known = new Set(shown.steps.map(({ id }) => id))
  const surprise = steps.find(({ id, changes }) => changes && !known.has(id))
  if (surprise === undefined) return
  throw new PlanRefused(`The world has moved since the plan was shown: it would now also "${surprise.title}".`, {
    where: surprise.reason,
    fix: 'Look at ichor plan again, and run the command once more.',
  })
}

function notConverging(steps: readonly PlannedStep[]): UserFacingError {
  return new PlanRefused(
    `The same ${steps.length} steps are left after they were done: "${steps[0]?.title}" and so on.`,
    {
      where: steps
        .map(({ id }) => id)
        .slice(0, 5)
        .join(', '),
      fix: 'Something undoes them. Run ichor plan to see what differs, and look for another tool that manages these VMs.',
    },
  )
}

function announced({ id, kind, title, after, machine }: PlannedStep) {
  return { id, kind, title, after, ...(machine === undefined ? {} : { machine }) }
}

function outcomeOf(thrown: unknown, signal: AbortSignal): Outcome {
  if (thrown instanceof Cancelled || signal.aborted) return 'cancelled'
  return thrown instanceof PlanRefused ? 'refused' : 'failed'
}

function now(): string {
  return new Date().toISOString()
}
