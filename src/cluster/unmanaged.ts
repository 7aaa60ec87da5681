/** Whether a node, or the etcd member of that hostname, is one that the inventory leaves to others. */
export function isUnmanaged(name: string, unmanaged: readonly string[]): boolean {
  return unmanaged.some((one) => one === name || firstLabel(one) === firstLabel(name))
}

/** etcd and Kubernetes may have it with and without its domain. */
function firstLabel(name: string): string {
  return name.split('.')[0] ?? name
}
