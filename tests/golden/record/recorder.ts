import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { ClusterSpec } from '../../../src/desired/cluster-spec.js'
import type { Desired, DesiredRestore } from '../../../src/desired/desired.js'
import { PlanRefused, reasonOf } from '../../../src/errors.js'
import type { Examined } from '../../../src/inventory/examine.js'
import type { InventoryFiles } from '../../../src/inventory/files.js'
import type { Inventory } from '../../../src/inventory/inventory.js'
import type { Observed } from '../../../src/observe/observed.js'
import type { PlannedStep } from '../../../src/plan/plan.js'
import type { UpgradeLimit } from '../../../src/plan/upgrade/limit-upgrade.js'
import type { SecretsFile } from '../../../src/secrets/bundle.js'
import { encode } from '../encode.js'
import type { GoalName } from '../golden-case.js'

interface Origin {
  readonly goal: GoalName
  readonly spec: ClusterSpec
  readonly observed: Observed
  readonly cluster: Desired['cluster']
  readonly restore?: DesiredRestore
}

interface ObserveScope extends Omit<Origin, 'cluster'> {
  /** What the plan was shown on, before the user agreed to it. */
  readonly shownOn?: Observed
}

interface Limits {
  readonly target?: readonly string[]
  readonly limit?: UpgradeLimit
}

const folder = process.env.ICHOR_RECORD_GOLDEN

/** Where the parts of a question to the planner came from, and the file of all questions. */
class Recorder {
  private readonly sources = new WeakMap<Inventory['where'], { files: InventoryFiles; inventory: Inventory }>()
  private readonly files = new WeakMap<SecretsFile, SecretsFile>()
  private readonly origins = new WeakMap<object, Origin>()
  private readonly questions = new WeakMap<readonly PlannedStep[], { goal: GoalName; origin: ObserveScope }>()
  private readonly known = new Set<string>()
  private limits: Limits = {}
  private isPredicting = false

  examined(files: InventoryFiles, result: Examined): Examined {
    if (result.inventory !== undefined) this.sources.set(result.inventory.where, { files, inventory: result.inventory })
    return result
  }

  predicted(from: SecretsFile, to: SecretsFile): SecretsFile {
    if (from !== to) this.files.set(to, this.files.get(from) ?? from)
    return to
  }

  resolved(goal: Origin['goal'], spec: ClusterSpec, observed: Observed, resolve: () => Desired): Desired {
    try {
      const desired = resolve()
      this.origins.set(desired.machines, { goal, spec, observed, cluster: desired.cluster })
      return desired
    } catch (thrown) {
      if (thrown instanceof PlanRefused) this.write(goal, { goal, spec, observed }, thrown)
      throw thrown
    }
  }

  restoring(from: Desired, restore: DesiredRestore, to: Desired): Desired {
    const origin = this.origins.get(from.machines)
    if (origin !== undefined) this.origins.set(from.machines, { ...origin, restore, cluster: to.cluster })
    return to
  }

  within<T>(limits: Limits, plan: () => T): T {
    const before = this.limits
    this.limits = { ...before, ...limits }
    try {
      return plan()
    } finally {
      this.limits = before
    }
  }

  predicting<T>(plan: () => T): T {
    const before = this.isPredicting
    this.isPredicting = true
    try {
      return plan()
    } finally {
      this.isPredicting = before
    }
  }

  planned(
    goal: GoalName,
    desired: Desired,
    observed: Observed,
    round: number,
    plan: () => readonly PlannedStep[],
  ): readonly PlannedStep[] {
    const origin = this.origins.get(desired.machines)
    const isOwn = origin !== undefined && isDeepStrictEqual(origin.cluster, desired.cluster)
    const isWanted = isOwn && !(this.isPredicting && round > 1)
    try {
      const steps = plan()
      if (isOwn) this.questions.set(steps, { goal, origin: { ...origin, observed } })
      if (isWanted) this.write(goal, { ...origin, observed }, steps)
      return steps
    } catch (thrown) {
      if (isWanted && thrown instanceof PlanRefused) this.write(goal, { ...origin, observed }, thrown)
      throw thrown
    }
  }

  /** Only where it is refused: elsewhere the steps are those that were shown. */
  consenting(shownOn: Observed, steps: readonly PlannedStep[], consent: () => void): void {
    try {
      consent()
    } catch (thrown) {
      const question = this.questions.get(steps)
      if (thrown instanceof PlanRefused && question !== undefined)
        this.write(question.goal, { ...question.origin, shownOn }, thrown)
      throw thrown
    }
  }

  private write(goal: GoalName, origin: ObserveScope, result: readonly PlannedStep[] | PlanRefused): void {
    if (folder === undefined) return
    const signature = signatureOf([goal, this.limits], result)
    if (this.known.has(signature)) return
    this.known.add(signature)
    const { testPath = '', currentTestName = '' } = expect.getState()
    const from = `${testPath.replace(/^.*?\/((src|tests)\/)/, '$1')}: ${currentTestName}`
    mkdirSync(folder, { recursive: true })
    try {
      const line = JSON.stringify({ from, signature, case: this.caseOf(goal, origin) })
      appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`)
    } catch (thrown) {
      appendFileSync(join(folder, `${process.pid}.skipped`), `${from}: ${reasonOf(thrown)}\n`)
    }
  }

  private caseOf(goal: GoalName, { spec, observed, restore, shownOn }: ObserveScope): unknown {
    const { inventory, secrets, ...rest } = spec
    const source = this.sources.get(inventory.where)
    if (source === undefined) throw new Error('the inventory was not examined here')
    const file = secrets === undefined ? undefined : (this.files.get(secrets) ?? secrets)
    return {
      goal,
      ...this.limits,
      ...(restore === undefined ? {} : { restore: encode(restore, 'restore') }),
      inventory: source.files,
      environment: inventory.environment,
      settings: changesBetween(source.inventory.settings, inventory.settings),
      isOther: !isDeepStrictEqual(source.inventory.machines, inventory.machines),
      secrets: encode(file, 'secrets'),
      ...(encode(rest, 'spec') as object),
      observed: encode(observed, 'observed'),
      ...(shownOn === undefined ? {} : { shownOn: encode(shownOn, 'shownOn') }),
    }
  }
}

/** Two questions with the same signature are answered alike. */
function signatureOf(question: unknown, result: readonly PlannedStep[] | PlanRefused): string {
  const words = result instanceof PlanRefused ? [result.message] : result.map(({ id, reason }) => `${id} ${reason}`)
  const text = JSON.stringify([question, ...words]).replaceAll(/\b\d+(\.\d+)+\b|[0-9a-f]{8,}/g, 'N')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** By path, the settings that were changed after the inventory was read. */
function changesBetween(one: unknown, other: unknown, path: readonly string[] = []): [string[], unknown][] {
  if (isDeepStrictEqual(one, other)) return []
  if (!isPlain(one) || !isPlain(other)) return [[[...path], encode(other)]]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => changesBetween(one[key], other[key], [...path, key]))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const recorder = new Recorder()
