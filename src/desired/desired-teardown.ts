import { clusterTag } from '../cluster/tag.js'
import type { Observed } from '../observe/observed.js'
import { identityOf } from './cluster-identity.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { Desired } from './desired.js'
import { contractOf } from './talos-machine.js'

/** The desired state of `destroy`: the cluster by name, and none of its objects. Needs no space, images or secrets. */
export function desiredTeardown(spec: ClusterSpec, { machines, templates }: Observed): Desired {
  const { settings, machines: wanted } = spec.inventory
  const [marked] = [...machines, ...templates]
  const lost = marked === undefined ? {} : { id: marked.mark.cluster }
  return {
    cluster: {
      name: settings.cluster_name,
      ...(spec.secrets === undefined ? lost : identityOf(spec)),
      pool: settings.proxmox.pool,
      tags: [clusterTag(settings.cluster_name)],
      talosVersion: settings.talos_version,
      kubernetesVersion: settings.kubernetes_version,
      target: { talos: settings.talos_version, kubernetes: settings.kubernetes_version },
      contract: contractOf(spec),
      boot: settings.talos.boot,
      delivery: settings.talos.delivery,
      fullClones: settings.talos.full_clone,
      bootstrapMachine: '',
      hasNetwork: false,
      intent: {},
      protect: settings.protect === true || wanted.filter(({ isProtected }) => isProtected).map(({ name }) => name),
      until: spec.until,
    },
    machines: [],
    away: [],
    guestsToMake: [],
    images: [],
    templates: [],
    addons: [],
    contentToEnable: [],
  }
}
