import { userInfo } from 'node:os'
import { forEachCluster } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'
import { namedCluster } from './named-cluster.js'

export default defineCommand({
  description:
    'Creates the pool POOL/suspended in Proxmox: while it exists, no ichor watch acts on the cluster, wherever it runs. A run finishes the machine that it is at. A pool of that name that is made by hand in Proxmox does the same.',
  examples: ['ichor watch suspend prod -i inventory'],
  args: { ...inventoryArg, ...jsonArg, ...labArg },
  positionals: [{ name: 'cluster', help: 'the name of the cluster', required: true }],
  async run({ inventory, json, lab }, context, [cluster = '']) {
    const { suspend } = await import('../../ownership/stop-switch.js')
    const inventories = await namedCluster(cluster, inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async ({ inventory: seen, world }) => {
      const { pool } = seen.settings.proxmox
      const why = `by ${userInfo().username} at ${new Date().toISOString()}`
      const isNew = await suspend(world.proxmox.pools, pool, why, context.signal)
      const text = `${cluster} ${isNew ? 'is' : 'was already'} suspended: no watch acts on it until ichor watch resume ${cluster}.`
      context.stdout.write(`${json ? JSON.stringify({ version: 1, cluster, suspended: true }) : text}\n`)
      return 0
    })
  },
})
