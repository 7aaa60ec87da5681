import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grave, roundOf } from '../../tests/support/grave-steps.js'
import { anInventory } from '../../tests/support/inventories.js'
import { clusters, hosts, through, type View, views } from '../../tests/support/views.js'
import { aWorld, carriedOut, planOf, specFor } from '../../tests/support/worlds.js'
import { majority } from '../cluster/quorum.js'
import type { Recovery } from '../cluster/recovery.js'
import { ifSeen, seen } from '../cluster/seen.js'
import type { Desired, DesiredRestore } from '../desired/desired.js'
import { desiredRestore } from '../desired/desired-restore.js'
import type { Observed } from '../observe/observed.js'
import { drillInventory } from '../operations/drill/drill-cluster.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'
import type { planRound } from '../rounds/plan-round.js'
import { planRestoreRound } from './etcd/plan-restore.js'
import type { PlannedStep } from './plan.js'
import { unknownsOf } from './unknowns.js'

const runs = 80
type Planner = typeof planRound

const disruptive = new Set([
  'drain-node',
  'reboot-machine',
  'upgrade-machine',
  'install-talos',
  'upgrade-part',
  'migrate-machine',
])

const named = (kinds: ReadonlySet<string>, steps: readonly PlannedStep[]) => steps.filter(({ kind }) => kinds.has(kind))

interface Verb {
  readonly desire: (view: View, observed: Observed) => Desired
  readonly plan?: Planner
  /** The observed state, if it is not the cluster itself. */
  readonly see?: (view: View) => Observed
  /** What must allow each serious or disruptive step. */
  readonly allows: (step: PlannedStep, observed: Observed, desired: Desired, steps: readonly PlannedStep[]) => void
  /** The minimum number of such steps in all runs together; otherwise nothing was tested. */
  readonly atLeast: number
}

const specOf = ({ controlPlanes }: View) => clusters[controlPlanes].spec
const isControlPlane = (name: string | undefined) => name?.includes('-cp-') === true
const findSeen = (observed: Observed, name: string | undefined) => observed.machines.find((one) => one.name === name)

function withIntent(kind: 'replacing' | 'rebooting', names: readonly string[]): Verb['desire'] {
  return (view, observed) => {
    const desired = specOf(view)(observed)
    const asked = Object.fromEntries(names.map((name) => [name, 'run-1']))
    return { ...desired, cluster: { ...desired.cluster, intent: { [kind]: asked } } }
  }
}

const versioned = Object.fromEntries(
  await Promise.all(
    ([1, 3, 5] as const).map(async (controlPlanes) => [
      controlPlanes,
      specFor(await anInventory({ controlPlanes, workers: 2, hosts, with: { talos: { kernel_args: ['quiet'] } } })),
    ]),
  ),
)
const evacuating = Object.fromEntries(
  await Promise.all(
    ([1, 3, 5] as const).map(async (controlPlanes) => [
      controlPlanes,
      specFor(await anInventory({ controlPlanes, workers: 2, hosts, with: { placement: { evacuate: ['pve1'] } } })),
    ]),
  ),
)

const restore: DesiredRestore = {
  snapshot: 'dev-20260101T000000Z-00000000',
  run: 'run-1',
  skipHashCheck: false,
  mayBeGone: false,
  overHealthy: false,
  members: [],
}

/** It was observed, its pods can be drained, and etcd keeps its majority without it. */
function mayGo({ machine, kind }: PlannedStep, observed: Observed, asked: readonly string[]): void {
  expect(asked, `${kind} ${machine}`).toContain(machine)
  expect(findSeen(observed, machine), `${kind} ${machine}`).toBeDefined()
  expect(observed.kubernetes.seen || findSeen(observed, machine)?.status === 'stopped').toBe(true)
  if (!isControlPlane(machine)) return
  const etcd = ifSeen(observed.etcd)
  expect(etcd?.healthy.filter((id) => id !== machine).length ?? 0).toBeGreaterThanOrEqual(
    majority((etcd?.members.length ?? 0) - 1),
  )
}

/** The one machine of a drill, which may exist already, beside a cluster that the drill must not touch. */
const drillMachine = 'dev-drill-1'
const drillOf = specFor(
  drillInventory(
    await anInventory({
      controlPlanes: 3,
      workers: 2,
      hosts,
      with: { drill: { bridge: 'vmbr9', address: '10.99.0.10' } },
    }),
  ),
)
const fresh = withGuests(aWorld(hosts), { snapshot: restore.snapshot, stage: 'clearing', run: restore.run })
const empty = aWorld(hosts)
const drilled = withGuests(carriedOut(planOf(drillOf, empty).steps, drillOf(empty), empty))

function withGuests(observed: Observed, recovery?: Recovery): Observed {
  const { guests } = clusters[3].made.proxmox
  return {
    ...observed,
    proxmox: { ...observed.proxmox, guests: [...observed.proxmox.guests, ...guests] },
    secrets: { ...observed.secrets, ...(recovery === undefined ? {} : { recovery }) },
  }
}

