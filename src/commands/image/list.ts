import { sizeText } from '../../cluster/size-text.js'
import { findImages } from '../../operations/change/find-images.js'
import { table } from '../../report/table.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'

export default defineCommand({
  description:
    'Lists the Talos images, ISOs and templates that ichor created on Proxmox storages, and the machines that use them.',
  examples: ['ichor image list', 'ichor image list --json'],
  args: { ...inventoryArg, ...jsonArg, ...labArg },
  async run({ inventory, json, lab }, context) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const images = await findImages(opened, context.signal)
      const rows = images.map(({ volid, host, kind, size, used_by }) => [
        volid,
        host,
        kind,
        size === 0 ? '-' : sizeText(size),
        used_by.join(', ') || '-',
      ])
      const text =
        rows.length === 0 ? 'There are no images.\n' : table(['IMAGE', 'HOST', 'KIND', 'SIZE', 'USED BY'], rows)
      context.stdout.write(json ? `${JSON.stringify({ version: 1, images })}\n` : text)
      return 0
    })
  },
})
