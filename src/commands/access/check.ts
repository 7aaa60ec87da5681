import { checkAccess, controllersOf, describeLack, planAccess } from '../../access/index.js'
import { forEachInventory } from '../each-cluster.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'

export default defineCommand({
  description:
    'Reads the permissions of the current token and lists every missing privilege with the operation that needs it. Changes nothing. Exits with 1 if something is missing. With --lab, checks the token of the inventory or of PROXMOX_VE_API_TOKEN against the lab, or else the token of the lab.',
  examples: ['ichor access check -i inventory/dev', 'ichor access check --json | jq .missing'],
  args: { ...inventoryArg, ...jsonArg, ...labArg },
  async run({ inventory, json, lab }, context) {
    return forEachInventory(await loadNamed(inventory, context), async (one) => {
      const how = { lab, mayStartLab: false, usesOwnToken: one.settings.proxmox.token_secret !== undefined }
      const { missing, warnings } = await withWorld(one, how, context, async ({ world, inventory: seen }) => {
        const plan = await planAccess(world.proxmox, seen, controllersOf(seen.settings.addons), context.signal)
        return { missing: await checkAccess(world.proxmox, plan.needs, context.signal), warnings: plan.warnings }
      })
      for (const warning of warnings) context.stderr.write(`warning  ${warning}\n`)
      const text =
        missing.length === 0
          ? `The token has all privileges that ${one.settings.cluster_name} needs.`
          : missing.map(describeLack).join('\n')
      const report = { version: 1, enough: missing.length === 0, missing, warnings }
      context.stdout.write(`${json ? JSON.stringify(report) : text}\n`)
      return missing.length === 0 ? 0 : 1
    })
  },
})
