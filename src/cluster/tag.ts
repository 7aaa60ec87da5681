/** The tag that every machine of a cluster carries on Proxmox, beside `ichor`. */
export function clusterTag(clusterName: string): string {
  return `ichor-${clusterName}`
}
