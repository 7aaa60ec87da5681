import type { AddonContext } from './addon.js'

/** The `config` value that both Proxmox charts take: where Proxmox is, and who asks. */
export function proxmoxConfig({ proxmox, secrets }: AddonContext, addon: string): object {
  return {
    clusters: [
      {
        url: `${proxmox.endpoint}/api2/json`,
        insecure: proxmox.insecure,
        token_id: secrets[`${addon}.token_id`] ?? '',
        token_secret: secrets[`${addon}.token_secret`] ?? '',
        region: proxmox.region,
      },
    ],
  }
}

const controlPlane = 'node-role.kubernetes.io/control-plane'

/** Controllers of Proxmox run beside the control plane, whatever keeps other pods away. */
export const onControlPlanes = {
  nodeSelector: { [controlPlane]: '' },
  tolerations: [
    { key: controlPlane, operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists', effect: 'NoSchedule' },
  ],
}
