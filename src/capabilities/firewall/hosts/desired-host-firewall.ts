import { clusterMarkId } from '../../../cluster/identity.js'
import { groupComment } from '../../../cluster/tag.js'
import type { ClusterSpec } from '../../../desired/cluster-spec.js'
import type { Desired } from '../../../desired/desired.js'

/** The datacenter firewall and its hosts, if the inventory enables it. */
export function hostFirewallOf({ inventory, secrets }: ClusterSpec): Pick<Desired, 'hostFirewall'> {
  const { firewall, cluster_name } = inventory.settings
  if (!firewall.enabled || !firewall.hosts) return {}
  const id = secrets === undefined ? '' : clusterMarkId(secrets.bundle.cluster.id)
  return {
    hostFirewall: {
      comment: groupComment(cluster_name, id),
      admins: firewall.admin_networks,
      trialMs: firewall.trial,
    },
  }
}
