import type { ClusterSpec } from '../desired/cluster-spec.js'
import { reasonOf } from '../errors.js'
import type { Plan } from '../plan/plan.js'
import type { FactoryPort } from '../talos/image/port.js'
import { fetchDigest } from './fetch-digest.js'
import { describeDifference, type LockDifference, lockDifferences, refuseOtherBits } from './refuse-other-bits.js'
import { type Bit, wantedBits } from './wanted-bits.js'

export interface LockCheck {
  readonly spec: Pick<ClusterSpec, 'inventory' | 'addons' | 'locked'>
  readonly plan: Pick<Plan, 'steps'>
  readonly factory: FactoryPort
  readonly isLab: boolean
  readonly signal: AbortSignal
}

/**
 * Before a run starts: everything it uses must be in the lock file, and what it will install must have the locked
 * digest. Proxmox compares boot images when it has them. Does nothing without a lock file.
 */
export async function checkLock(check: LockCheck): Promise<void> {
  refuseOtherBits(await findDifferences(check), lockName(check))
}

/** The same for a plan that is only shown: what would be refused, in words. */
export async function lockDeviations(check: LockCheck): Promise<string[]> {
  try {
    const serious = (await findDifferences(check)).filter(({ difference }) => difference !== 'unused')
    return serious.map((one) => `${describeDifference(one)} Applying this plan is refused (${lockName(check)}).`)
  } catch (thrown) {
    check.signal.throwIfAborted()
    return [`The lock file could not be checked: ${reasonOf(thrown)}`]
  }
}

async function findDifferences({ spec, plan, factory, isLab, signal }: LockCheck): Promise<LockDifference[]> {
  if (spec.locked === undefined || plan.steps.every(({ changes }) => !changes)) return []
  const wanted = wantedBits(spec, isLab)
  const used = wanted.filter((bit) => isUsed(bit, plan))
  return lockDifferences(wanted, spec.locked, await digestsOf(used, factory, signal))
}

function lockName({ isLab }: LockCheck): string {
  return isLab ? 'ichor.lab.lock.yaml' : 'ichor.lock.yaml'
}

/** The current digests. */
export async function digestsOf(
  bits: readonly Bit[],
  factory: FactoryPort,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const digests = bits.map(async (bit) => [bit.name, await fetchDigest(bit, factory, signal)] as const)
  return new Map(await Promise.all(digests))
}

const installing = ['fill-machine', 'install-talos', 'upgrade-machine']

function isUsed(bit: Bit, { steps }: Pick<Plan, 'steps'>): boolean {
  if (bit.kind === 'images') return false
  if (bit.kind === 'installers') return steps.some(({ kind }) => installing.includes(kind))
  return steps.some(({ kind, args }) => kind === 'install-addon' && args.addon === bit.addon)
}
