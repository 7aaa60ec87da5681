import type { StoredImage } from '../../change/stored-images.js'
import { askYes, declinedCode } from '../ask.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { type Opened, withWorld } from '../open-world.js'
import { inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { findImages } from './find-images.js'

export default defineCommand({
  description:
    'Deletes Talos images and ISOs of ichor that no machine of this inventory uses. Another cluster that needs one downloads it again. Templates that nobody uses are deleted by ichor up.',
  examples: ['ichor image prune', 'ichor image prune --yes --json'],
  args: { ...inventoryArg, ...yesArg, ...jsonArg, ...labArg },
  async run({ inventory, yes, json, lab }, context) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const images = await findImages(opened, context)
      const unused = images.filter(({ kind, used_by }) => kind !== 'template' && used_by.length === 0)
      const kept = images.filter((image) => !unused.includes(image)).map(keptBecause)
      if (!json) context.stdout.write(textOf(unused, kept))
      if (unused.length > 0 && !yes && !(await askYes('Delete these images?', context))) return declinedCode
      for (const image of unused) await remove(image, opened, context.signal)
      const removed = unused.map(({ volid }) => volid)
      if (json) context.stdout.write(`${JSON.stringify({ version: 1, removed, kept })}\n`)
      return 0
    })
  },
})

interface Kept {
  readonly name: string
  readonly because: string
}

function keptBecause({ volid, used_by }: StoredImage): Kept {
  const because = used_by.length === 0 ? 'ichor up deletes templates that nobody uses' : `used by ${used_by.join(', ')}`
  return { name: volid, because }
}

async function remove({ host, volid }: StoredImage, { world }: Opened, signal: AbortSignal): Promise<void> {
  const task = await world.proxmox.storage.removeVolume(host, volid, signal)
  if (task !== undefined) await world.proxmox.tasks.wait(task, signal)
}

function textOf(unused: readonly StoredImage[], kept: readonly Kept[]): string {
  const lines = [
    ...kept.map(({ name, because }) => `keep    ${name} (${because})`),
    ...unused.map(({ volid, host }) => `delete  ${volid} on ${host}`),
  ]
  return lines.length === 0 ? 'There are no images.\n' : `${lines.join('\n')}\n`
}
