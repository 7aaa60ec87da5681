/** The tag that every machine of a cluster carries on Proxmox, beside `ichor`. */
export function clusterTag(clusterName: string): string {
  return `ichor-${clusterName}`
}

/** How what belongs to a cluster and has no tags (backup jobs, HA resources and rules) says so in Proxmox. */
export function clusterComment(clusterName: string): string {
  return `ichor: ${clusterName}`
}

/** As `clusterComment`, with the id of the cluster: another cluster may have the same name. */
export function groupComment(clusterName: string, id: string): string {
  return `${clusterComment(clusterName)} ${id}`
}
