import { defineAddon, rollout } from '../addon.js'

export const flannel = defineAddon({
  name: 'flannel',
  title: 'Flannel',
  summary: 'Network by flannel, as Talos ships it.',
  tried: 'no-chart',
  version: 'talos',
  namespace: 'kube-system',
  machines: () => ({ cni: 'flannel' }),
  install: () => ({ source: { kind: 'manifests', objects: [] } }),
  checks: () => [rollout('DaemonSet', 'kube-system', 'kube-flannel')],
})
