/** The minor version of `v1.13.9` is 13. */
export function minorOf(version: string): number {
  return Number(/^v?\d+\.(\d+)/.exec(version)?.[1] ?? 0)
}

/** The Kubernetes minor versions that a Talos accepts, inclusive. */
export function kubernetesRange(talos: string): { readonly from: number; readonly to: number } {
  const to = minorOf(talos) + 23
  return { from: to - 5, to }
}
