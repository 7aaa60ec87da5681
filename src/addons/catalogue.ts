import type { Addon } from './addon.js'
import { argocd } from './catalogue/argocd.js'
import { certManager } from './catalogue/cert-manager.js'
import { cilium } from './catalogue/cilium.js'
import { flannel } from './catalogue/flannel.js'
import { flux } from './catalogue/flux.js'
import { ingressNginx } from './catalogue/ingress-nginx.js'
import { kubePrometheusStack } from './catalogue/kube-prometheus-stack.js'
import { kubeletCsrApprover } from './catalogue/kubelet-csr-approver.js'
import { loki } from './catalogue/loki.js'
import { longhorn } from './catalogue/longhorn.js'
import { metallb } from './catalogue/metallb.js'
import { metricsServer } from './catalogue/metrics-server.js'
import { networkPolicies } from './catalogue/network-policies.js'
import { prometheusCrds } from './catalogue/prometheus-crds.js'
import { proxmoxCcm } from './catalogue/proxmox-ccm.js'
import { proxmoxCsi } from './catalogue/proxmox-csi.js'
import { traefik } from './catalogue/traefik.js'
import { vector } from './catalogue/vector.js'
import { victoriaMetrics } from './catalogue/victoria-metrics.js'

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
