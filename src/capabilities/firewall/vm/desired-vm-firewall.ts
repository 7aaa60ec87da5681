import { clusterMarkId } from '../../../cluster/identity.js'
import { groupComment } from '../../../cluster/tag.js'
import type { ClusterSpec } from '../../../desired/cluster-spec.js'
import type { Desired } from '../../../desired/desired.js'
import { firewallPolicy } from '../policy/policy.js'
import { proxmoxGroup } from '../policy/proxmox-group.js'

/**
 * Group comments contain the cluster ID, which only the secrets hold: before these exist, a plan shows them without it.
 */
export function vmFirewallOf({ inventory, secrets }: ClusterSpec): Pick<Desired, 'vmFirewall'> {
  const { settings } = inventory
  const { enabled, proxmox, trial } = settings.firewall
  if (!enabled || !proxmox) return {}
  const id = secrets === undefined ? '' : clusterMarkId(secrets.bundle.cluster.id)
  const comment = groupComment(settings.cluster_name, id)
  const controlplane = proxmoxGroup(firewallPolicy(settings, 'controlplane'), comment)
  const worker = proxmoxGroup(firewallPolicy(settings, 'worker'), comment)
  return { vmFirewall: { groups: { controlplane, worker }, trialMs: trial } }
}
