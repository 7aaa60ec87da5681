/** The kubelet image of a Kubernetes version, `v1.36.3` or `1.36.3`. */
export function kubeletImage(version: string): string {
  return `ghcr.io/siderolabs/kubelet:${withV(version)}`
}

/** The image of a control plane component, or of kube-proxy, of a Kubernetes version. */
export function kubernetesImage(
  part: 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kube-proxy',
  version: string,
): string {
  return `registry.k8s.io/${part}:${withV(version)}`
}

function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`
}
