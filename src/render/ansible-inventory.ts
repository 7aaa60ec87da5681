import type { ConfigObject } from '../talos/config/config-value.js'
import { toYaml } from '../talos/config/yaml-text.js'
import { configPath, fromTool } from './config-path.js'
import { publicMode, type RenderedFile, type RenderInput, type RenderNode } from './render-input.js'

/** An Ansible inventory with a group per pool. Talos has no SSH, so every task runs on the control node. */
export function ansibleInventory({ environment, cluster, nodes }: RenderInput): RenderedFile {
  const pools = [...new Set(nodes.map(({ pool }) => groupName(pool)))]
  const children = Object.fromEntries(
    pools.map((pool) => [pool, { hosts: hostsOf(nodes.filter((node) => groupName(node.pool) === pool)) }]),
  )
  const inventory = {
    all: {
      vars: {
        ansible_connection: 'local',
        cluster_name: cluster.name,
        cluster_endpoint: cluster.endpoint,
        talosconfig: '../../talosconfig',
      },
      children,
    },
  }
  return {
    path: `ansible/${environment}/inventory.yaml`,
    content: `${toYaml(inventory)}\n`,
    mode: publicMode,
  }
}

function hostsOf(nodes: readonly RenderNode[]): ConfigObject {
  return Object.fromEntries(
    nodes.map(({ name, role, ip, mac, host, vmid }) => [
      name,
      {
        ...(ip === undefined ? {} : { ansible_host: ip }),
        talos_role: role,
        talos_config: fromTool(configPath(name)),
        mac,
        proxmox_host: host,
        proxmox_vmid: vmid,
      },
    ]),
  )
}

/** Ansible group names have no dashes. */
function groupName(pool: string): string {
  return pool.replace(/[^A-Za-z0-9_]/g, '_')
}
