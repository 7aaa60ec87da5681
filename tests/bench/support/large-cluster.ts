import { clusterYaml } from '../../support/lab.js'

/** Three control planes, and workers up to that many nodes, in a network that has an address for each. */
export function filesFor(nodes: number): Readonly<Record<string, string>> {
  const yaml = clusterYaml({ controlPlanes: 3, workers: nodes - 3, extra: 'secrets: plain\n' })
  const network = 'gateway: 10.0.15.254\n  pod_cidr: 10.128.0.0/9\n  control_plane_offset: 300\n  worker_offset: 1000'
  return {
    'cluster.yaml': yaml.replace('10.0.10.0/24', '10.0.8.0/21').replace('gateway: 10.0.10.254', network),
  }
}
