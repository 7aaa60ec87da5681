import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '../cluster/canonical.js'
import { FileError } from '../errors.js'
import type { PlanView } from '../events/plan-view.js'
import { changedCluster, changedInventory, earlierPlan, unsealedPlan } from '../findings/refusals/runs.js'
import { createDigester } from '../plan/digest.js'
import type { Plan } from '../plan/plan.js'
import { type StepIdentity, sameStep } from '../plan/step-identity.js'
import type { SecretsFile } from '../secrets/bundle.js'
import { changedKeys, type InventoryDigests, inventoryDigests } from './approved-inventory.js'

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
  goal: z.enum(['up', 'destroy']),
  cluster_id: z.string().nullable(),
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

/** The plan as a file: with what it was made from, and a seal over all of it. */
export async function planFileText(
  { seal: _, ...plan }: PlanView,
  madeFrom: Parameters<typeof inventoryDigests>[0],
  secrets: SecretsFile | undefined,
): Promise<string> {
  const content = { ...plan, inventory: await inventoryDigests(madeFrom, createDigester(secrets?.bundle.cluster)) }
  const seal = secrets === undefined ? null : sealOf(content, secrets)
  return `${JSON.stringify({ ...content, seal }, null, 2)}\n`
}

/** Read before anything else, so that a wrong file is reported at once. */
export async function readApproved(file: string, { cwd }: { readonly cwd: string }): Promise<ApprovedPlan> {
  const where = resolve(cwd, file)
  const fix = 'Give the file that ichor plan --out wrote.'
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
  const surprise = plan.steps.find(
    (step) => !(known.get(step.id) ?? []).some((identity) => sameStep(identity, step, plan.digester)),
  )
  const isCovered = surprise === undefined && (isPartial || plan.steps.length === approved.steps.length)
  if (approved.cluster === plan.cluster && isCovered) return
  throw changedCluster.refuse(
    surprise === undefined
      ? 'The plan is out of date: the cluster has changed, and other steps are needed now.'
      : `The plan no longer fits: "${surprise.title}" is not what was approved.`,
    { subject: { kind: 'object', name: approved.named }, where: approved.file, fix: newPlan(approved.named) },
  )
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
