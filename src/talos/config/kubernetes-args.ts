import type { TalosCluster, TalosMachine } from './talos-machine.js'

/** Extra arguments of the kubelet: the user's, feature gates, and rotation of serving certificates. */
export function kubeletArgs({ kubelet, cluster }: TalosMachine): Readonly<Record<string, string>> {
  return {
    ...featureGateArgs(cluster),
    ...(kubelet.rotateServerCertificates ? { 'rotate-server-certificates': 'true' } : {}),
    ...kubelet.extraArgs,
  }
}

/** `feature-gates` for the kubelet and the control plane components; `undefined` if there are none. */
export function featureGateArgs({ featureGates }: TalosCluster): Readonly<Record<string, string>> {
  const gates = Object.keys(featureGates).sort()
  if (gates.length === 0) return {}
  return { 'feature-gates': gates.map((gate) => `${gate}=${featureGates[gate]}`).join(',') }
}
