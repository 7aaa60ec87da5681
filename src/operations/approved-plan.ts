import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '../cluster/canonical.js'
import { FileError } from '../errors.js'
import type { PlanView } from '../events/plan-view.js'
import {
  changedCluster,
  changedInventory,
  earlierPlan,
  expiredApproval,
  unsealedPlan,
  usedApproval,
} from '../findings/refusals/runs.js'
import type { Lease } from '../ownership/index.js'
import { readLedger, writeLedger } from '../ownership/ledger.js'
import { createDigester } from '../plan/digest.js'
import type { Plan } from '../plan/plan.js'
import { type StepIdentity, sameStep } from '../plan/step-identity.js'
import type { SecretsFile } from '../secrets/bundle.js'
import { changedKeys, type InventoryDigests, type InventoryPlace, inventoryDigests } from './approved-inventory.js'

const stepSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  digest: z.string().nullable(),
  pending: z.array(z.string()),
  loses: z.array(z.string()),
})

const planFile = z.looseObject({
  version: z.literal(2),
  cluster: z.string(),
  digest: z.string(),
  goal: z.enum(['up', 'destroy']),
  cluster_id: z.string().nullable(),
  made_at: z.string(),
  expires: z.string(),
  /** Of the last run before it. */
  lease: z.number(),
  target: z.array(z.string()).nullable(),
  steps: z.array(stepSchema),
  /** Of what it was made from. */
  inventory: z.record(z.string(), z.string()),
  /** `null` before the cluster had secrets. */
  seal: z.string().nullable(),
})

/** A plan written by `ichor plan --out` and approved. */
export type ApprovedPlan = z.infer<typeof planFile> & {
  readonly file: string
  /** The name that the user gave. */
  readonly named: string
}

const validForMs = 72 * 3600_000

interface PlanOrigin {
  readonly madeFrom: Parameters<typeof inventoryDigests>[0]
  readonly secrets: SecretsFile | undefined
  /** Number of the newest lease of the cluster. */
  readonly lease: number
  readonly place: InventoryPlace
}

/** The plan as a file: with what it was made from, until when it is valid, and a seal over all of it. */
export async function planFileText(
  { seal: _, ...plan }: PlanView,
  { madeFrom, secrets, lease, place }: PlanOrigin,
): Promise<string> {
  const expires = new Date(Date.parse(plan.made_at) + validForMs).toISOString()
  const content = {
    ...plan,
    lease,
    expires,
    inventory: await inventoryDigests(madeFrom, createDigester(secrets?.bundle.cluster), place),
  }
  const seal = secrets === undefined ? null : sealOf(content, secrets)
  return `${JSON.stringify({ ...content, seal }, null, 2)}\n`
}

/** Read before anything else, so that a wrong file is reported at once. */
export async function readApproved(file: string, { cwd }: { readonly cwd: string }): Promise<ApprovedPlan> {
  const where = resolve(cwd, file)
  const fix = 'Give the file that ichor plan --out FILE wrote.'
  let content: unknown
  try {
    content = JSON.parse(await readFile(where, 'utf8'))
  } catch (cause) {
    throw new FileError('The plan cannot be read.', { where, fix, cause })
  }
  if (isEarlier(content)) {
    throw earlierPlan.refuse('This plan was created by an earlier ichor.', {
      subject: { kind: 'object', name: file },
      where,
      fix: newPlan(file),
    })
  }
  const parsed = planFile.safeParse(content)
  if (!parsed.success) throw new FileError('The file holds no plan.', { where, fix })
  return { ...parsed.data, file: where, named: file }
}

function isEarlier(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'version' in content && content.version === 1
}

/** An approval is valid with a correct seal; an unsealed one only while there are no secrets. */
export function refuseUnsealed(approved: ApprovedPlan, secrets: SecretsFile | undefined): void {
  const { file, named, seal, ...content } = approved
  if (secrets === undefined ? seal === null : seal !== null && isSame(seal, sealOf(content, secrets))) return
  throw unsealedPlan.refuse(
    seal === null
      ? 'This plan was created before the cluster had secrets, so it has no seal.'
      : 'This plan was modified, or belongs to another cluster: its seal is invalid.',
    { subject: { kind: 'object', name: named }, where: file, fix: newPlan(named) },
  )
}

