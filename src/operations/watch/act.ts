import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { reasonOf, UserFacingError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { suspendedIn } from '../../ownership/stop-switch.js'
import type { Memory } from '../../watch/memory.js'
import type { WatchEvent } from '../../watch/watch-event.js'
import { openUntil } from '../../watch/window.js'
import { type ApprovedPlan, readApproved } from '../approved-plan.js'
import { up } from '../goals.js'
import { run } from '../run.js'
import type { Session } from '../session.js'

/** What `--apply` adds to a watch. */
export interface WatchActing {
  /** `--allow-commands`: plans may run the commands of `roll`. */
  readonly allowsCommands: boolean
  /** As that of a watch, with a world that can be changed. */
  withSession<T>(inventory: Inventory, work: (session: Session) => Promise<T>): Promise<T>
  now(): number
}

/** What there is to carry out, and what is new about that. */
export interface Intent {
  readonly events: readonly WatchEvent[]
  readonly memory: Memory
  /** To be carried out now. */
  readonly approved?: ApprovedPlan
}

const maxApprovals = 200
const maxApprovalBytes = 32 * 1024 * 1024

/** Looks for an approval of the plan that is pending. Reads files only. */
export async function findIntent(inventory: Inventory, memory: Memory, { now }: WatchActing): Promise<Intent> {
  const { watch, cluster_name: cluster } = inventory.settings
  if (!watch.apply) return { events: [], memory }
  const at = now()
  const header = { at: new Date(at).toISOString(), cluster, severity: 'info' as const }
  const isOpen = openUntil(watch.window, at) !== undefined
  const { isOpen: wasOpen = watch.window.length === 0, approval: known } = memory.acting ?? {}
  const approved = memory.plan === undefined ? undefined : await approvalOf(inventory.folder, memory.plan.digest)
  const approval = approved?.seal ?? known
  const isNew = approval !== known
  const events: WatchEvent[] = [
    ...(isOpen === wasOpen
      ? []
      : [{ ...header, type: isOpen ? ('window.opened' as const) : ('window.closed' as const) }]),
    ...(approved === undefined || !isNew
      ? []
      : [{ ...header, type: 'plan.approved' as const, digest: approved.digest, file: basename(approved.file) }]),
  ]
  const problem = isNew ? undefined : memory.acting?.problem
  const acting = {
    isOpen,
    ...(approval === undefined ? {} : { approval }),
    ...(problem === undefined ? {} : { problem }),
  }
  return {
    events,
    memory: { ...memory, acting },
    // One from before the cluster had secrets has no seal.
    ...(isOpen && approved !== undefined && approved.seal !== null ? { approved } : {}),
  }
}

/** The newest file that approves this plan. Nothing else in the folder matters; the run checks what it holds. */
async function approvalOf(folder: string, digest: string): Promise<ApprovedPlan | undefined> {
  const names = (await readdir(join(folder, 'approvals')).catch(() => [])).filter((name) => name.endsWith('.json'))
  const plans = await Promise.all(
    names
      .sort()
      .slice(-maxApprovals)
      .map((name) => planIn(join(folder, 'approvals', name))),
  )
  return plans
    .filter((plan) => plan !== undefined)
    .filter((plan) => plan.digest === digest && plan.goal === 'up')
    .toSorted((one, other) => other.made_at.localeCompare(one.made_at))[0]
}

async function planIn(path: string): Promise<ApprovedPlan | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() !== true || found.size > maxApprovalBytes) return undefined
  return readApproved(path, { cwd: '/' }).catch(() => undefined)
}

/** Carries an approved plan out, and reports how that ended: a problem once for as long as it stays the same. */
export async function act(
  inventory: Inventory,
  approved: ApprovedPlan,
  memory: Memory,
  acting: WatchActing,
  signal: AbortSignal,
): Promise<Pick<Intent, 'events' | 'memory'>> {
  const ended = await carryOut(inventory, approved, acting, signal)
  const header = { at: new Date(acting.now()).toISOString(), cluster: memory.cluster }
  const { digest } = approved
  if ('changed' in ended) {
    const applied = { ...header, severity: 'info' as const, type: 'plan.applied' as const, digest, ...ended }
    return { events: [applied], memory }
  }
  if (memory.acting?.problem === ended.problem) return { events: [], memory }
  const stopped = { ...header, severity: 'blocks' as const, type: 'plan.stopped' as const, digest, ...ended }
  return {
    events: [stopped],
    memory: { ...memory, acting: { isOpen: true, ...memory.acting, problem: ended.problem } },
  }
}

type Ended = { readonly changed: number } | { readonly problem: string; readonly fix: string }

async function carryOut(
  inventory: Inventory,
  approved: ApprovedPlan,
  { allowsCommands, withSession, now }: WatchActing,
  signal: AbortSignal,
): Promise<Ended> {
  if (!allowsCommands && runsCommands(inventory)) {
    const fix = 'Start ichor watch with --allow-commands, or apply the plan with ichor up --plan.'
    return { problem: 'The inventory has commands in roll, which this process must not run.', fix }
  }
  try {
    return await withSession(inventory, async (session): Promise<Ended> => {
      const mayBegin = () => whyNot(session, now(), signal)
      const refused = await mayBegin()
      if (refused !== undefined) return { problem: `It is not applied: ${refused}.`, fix: resumeFix(inventory) }
      const { outcome, changed } = await run(session, {
        goal: up,
        approved,
        consent: { confirm: async () => true },
        mayBegin,
        sinks: [],
        signal,
      })
      if (outcome === 'done' || outcome === 'nothing-to-do') return { changed }
      const why = (await mayBegin()) ?? 'something is left'
      return { problem: `It is applied in part: ${why}.`, fix: 'Approve the plan for the rest.' }
    })
  } catch (thrown) {
    signal.throwIfAborted()
    return { problem: reasonOf(thrown), fix: thrown instanceof UserFacingError ? thrown.fix : 'ichor doctor' }
  }
}

function runsCommands({ settings: { roll } }: Inventory): boolean {
  const checks = [...roll.checks, ...(roll.check === undefined ? [] : [roll.check])]
  return roll.before.length > 0 || roll.after.length > 0 || checks.some((check) => 'command' in check)
}

function resumeFix({ settings: { cluster_name: cluster } }: Inventory): string {
  return `ichor watch resume ${cluster}`
}

/** What cannot be seen does not allow anything. */
async function whyNot({ inventory, world }: Session, now: number, signal: AbortSignal): Promise<string | undefined> {
  const { watch, proxmox } = inventory.settings
  if (openUntil(watch.window, now) === undefined) return 'the window is over'
  try {
    const why = suspendedIn(await world.proxmox.pools.list(signal), proxmox.pool)
    return why === undefined ? undefined : `the cluster is suspended (${why})`
  } catch (thrown) {
    return `it cannot be seen whether the cluster is suspended (${reasonOf(thrown)})`
  }
}
