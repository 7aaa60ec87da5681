import { checkAccess, controllersOf, describeLack, planAccess } from '../../access/index.js'
import { defineCommand } from '../frame/define-command.js'
import { loadNamed } from '../inventories.js'
import { withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'

export default defineCommand({
  description:
    'Asks Proxmox what the token in use may do, and names every privilege that is missing, with the work that needs it. Changes nothing. Ends with 1 when something is missing.',
  examples: ['ichor access check -i inventory/dev', 'ichor access check --json | jq .missing'],
  args: { ...inventoryArg, ...jsonArg, ...labArg },
  async run({ inventory, json, lab }, context) {
    let isEnough = true
    for (const one of await loadNamed(inventory, context)) {
      const missing = await withWorld(one, { lab, mayStartLab: false }, context, async ({ world, inventory: seen }) => {
        const { needs } = await planAccess(world.proxmox, seen, controllersOf(seen.settings.addons), context.signal)
        return checkAccess(world.proxmox, needs, context.signal)
      })
      isEnough &&= missing.length === 0
      const text =
        missing.length === 0
          ? `The token may do everything that ${one.settings.cluster_name} needs.`
          : missing.map(describeLack).join('\n')
      context.stdout.write(`${json ? JSON.stringify({ version: 1, enough: missing.length === 0, missing }) : text}\n`)
    }
    return isEnough ? 0 : 1
  },
})
