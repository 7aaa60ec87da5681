import { GiB, MiB } from '../cluster/machine.js'
import { configPath, fromTool, seedPath } from './config-path.js'
import { publicMode, type RenderedFile, type RenderInput, type RenderNode } from './render-input.js'

/** Variables for the module in `examples/terraform`: configs by path, so that this file has no secrets. */
export function terraformVariables({ environment, cluster, nodes }: RenderInput): RenderedFile {
  const variables = {
    cluster_name: cluster.name,
    cluster_endpoint: cluster.endpoint,
    talos_machines: Object.fromEntries(nodes.map((node) => [node.name, machineVariables(node)])),
  }
  return {
    path: `terraform/${environment}/talos-machines.auto.tfvars.json`,
    content: `${JSON.stringify(variables, null, 2)}\n`,
    mode: publicMode,
  }
}

/** Memory in MiB and disks in GiB, rounded up: the units of the Proxmox provider. */
function machineVariables({ name, role, pool, vmid, host, cpu, memory, disk, ip, mac }: RenderNode): object {
  return {
    vmid,
    host,
    role,
    pool,
    cpu,
    ram: Math.ceil(memory / MiB),
    disk: Math.ceil(disk / GiB),
    ip: ip ?? null,
    mac,
    config: fromTool(configPath(name)),
    seed: fromTool(seedPath(name)),
  }
}
