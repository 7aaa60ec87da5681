import { basename, dirname, resolve } from 'node:path'
import { PlanRefused, reasonOf, UserFacingError } from '../../errors.js'
import type { FindingDefinition } from '../../findings/define-finding.js'
import { findingDefinitions } from '../../findings/index.js'
import { unknownNeeds } from '../../findings/unknown-needs.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Measurement } from '../../metrics/measurement.js'
import type { Plan } from '../../plan/plan.js'
import { digestOfPlan } from '../../plan/view/plan-view.js'
import { type Delivery, deliver, takenBy, type Webhook } from '../../watch/deliver.js'
import { emptyMemory, type Memory } from '../../watch/memory.js'
import { type Look, newsOf, newsOfFailure, newsOfInventory, type PendingPlan } from '../../watch/news.js'
import type { WatchEvent } from '../../watch/watch-event.js'
import type { Inspection } from '../doctor.js'
import { inspect } from '../doctor.js'
import type { Session } from '../session.js'
import type { FactsBeside } from '../status/look.js'
import { act, findIntent, type Intent, type WatchActing } from './act.js'
import { memoryFile } from './memory-file.js'
import { webhooksOf } from './webhooks-of.js'

/** How an environment is reached. */
export interface WatchAccess {
  readonly env: NodeJS.ProcessEnv
  readonly isLab: boolean
  /** Missing: it looks only. */
  readonly acting?: WatchActing
  /** Where what was reported is kept, instead of beside the inventories. */
  readonly state?: string
  load(file: string): Promise<Inventory>
  /** Connects, works, and always closes. */
  withSession<T>(inventory: Inventory, work: (session: Session) => Promise<T>): Promise<T>
  beside(session: Session): Promise<FactsBeside>
  readonly clock: Pick<Delivery, 'now' | 'sleep'>
}

export interface PassReport {
  readonly cluster: string
  readonly outcome: 'seen' | 'unseen'
  readonly events: readonly WatchEvent[]
  /** What else the operator of this process should know: a webhook that takes nothing. */
  readonly notes: readonly string[]
}

export interface Environment {
  /** Its cluster.yaml. */
  readonly file: string
  /** As of the last pass. */
  measurement(): Measurement
  /** Of the last inventory that could be used. */
  inventory(): Inventory | undefined
  /** Looks once, reports what is new, and remembers it. */
  pass(signal: AbortSignal): Promise<PassReport>
}

/** A pass that takes longer is given up: what hangs must not end the watch. */
const patienceMs = 300_000
const forgetful =
  'What was reported cannot be written anywhere, so the next start reports it again: name a folder with --state.'
/** Events that wait for a webhook. */
const maxQueue = 200

/** One environment, followed from pass to pass. */
export function watchEnvironment(file: string, access: WatchAccess): Environment {
  const folder = dirname(resolve(file))
  const kept = memoryFile(folder, access)
  let isForgetful = false
  let memory: Memory | undefined
  let usable: Inventory | undefined
  let webhooks: readonly Webhook[] | undefined
  let measurement: Measurement = { cluster: basename(folder) }

  const pass = async (signal: AbortSignal): Promise<PassReport> => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const before = memory ?? (await kept.read()) ?? emptyMemory(measurement.cluster)
    const read = await readInventory(file, access, before)
    if (read.inventory !== undefined) usable = read.inventory
    const looked =
      usable === undefined
        ? { events: [], memory: read.memory }
        : await look(usable, { memory: read.memory, isOld: read.inventory === undefined }, access, patience, signal)
    measurement = measuredBy(looked)
    // Only on what was just seen as a whole, by the inventory that is in the files now.
    const isSeen = looked.inspection !== undefined && isSeenInFull(looked.inspection) && read.inventory !== undefined
    const intent: Intent =
      access.acting === undefined || usable === undefined || !isSeen
        ? { events: [], memory: looked.memory }
        : await findIntent(usable, looked.memory, access.acting)
    const events = [...read.events, ...looked.events, ...intent.events]
    const delivery = { ...access.clock, allowHttp: usable?.settings.allow_http ?? [], signal }
    // Those of the last pass are better than none, for example where the secrets cannot be read now.
    webhooks = looked.webhooks ?? webhooks
    const report = async (news: readonly WatchEvent[], known: Memory): Promise<string[]> => {
      const { notes, ...waiting } = await deliverAll(webhooks, news, known, delivery)
      memory = { ...known, ...waiting }
      const wasForgetful = isForgetful
      isForgetful = !(await kept.write(memory))
      return [...notes, ...(isForgetful && !wasForgetful ? [forgetful] : [])]
    }
    const notes = [...(looked.notes ?? []), ...(await report(events, intent.memory))]
    const passed: PassReport = {
      cluster: intent.memory.cluster,
      outcome: looked.inspection === undefined ? 'unseen' : 'seen',
      events,
      notes,
    }
    if (intent.approved === undefined || access.acting === undefined || usable === undefined) return passed
    const done = await act(usable, intent.approved, memory ?? intent.memory, access.acting, signal)
    return {
      ...passed,
      events: [...events, ...done.events],
      notes: [...notes, ...(await report(done.events, done.memory))],
    }
  }
  return { file, measurement: () => measurement, inventory: () => usable, pass }
}

interface Read {
  /** Missing if it cannot be used. */
  readonly inventory?: Inventory
  readonly events: readonly WatchEvent[]
  readonly memory: Memory
}

