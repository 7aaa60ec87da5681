/** The tag of every machine of a cluster on Proxmox, besides `ichor`. */
export function clusterTag(clusterName: string): string {
  return `ichor-${clusterName}`
}

/** The comment that marks objects without tags (backup jobs, HA resources and rules) as belonging to a cluster. */
export function clusterComment(clusterName: string): string {
  return `ichor: ${clusterName}`
}

/** Like `clusterComment`, with the ID of the cluster: another cluster may have the same name. */
export function groupComment(clusterName: string, id: string): string {
  return `${clusterComment(clusterName)} ${id}`
}
