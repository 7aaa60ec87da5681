import type { PinnedDigests } from '../cluster/pinned-digests.js'
import { changedArtifact } from '../findings/refusals/versions.js'
import type { Artifact } from './wanted-artifacts.js'

export interface LockDifference {
  readonly kind: Artifact['kind']
  readonly name: string
  /** Not in the lock file; locked and no longer wanted; or with another digest. */
  readonly difference: 'unlocked' | 'unused' | 'changed'
}

/** How the lock file differs from what is wanted and from the current digests. */
export function lockDifferences(
  wanted: readonly Pick<Artifact, 'kind' | 'name'>[],
  locked: PinnedDigests,
  now: ReadonlyMap<string, string>,
): LockDifference[] {
  const missing = wanted.flatMap(({ kind, name }): LockDifference[] => {
    const pinned = locked[kind][name]
    if (pinned === undefined) return [{ kind, name, difference: 'unlocked' }]
    const found = now.get(name)
    return found === undefined || found === pinned ? [] : [{ kind, name, difference: 'changed' }]
  })
  const unused = (['images', 'installers', 'charts'] as const).flatMap((kind) =>
    Object.keys(locked[kind])
      .filter((name) => !wanted.some((one) => one.kind === kind && one.name === name))
      .map((name): LockDifference => ({ kind, name, difference: 'unused' })),
  )
  return [...missing, ...unused]
}

const words = {
  unlocked: 'is not in the lock file',
  unused: 'is in the lock file and not wanted any more',
  changed: 'does not match the lock file',
} as const

export function describeDifference({ name, difference }: LockDifference): string {
  return `${name} ${words[difference]}.`
}

/** Everything that a run uses must be locked; extra entries in the lock file do no harm. */
export function refuseChangedArtifacts(differences: readonly LockDifference[], where: string): void {
  const serious = differences.filter(({ difference }) => difference !== 'unused')
  if (serious.length === 0) return
  throw changedArtifact.refuse(serious.map(describeDifference).join(' '), {
    subject: { kind: 'inventory', name: where },
    where,
    fix: serious.some(({ difference }) => difference === 'changed')
      ? 'Find out who changed it: a published version does not change. If it is right, run ichor lock and commit the file.'
      : 'Run ichor lock and commit the file.',
  })
}
