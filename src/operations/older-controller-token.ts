import { ifSeen } from '../cluster/seen.js'
import { reasonOf } from '../errors.js'
import { survey } from './reconcile.js'
import type { Session } from './session.js'
import { specOf } from './spec/spec-of.js'

const then = 'then ichor access removes it'

/**
 * Why the cluster may still use an older token of this addon's controller. The record in the cluster shows what was
 * installed last, and is written once that is healthy. If it cannot be read, the token may be in use.
 */
export async function olderControllerToken(
  addon: string,
  session: Session,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { world } = session
  const file = await world.secrets.find()
  if (file === undefined) return undefined
  try {
    const spec = await specOf(session)
    const { observed } = await survey({ spec, world, signal })
    const isBuilt = file.memory.bootstrapped || observed.machines.length + observed.unverified.length > 0
    if (!isBuilt) return undefined
    const installed = ifSeen(observed.kubernetes)?.addons.find(({ name }) => name === addon)
    if (!observed.kubernetes.seen) return `whether the cluster uses it cannot be seen (${observed.kubernetes.why})`
    if (installed === undefined) return undefined
    if (installed.managedBy === 'gitops')
      return `${addon} is managed by GitOps: set the new token there, and remove the old one manually`
    const wanted = spec.addons.find(({ name }) => name === addon)
    return installed.spec === wanted?.hash ? undefined : `${addon} uses it until ichor up; ${then}`
  } catch (thrown) {
    return `whether the cluster uses it cannot be seen (${reasonOf(thrown)})`
  }
}
