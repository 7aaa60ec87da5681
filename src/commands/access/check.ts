import { checkAccess, controllersOf, describeLack, findBroadRights, planAccess } from '../../access/index.js'
import { printable } from '../../report/printable.js'
import { forEachInventory } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'

export default defineCommand({
  description:
    'Reads the permissions of the current token and lists every missing privilege with the operation that needs it. Changes nothing. Exits with 1 if something is missing, or if the token could reach the disks of other VMs: with Sys.Modify on / and rights on a storage with backups. With --lab, checks the token of the inventory or of PROXMOX_VE_API_TOKEN against the lab, or else the token of the lab.',
  examples: ['ichor access check -i inventory/dev', 'ichor access check --json | jq .missing'],
  args: { ...inventoryArg, ...jsonArg, ...labArg },
  async run({ inventory, json, lab }, context) {
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const how = { lab, mayStartLab: false, usesOwnToken: one.settings.proxmox.token_secret !== undefined }
      const { missing, warnings, broad } = await withWorld(one, how, context, async ({ world, inventory: seen }) => {
        const plan = await planAccess(world.proxmox, seen, controllersOf(seen.settings.addons), context.signal)
        const { storages } = await world.proxmox.cluster.resources(context.signal)
        return {
          missing: await checkAccess(world.proxmox, plan.needs, context.signal),
          warnings: plan.warnings,
          broad: await findBroadRights(world.proxmox, { storages }, context.signal),
        }
      })
      for (const warning of warnings) context.stderr.write(`warning  ${printable(warning)}\n`)
      const isFine = missing.length === 0 && broad === undefined
      const text = isFine
        ? `The token has all privileges that ${one.settings.cluster_name} needs.`
        : [...missing.map(describeLack), ...(broad === undefined ? [] : [broad])].join('\n')
      const enough = missing.length === 0
      const report = { version: 1, enough, missing, warnings, ...(broad === undefined ? {} : { broad }) }
      context.stdout.write(`${json ? JSON.stringify(report) : text}\n`)
      return isFine ? 0 : 1
    })
  },
})
