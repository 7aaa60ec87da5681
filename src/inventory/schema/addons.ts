import { z } from 'zod'
import { port, secret, storageName } from './values.js'

const common = {
  version: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Version of chart or manifest. Default: the one that this ichor was tried with.'),
  namespace: z.string().min(1).exactOptional().describe('Namespace.'),
  values: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Helm values, merged over those that Talos and Proxmox need.'),
  managed_by: z.enum(['ichor', 'gitops']).default('ichor').describe('`gitops`: installed once, then only watched.'),
  delivery: z
    .enum(['job', 'inline', 'helm'])
    .default('job')
    .describe(
      '`job`: by helm inside the cluster. `inline`: in the Talos config at first boot. `helm`: by the helm of this computer.',
    ),
}

const git = {
  repository: z.string().min(1).exactOptional().describe('Git repository.'),
  branch: z.string().min(1).default('main').describe('Branch.'),
  path: z.string().min(1).default('.').describe('Folder in the repository.'),
  key: secret.exactOptional().describe('Private key or token for the repository, by reference.'),
}

const ingress = {
  host_ports: z
    .array(port)
    .default([])
    .describe('Ports of the nodes on which it listens, where there is no load balancer.'),
}

/** An addon of the catalogue: `true`, or a mapping of options. */
function addon<Options extends z.ZodRawShape>(what: string, options: Options) {
  const mapping = z.strictObject({ ...common, ...options })
  return z
    .union([z.boolean(), mapping])
    .transform((value) => {
      if (value === false) return undefined
      return value === true ? (mapping.parse({}) as z.output<typeof mapping>) : value
    })
    .exactOptional()
    .describe(what)
}

const chart = z.strictObject({
  repository: z.string().min(1).describe('Helm repository or `oci://` address.'),
  name: z.string().min(1).describe('Name of the chart.'),
  version: z.string().min(1).describe('Version of the chart.'),
})

/** Something that is not in the catalogue: one of chart, manifests, inline or kustomize. */
const custom = z
  .strictObject({
    name: z.string().min(1).describe('Name, for plan, status and health.'),
    namespace: z.string().min(1).default('default').describe('Namespace.'),
    chart: chart.exactOptional().describe('A Helm chart.'),
    values: z.record(z.string(), z.unknown()).default({}).describe('Values of the chart.'),
    manifests: z.array(z.string().min(1)).exactOptional().describe('Addresses or paths of manifests.'),
    inline: z.string().min(1).exactOptional().describe('Manifests in place.'),
    kustomize: z.string().min(1).exactOptional().describe('Path of the output of Kustomize.'),
    after: z.array(z.string().min(1)).default([]).describe('Addons that must be healthy first.'),
    managed_by: common.managed_by,
    delivery: common.delivery,
  })
  .refine((value) => [value.chart, value.manifests, value.inline, value.kustomize].filter(Boolean).length === 1, {
    error: 'needs exactly one of chart, manifests, inline and kustomize',
    params: { fix: 'Keep one of chart, manifests, inline and kustomize.' },
  })
  .describe('Any other chart or manifest.')

/** What is installed into the cluster. */
export const addons = z
  .strictObject({
    cilium: addon('Network by Cilium, in place of flannel and kube-proxy.', {
      kube_proxy_replacement: z.boolean().default(true).describe('Cilium does the work of kube-proxy.'),
      hubble: z.boolean().default(false).describe('Hubble relay and interface.'),
    }),
    flannel: addon('Network by flannel, as Talos brings it.', {}),
    metallb: addon('Load balancer for `network.load_balancer`.', {}),
    proxmox_ccm: addon('Proxmox cloud controller manager.', {}),
    proxmox_csi: addon('Volumes on Proxmox storages.', {
      datastore: storageName.exactOptional().describe('Storage of the volumes. Default: `proxmox.datastore`.'),
      storage_class: z.string().min(1).default('proxmox').describe('Name of the StorageClass.'),
      default_class: z.boolean().default(true).describe('It is the default StorageClass.'),
    }),
    longhorn: addon('Volumes replicated over the disks of the nodes.', {
      volume: z.string().min(1).default('longhorn').describe('User volume (see `disks`) that holds the data.'),
      replicas: z.int().min(1).max(10).default(2).describe('Copies of each volume.'),
    }),
    metrics_server: addon('Metrics for `kubectl top` and autoscaling, with kubelet serving certificates.', {}),
    traefik: addon('Ingress by Traefik.', ingress),
    ingress_nginx: addon('Ingress by ingress-nginx.', ingress),
    cert_manager: addon('Certificates by cert-manager.', {}),
    prometheus_crds: addon('Custom resources of the Prometheus Operator alone.', {}),
    kube_prometheus_stack: addon('Monitoring by Prometheus and Grafana.', {}),
    victoria_metrics: addon('Monitoring by VictoriaMetrics.', {}),
    loki: addon('Logs by Loki.', {}),
    flux: addon('GitOps by Flux.', git),
    argocd: addon('GitOps by Argo CD, with an app of apps.', git),
    network_policies: addon('Default-deny NetworkPolicies.', {
      namespaces: z.array(z.string().min(1)).default(['default']).describe('Namespaces that are closed.'),
    }),
    custom: z.array(custom).default([]).describe('Any other chart or manifest.'),
  })
  .prefault({})
  .describe('What is installed into the cluster.')
