import type { Outcome } from '../events/event.js'
import { clusterMayExist } from '../findings/refusals/secrets.js'
import type { SecretsPort } from '../world.js'
import { confirmName } from './confirm-name.js'
import type { Context } from './frame/context.js'

/**
 * After `destroy --with-secrets`. If nothing of the cluster was found, the user has not been asked yet, and the cluster
 * may be on another Proxmox. Returns `false` if the user declines.
 */
export async function removeSecrets(
  { outcome, yes, cluster }: { readonly outcome: Outcome; readonly yes: boolean; readonly cluster: string },
  secrets: Pick<SecretsPort, 'find' | 'remove' | 'location'>,
  context: Context,
): Promise<boolean> {
  const file = outcome === 'nothing-to-do' ? await secrets.find() : undefined
  if (file?.memory.bootstrapped) {
    throw clusterMayExist.refuse(
      `No VM of ${cluster} was found on this Proxmox, but according to its secrets it still exists.`,
      {
        subject: { kind: 'cluster', name: cluster },
        where: secrets.location,
        fix: 'Check that proxmox.endpoint is the right one. If its machines were deleted manually, delete the secrets manually too.',
      },
    )
  }
  if (file !== undefined && !yes && !(await confirmName(cluster, context))) return false
  await secrets.remove()
  return true
}
