import type { Addon } from './addon.js'
import { argocd } from './argocd.js'
import { certManager } from './cert-manager.js'
import { cilium } from './cilium.js'
import { flannel } from './flannel.js'
import { flux } from './flux.js'
import { ingressNginx } from './ingress-nginx.js'
import { kubePrometheusStack } from './kube-prometheus-stack.js'
import { kubeletCsrApprover } from './kubelet-csr-approver.js'
import { loki } from './loki.js'
import { longhorn } from './longhorn.js'
import { metallb } from './metallb.js'
import { metricsServer } from './metrics-server.js'
import { networkPolicies } from './network-policies.js'
import { prometheusCrds } from './prometheus-crds.js'
import { proxmoxCcm } from './proxmox-ccm.js'
import { proxmoxCsi } from './proxmox-csi.js'
import { traefik } from './traefik.js'
import { vector } from './vector.js'
import { victoriaMetrics } from './victoria-metrics.js'

/** All addons that ichor knows by name: a new one is a file and a line here. */
const known = [
  cilium,
  flannel,
  kubeletCsrApprover,
  metallb,
  proxmoxCcm,
  proxmoxCsi,
  longhorn,
  metricsServer,
  traefik,
  ingressNginx,
  certManager,
  prometheusCrds,
  kubePrometheusStack,
  victoriaMetrics,
  loki,
  vector,
  flux,
  argocd,
  networkPolicies,
] as const

export type KnownAddon = (typeof known)[number]

export const catalogue: readonly Addon[] = known

export function findAddon(name: string): Addon | undefined {
  return catalogue.find((addon) => addon.name === name)
}
