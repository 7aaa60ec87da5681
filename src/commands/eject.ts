import { UsageError } from '../errors.js'
import { letGo } from './eject/let-go.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { dryRunArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from './shared-args.js'

export default defineCommand({
  description:
    'Lets a cluster go: takes the marks, tags and HA rules, the backup job, the pool and the lease of ichor off Proxmox. Every machine runs on, and no node is contacted. --out first writes what another tool needs: the machine configs, talosconfig, kubeconfig and the secrets bundle, unencrypted.',
  examples: ['ichor eject -i inventory/dev --out ejected', 'ichor eject -i inventory/dev --dry-run'],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    out: { type: 'text', placeholder: 'DIR', help: 'a folder for the files that another tool needs' },
    ...dryRunArg,
    ...stepsArg,
  },
  async run({ inventory, yes, json, lab, forceUnlock, out, dryRun, steps }, context) {
    const inventories = await loadNamed(inventory, context)
    if (out !== undefined && inventories.length > 1) {
      throw new UsageError('The files of several clusters cannot be written into one folder.', {
        where: '--out',
        fix: 'Name one inventory with -i.',
      })
    }
    return letGo(inventories, { yes, json, lab, forceUnlock, out, dryRun, steps }, context)
  },
})