/** An old approval may have been given for a reason that is gone. */
export function refuseExpired({ expires, file, named }: ApprovedPlan, now: number): void {
  if (Date.parse(expires) > now) return
  throw expiredApproval.refuse(`This plan expired at ${expires}.`, {
    subject: { kind: 'object', name: named },
    where: file,
    fix: newPlan(named),
  })
}

/**
 * Under the lease, before the first change: writes down that it is used now. A plan from before the secrets has no place
 * for that, and is refused as soon as there are secrets.
 */
export async function useOnce(
  approved: ApprovedPlan,
  lease: Pick<Lease, 'number' | 'ledger' | 'rememberLedger'>,
  secrets: SecretsFile | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (approved.seal === null || secrets === undefined) return
  const { cluster } = secrets.bundle
  const ledger = readLedger(lease.ledger, cluster)
  const id = createHash('sha256').update(approved.seal).digest('hex').slice(0, 16)
  const why =
    ledger === 'forged'
      ? 'The note of the lease was changed by another program, so it is not known whether this plan was used.'
      : id in ledger.used
        ? 'This plan was carried out already.'
        : approved.lease >= lease.number
          ? 'This plan is of an earlier life of this cluster: its leases have begun again since.'
          : undefined
  if (why !== undefined || ledger === 'forged') {
    throw usedApproval.refuse(why ?? '', {
      subject: { kind: 'object', name: approved.named },
      where: approved.file,
      fix: newPlan(approved.named),
    })
  }
  const used = { ...ledger.used, [id]: Math.ceil(Date.parse(approved.expires) / 1000) }
  await lease.rememberLedger(writeLedger({ ...ledger, used }, cluster, Date.now()), signal)
}

/** An approval covers exactly the inventory that the plan was made from. */
export function refuseChangedInventory({ inventory, file, named }: ApprovedPlan, now: InventoryDigests): void {
  const changed = changedKeys(inventory, now)
  if (changed.length === 0) return
  throw changedInventory.refuse(`The inventory has changed since this plan was created: ${changed.join(', ')}.`, {
    subject: { kind: 'object', name: named },
    where: file,
    fix: newPlan(named),
  })
}

/** An approval covers exactly the approved plan: other steps, content or losses are refused. */
export function refuseMovedWorld(approved: ApprovedPlan, plan: Plan, isPartial: boolean): void {
  const known = new Map<string, StepIdentity[]>()
  for (const step of approved.steps) known.set(step.id, [...(known.get(step.id) ?? []), step])
  const surprises = plan.steps.filter(
    (step) => !(known.get(step.id) ?? []).some((identity) => sameStep(identity, step, plan.digester)),
  )
  const planned = new Set(plan.steps.map(({ id }) => id))
  const gone = isPartial ? [] : approved.steps.filter(({ id }) => !planned.has(id))
  const isCovered = surprises.length === 0 && (isPartial || plan.steps.length === approved.steps.length)
  if (approved.cluster === plan.cluster && isCovered) return
  const differences = [
    ...(surprises.length === 0 ? [] : [`not approved: ${titlesOf(surprises)}`]),
    ...(gone.length === 0 ? [] : [`no longer needed: ${titlesOf(gone)}`]),
  ]
  const why = differences.length === 0 ? 'the cluster has changed' : differences.join('; ')
  throw changedCluster.refuse(`The plan is out of date: ${why}.`, {
    subject: { kind: 'object', name: approved.named },
    where: approved.file,
    fix: newPlan(approved.named),
  })
}

const maxTitles = 5

function titlesOf(steps: readonly { readonly title: string }[]): string {
  const titles = steps.slice(0, maxTitles).map(({ title }) => `"${title}"`)
  return [...titles, ...(steps.length > maxTitles ? [`${steps.length - maxTitles} more`] : [])].join(', ')
}

function newPlan(named: string): string {
  return `Create a new plan with ichor plan --out ${/\s/.test(named) ? `'${named}'` : named} and have it approved.`
}

function sealOf(content: object, { bundle }: SecretsFile): string {
  const key = Buffer.from(hkdfSync('sha256', bundle.cluster.secret, bundle.cluster.id, 'ichor plan file v1', 32))
  return `v1:${createHmac('sha256', key).update(canonicalJson(content)).digest('base64url')}`
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
