import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '../cluster/canonical.js'
import { clusterMarkId } from '../cluster/identity.js'
import { FileError, PlanRefused } from '../errors.js'
import type { Plan } from '../plan/plan.js'
import { type StepIdentity, sameStep } from '../plan/step-identity.js'
import type { planReport } from '../report/plan/plan-report.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { Context } from './frame/context.js'

const stepSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  digest: z.string().nullable(),
  pending: z.array(z.string()),
  loses: z.array(z.string()),
})

const planFile = z.looseObject({
  version: z.literal(1),
  cluster: z.string(),
  goal: z.enum(['up', 'destroy']),
  cluster_id: z.string().nullable(),
  /** The machines that the plan is limited to. */
  target: z.array(z.string()).nullable().default(null),
  steps: z.array(stepSchema),
  /** Proves that the writer had the cluster secrets; `null` before they existed. */
  seal: z.string().nullable(),
})

/** A plan written by `ichor plan --out` and approved. */
export type ApprovedPlan = z.infer<typeof planFile> & { readonly file: string }

/** The plan as a file: its target, what each step writes, and a seal over all of it. */
export function planFileText(
  report: ReturnType<typeof planReport>,
  { goal, target }: { readonly goal: 'up' | 'destroy'; readonly target: readonly string[] | null },
  secrets: SecretsFile | undefined,
  now: Date,
): string {
  const content = {
    ...report,
    goal,
    target,
    cluster_id: secrets === undefined ? null : clusterMarkId(secrets.bundle.cluster.id),
    made_at: now.toISOString(),
  }
  const seal = secrets === undefined ? null : sealOf(content, secrets)
  return `${JSON.stringify({ ...content, seal }, null, 2)}\n`
}

/** Read before anything else, so that a wrong file is reported at once. */
export async function readApproved(file: string, { cwd }: Context): Promise<ApprovedPlan> {
  const where = resolve(cwd, file)
  const fix = 'Give the file that ichor plan --out wrote.'
  let content: unknown
  try {
    content = JSON.parse(await readFile(where, 'utf8'))
  } catch (cause) {
    throw new FileError('The plan cannot be read.', { where, fix, cause })
  }
  const parsed = planFile.safeParse(content)
  if (!parsed.success) throw new FileError('The file holds no plan.', { where, fix })
  return { ...parsed.data, file: where }
}

/** An approval is valid with a correct seal; an unsealed one only while there are no secrets. */
export function refuseUnsealed({ file, ...approved }: ApprovedPlan, secrets: SecretsFile | undefined): void {
  const { seal, ...content } = approved
  if (secrets === undefined ? seal === null : seal !== null && isSame(seal, sealOf(content, secrets))) return
  throw new PlanRefused(
    seal === null
      ? 'This plan was created before the cluster had secrets, so it has no seal.'
      : 'This plan was modified, or belongs to another cluster: its seal is invalid.',
    { where: file, fix: 'Create a new plan with ichor plan --out and have it approved.' },
  )
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
  throw new PlanRefused(
    surprise === undefined
      ? 'The plan is out of date: the cluster has changed, and other steps are needed now.'
      : `The plan no longer fits: "${surprise.title}" is not what was approved.`,
    { where: approved.file, fix: 'Create a new plan with ichor plan --out and have it approved.' },
  )
}

function sealOf(content: object, { bundle }: SecretsFile): string {
  const key = Buffer.from(hkdfSync('sha256', bundle.cluster.secret, bundle.cluster.id, 'ichor plan file v1', 32))
  return `v1:${createHmac('sha256', key).update(canonicalJson(content)).digest('base64url')}`
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
