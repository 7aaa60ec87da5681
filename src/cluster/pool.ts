/** Whether a Proxmox pool is the one of the cluster, or inside it. */
export function isInPool(pool: string | undefined, cluster: string): boolean {
  return pool === cluster || (pool?.startsWith(`${cluster}/`) ?? false)
}
