import type { KubernetesObject } from '../../kubernetes/port.js'
import type { AddonContext } from '../addon.js'

/** The `config` value of both Proxmox charts: the endpoint and credentials of Proxmox. */
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

const caName = 'proxmox-ca'

/** A private CA of the site, which the controllers trust as ichor does. Empty if the inventory has none. */
export function proxmoxAuthority(
  { secrets }: AddonContext,
  namespace: string,
): {
  readonly before: readonly KubernetesObject[]
  readonly values: object
} {
  const pem = secrets['proxmox.ca']
  if (pem === undefined) return { before: [], values: {} }
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: caName, namespace }, data: { 'ca.crt': pem } }
  return {
    before: [map],
    values: {
      extraVolumes: [{ name: caName, configMap: { name: caName } }],
      extraVolumeMounts: [
        { name: caName, mountPath: '/etc/ssl/certs/ca-certificates.crt', subPath: 'ca.crt', readOnly: true },
      ],
    },
  }
}

const controlPlane = 'node-role.kubernetes.io/control-plane'

/** Proxmox controllers run on control planes and tolerate their taints. */
export const onControlPlanes = {
  nodeSelector: { [controlPlane]: '' },
  tolerations: [
    { key: controlPlane, operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists', effect: 'NoSchedule' },
  ],
}
