import type { ClusterSpec } from '../desired/cluster-spec.js'
import { reasonOf } from '../errors.js'
import type { Finding } from '../findings/finding.js'
import { otherArtifact, uncheckedLock } from '../findings/notes/versions.js'
import type { Plan } from '../plan/plan.js'
import type { FactoryPort } from '../talos/image/port.js'
import { fetchDigest } from './fetch-digest.js'
import {
  describeDifference,
  type LockDifference,
  lockDifferences,
  refuseChangedArtifacts,
} from './refuse-changed-artifacts.js'
import { type Artifact, wantedArtifacts } from './wanted-artifacts.js'

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
  refuseChangedArtifacts(await findDifferences(check), lockName(check))
}

/** The same for a plan that is only shown: what would be refused. */
export async function lockDeviations(check: LockCheck): Promise<Finding[]> {
  const subject = { kind: 'inventory', name: lockName(check) } as const
  try {
    const serious = (await findDifferences(check)).filter(({ difference }) => difference !== 'unused')
    return serious.map((one) =>
      otherArtifact.note(`${describeDifference(one)} Applying this plan is refused (${lockName(check)}).`, { subject }),
    )
  } catch (thrown) {
    check.signal.throwIfAborted()
    return [uncheckedLock.note(`The lock file could not be checked: ${reasonOf(thrown)}`, { subject })]
  }
}

async function findDifferences({ spec, plan, factory, isLab, signal }: LockCheck): Promise<LockDifference[]> {
  if (spec.locked === undefined || plan.steps.every(({ changes }) => !changes)) return []
  const wanted = wantedArtifacts(spec, isLab)
  const used = wanted.filter((artifact) => isUsed(artifact, plan))
  return lockDifferences(wanted, spec.locked, await digestsOf(used, factory, signal))
}

function lockName({ isLab }: LockCheck): string {
  return isLab ? 'ichor.lab.lock.yaml' : 'ichor.lock.yaml'
}

/** The current digests. */
export async function digestsOf(
  artifacts: readonly Artifact[],
  factory: FactoryPort,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const digests = artifacts.map(
    async (artifact) => [artifact.name, await fetchDigest(artifact, factory, signal)] as const,
  )
  return new Map(await Promise.all(digests))
}

function isUsed(artifact: Artifact, { steps }: Pick<Plan, 'steps'>): boolean {
  if (artifact.kind === 'images') return false
  if (artifact.kind === 'installers') return steps.some(({ installs }) => installs === 'talos')
  return steps.some(({ installs, args }) => installs === 'addon' && args.addon === artifact.addon)
}
