import { clusterMarkId } from '../cluster/identity.js'
import { groupComment } from '../cluster/tag.js'
import { firewallPolicy } from '../firewall/policy.js'
import { proxmoxGroup } from '../firewall/proxmox-group.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { Desired } from './desired.js'

/** Groups say whose they are, which the secrets know. */
export function vmFirewallOf({ inventory, secrets }: ClusterSpec): Pick<Desired, 'vmFirewall'> {
  const { settings } = inventory
  const { enabled, proxmox, trial } = settings.firewall
  if (!enabled || !proxmox || secrets === undefined) return {}
  const comment = groupComment(settings.cluster_name, clusterMarkId(secrets.bundle.cluster.id))
  const controlplane = proxmoxGroup(firewallPolicy(settings, 'controlplane'), comment)
  const worker = proxmoxGroup(firewallPolicy(settings, 'worker'), comment)
  return { vmFirewall: { groups: { controlplane, worker }, trialMs: trial } }
}