const verbs: Readonly<Record<string, Verb>> = {
  'replace dev-wk-1 dev-cp-2': {
    desire: withIntent('replacing', ['dev-wk-1', 'dev-cp-2']),
    allows: (step, observed) => mayGo(step, observed, ['dev-wk-1', 'dev-cp-2']),
    atLeast: 20,
  },
  'reboot dev-wk-1 dev-cp-1': {
    desire: withIntent('rebooting', ['dev-wk-1', 'dev-cp-1']),
    allows: ({ kind, machine }, observed) => {
      expect(['dev-wk-1', 'dev-cp-1'], `${kind} ${machine}`).toContain(machine)
      expect([...disruptive], kind).toContain(kind)
      expect(findSeen(observed, machine)).toBeDefined()
      if (machine === 'dev-wk-1') expect(observed.kubernetes.seen).toBe(true)
    },
    atLeast: 20,
  },
  'upgrade of every machine': {
    desire: (view, observed) => versioned[view.controlPlanes]?.(observed) ?? specOf(view)(observed),
    allows: ({ kind }, observed, desired) => {
      expect([...disruptive], kind).toContain(kind)
      expect(unknownsOf(desired, observed).filter(({ what }) => !what.startsWith('storage'))).toEqual([])
      expect(observed.machines.every(({ talos }) => talos.reach === 'secured')).toBe(true)
    },
    atLeast: 5,
  },
  'evacuate pve1': {
    desire: (view, observed) => evacuating[view.controlPlanes]?.(observed) ?? specOf(view)(observed),
    allows: ({ kind, machine }, observed) => {
      expect(kind).toBe('migrate-machine')
      expect(findSeen(observed, machine)?.host, machine).toBe('pve1')
    },
    atLeast: 5,
  },
  restore: {
    desire: (view, observed) => desiredRestore(specOf(view)(observed), restore, observed),
    plan: planRestoreRound,
    allows: ({ kind, machine }, observed) => {
      expect(['wipe-etcd', 'retire-control-plane', 'delete-machine'], `${kind} ${machine}`).toContain(kind)
      expect(isControlPlane(machine)).toBe(true)
      // None of them has a leader, and the ones that do not respond cannot elect one.
      expect(ifSeen(observed.etcd)?.healthy ?? []).toEqual([])
      const silent = observed.machines.filter(
        ({ mark, talos }) => mark.role === 'controlplane' && talos.reach === 'silent',
      )
      const members =
        ifSeen(observed.etcd)?.members.length ??
        observed.machines.filter(({ mark }) => mark.role === 'controlplane').length
      expect(silent.length).toBeLessThan(majority(members))
      expect(observed.unverified.filter(({ name }) => isControlPlane(name))).toEqual([])
    },
    atLeast: 5,
  },
  drill: {
    see: (view) => (view.isRemembered ? through(view, drilled) : { ...through(view, fresh), etcd: seen(undefined) }),
    desire: (_view, observed) =>
      desiredRestore(drillOf(observed), { ...restore, mustNotReach: ['10.0.10.10:50000'] }, observed),
    plan: planRestoreRound,
    allows: ({ kind, machine, after }, observed, _desired, steps) => {
      expect([
        'claim-machine',
        'fill-machine',
        'wipe-etcd',
        'retire-control-plane',
        'delete-machine',
        'recover-etcd',
      ]).toContain(kind)
      expect(machine).toBe(drillMachine)
      const isThere = findSeen(observed, machine) !== undefined
      const away = observed.unverified.filter(({ because }) => because === 'away')
      if (kind === 'claim-machine') expect([isThere, away]).toEqual([false, []])
      if (/^(wipe|retire|delete)-/.test(kind)) expect(isThere).toBe(true)
      const proved = steps.find((step) => step.kind === 'prove-isolation')
      if (kind === 'recover-etcd') expect(after).toContain(proved?.id)
    },
    atLeast: 20,
  },
  destroy: {
    desire: (view, observed) => ({ ...specOf(view)(observed), machines: [], away: [] }),
    plan: planDestroyRound,
    allows: ({ kind, machine }, observed) => {
      expect(findSeen(observed, machine), `${kind} ${machine}`).toBeDefined()
      expect(observed.unverified).toEqual([])
    },
    atLeast: 5,
  },
}

test.each(Object.entries(verbs))('what is not seen is never taken for gone: %s', (_name, verb) => {
  let struck = 0
  fc.assert(
    fc.property(views, (view) => {
      const observed = verb.see?.(view) ?? through(view)
      const desired = verb.desire(view, observed)
      const steps = roundOf(desired, observed, verb.plan) ?? []
      for (const step of named(new Set([...grave, ...disruptive]), steps)) {
        verb.allows(step, observed, desired, steps)
        struck++
      }
    }),
    { numRuns: runs },
  )
  expect(struck).toBeGreaterThanOrEqual(verb.atLeast)
})

const lasting = Object.entries(verbs).filter(([name]) => name !== 'destroy')

test.each(lasting)('nothing is called finished while something is unknown: %s', (_name, verb) => {
  fc.assert(
    fc.property(views, (view) => {
      const observed = verb.see?.(view) ?? through(view)
      const desired = verb.desire(view, observed)
      const steps = roundOf(desired, observed, verb.plan)
      const isBlind = !observed.etcd.seen || !observed.kubernetes.seen || observed.unverified.length > 0
      const isSilent = observed.machines.some(({ talos }) => talos.reach !== 'secured')
      if (steps?.length === 0 && (isBlind || isSilent)) expect(unknownsOf(desired, observed)).not.toEqual([])
    }),
    { numRuns: runs },
  )
})
