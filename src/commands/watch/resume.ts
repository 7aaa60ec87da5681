import { forEachCluster } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'
import { namedCluster } from './named-cluster.js'

export default defineCommand({
  description: 'Removes the pool POOL/suspended in Proxmox: an ichor watch with --apply may act on the cluster again.',
  examples: ['ichor watch resume prod -i inventory'],
  args: { ...inventoryArg, ...jsonArg, ...labArg },
  positionals: [{ name: 'cluster', help: 'the name of the cluster', required: true }],
  async run({ inventory, json, lab }, context, [cluster = '']) {
    const { resume } = await import('../../ownership/stop-switch.js')
    const inventories = await namedCluster(cluster, inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async ({ inventory: seen, world }) => {
      const wasSuspended = await resume(world.proxmox.pools, seen.settings.proxmox.pool, context.signal)
      const text = wasSuspended ? `${cluster} is no longer suspended.` : `${cluster} was not suspended.`
      context.stdout.write(`${json ? JSON.stringify({ version: 1, cluster, suspended: false }) : text}\n`)
      return 0
    })
  },
})