async function readInventory(file: string, { load, clock }: WatchAccess, before: Memory): Promise<Read> {
  try {
    return { inventory: await load(file), events: [], memory: before }
  } catch (thrown) {
    if (!(thrown instanceof UserFacingError)) throw thrown
    const { message: problem, where, fix } = thrown
    return newsOfInventory(before, { problem, where, fix }, clock.now())
  }
}

interface Looked {
  readonly events: readonly WatchEvent[]
  readonly memory: Memory
  /** Missing if they could not be resolved. */
  readonly webhooks?: readonly Webhook[]
  readonly inspection?: Inspection
  readonly notes?: readonly string[]
}

async function look(
  inventory: Inventory,
  { memory, isOld }: { readonly memory: Memory; readonly isOld: boolean },
  access: WatchAccess,
  patience: AbortSignal,
  signal: AbortSignal,
): Promise<Looked> {
  let found: Pick<Looked, 'webhooks' | 'notes'> = {}
  const named = { ...memory, cluster: inventory.settings.cluster_name }
  try {
    return await access.withSession(inventory, async (session) => {
      found = await findWebhooks(inventory, session, access)
      const inspection = await inspect(session, access.beside(session), patience)
      return { ...newsOf(named, lookOf(inspection, inventory, isOld)), ...found, inspection }
    })
  } catch (thrown) {
    signal.throwIfAborted()
    const now = access.clock.now()
    const failure =
      thrown instanceof UserFacingError
        ? { problem: thrown.message, fix: thrown.fix }
        : { problem: patience.aborted ? 'No answer within five minutes.' : reasonOf(thrown), fix: 'ichor doctor' }
    return { ...newsOfFailure(named, { ...failure, now }), ...found }
  }
}

/** A reference that leads nowhere must not hide the cluster. */
async function findWebhooks(
  inventory: Inventory,
  { world }: Session,
  { env, isLab }: WatchAccess,
): Promise<Pick<Looked, 'webhooks' | 'notes'>> {
  try {
    const values = (await world.secrets.find())?.memory.values ?? {}
    return { webhooks: await webhooksOf(inventory, { env, values, isLab }) }
  } catch (thrown) {
    if (!(thrown instanceof UserFacingError)) throw thrown
    return {
      notes: [`The webhooks cannot be used, and what is new is kept for them: ${thrown.message} ${thrown.where}`],
    }
  }
}

function lookOf({ facts, examination, verdict }: Inspection, inventory: Inventory, isOld: boolean): Look {
  const definitions = new Map<string, FindingDefinition>(findingDefinitions.map((one) => [one.code, one]))
  const everything = new Set(findingDefinitions.flatMap(({ needs }) => needs))
  return {
    cluster: inventory.settings.cluster_name,
    now: facts.now,
    machines: inventory.machines.map(({ name }) => name),
    isOld,
    findings: examination.findings,
    isSeen: (code) => unknownNeeds(new Set(definitions.get(code)?.needs ?? everything), facts).length === 0,
    ...(verdict instanceof PlanRefused ? {} : { plan: pendingOf(verdict) }),
  }
}

function pendingOf(plan: Plan): PendingPlan {
  const steps = plan.steps.map(({ id, title, changes, disruptive, loses, digest }) => ({
    id,
    title,
    changes,
    disruptive,
    loses,
    digest: digest(plan.digester),
  }))
  return { digest: digestOfPlan(plan), steps }
}

/** A part that was not seen may need something else than what was approved. */
function isSeenInFull({ verdict }: Inspection): boolean {
  return !(verdict instanceof PlanRefused) && verdict.unknown.length === 0
}

function measuredBy({ memory, inspection }: Looked): Measurement {
  const { cluster, seenAt, plan } = memory
  const past = {
    pendingSince: plan?.since ?? 0,
    ...(seenAt === undefined ? {} : { lastSeenAt: seenAt }),
  }
  if (inspection === undefined) return { cluster, ...past }
  const { facts, examination, verdict } = inspection
  return {
    cluster,
    ...past,
    seen: { facts, examination, ...(verdict instanceof PlanRefused ? {} : { plan: verdict }) },
  }
}

type Waiting = Pick<Memory, 'queues' | 'unassigned'>

/** Every webhook gets what waited for it and what is new, in one request. */
async function deliverAll(
  webhooks: readonly Webhook[] | undefined,
  events: readonly WatchEvent[],
  { queues, unassigned }: Waiting,
  delivery: Delivery,
): Promise<Waiting & { notes: string[] }> {
  const fresh = [...unassigned, ...events]
  if (webhooks === undefined) return { queues, unassigned: fresh.slice(-maxQueue), notes: [] }
  const done = await Promise.all(
    webhooks.map(async (webhook) => {
      const due = [...(queues[webhook.name] ?? []), ...takenBy(webhook, fresh)].slice(-maxQueue)
      return { webhook, due, delivered: await deliver(webhook, due, delivery) }
    }),
  )
  const missed = done.filter(({ delivered }) => !delivered.isTaken)
  return {
    queues: Object.fromEntries(missed.map(({ webhook, due }) => [webhook.name, due])),
    unassigned: [],
    notes: missed.flatMap(({ webhook, delivered }) =>
      delivered.isTaken ? [] : [`The webhook ${webhook.name} takes nothing: ${delivered.why}.`],
    ),
  }
}
