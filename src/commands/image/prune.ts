import { findImages } from '../../operations/change/find-images.js'
import { isUnused, pruneImages } from '../../operations/change/prune-images.js'
import type { StoredImage } from '../../operations/change/stored-images.js'
import { askYes, declinedCode } from '../ask.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { withWorld } from '../open-world.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'

export default defineCommand({
  description:
    'Deletes Talos images and ISOs created by ichor that no machine of this inventory uses. Other clusters download them again if needed. Unused templates are deleted by ichor up.',
  examples: ['ichor image prune', 'ichor image prune --yes --json'],
  args: {
    ...inventoryArg,
    ...yesArg,
    ...jsonArg,
    ...labArg,
    ...forceUnlockArg,
    dryRun: { type: 'flag', help: 'list the images; delete nothing' },
  },
  async run({ inventory, yes, json, lab, forceUnlock, dryRun }, context) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const images = await findImages(opened, context.signal)
      const unused = images.filter(isUnused)
      const kept = images.filter((image) => !unused.includes(image)).map(keptBecause)
      if (!json) context.stdout.write(textOf(unused, kept))
      if (dryRun) {
        if (json)
          context.stdout.write(`${JSON.stringify({ version: 1, removes: unused.map(({ volid }) => volid), kept })}\n`)
        return 0
      }
      if (unused.length > 0 && !yes && !(await askYes('Delete these images?', context))) return declinedCode
      const gone =
        unused.length === 0 ? [] : await pruneImages(unused, opened, { force: forceUnlock, signal: context.signal })
      const removed = gone.map(({ volid }) => volid)
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
  const because = used_by.length === 0 ? 'unused templates are deleted by ichor up' : `used by ${used_by.join(', ')}`
  return { name: volid, because }
}

function textOf(unused: readonly StoredImage[], kept: readonly Kept[]): string {
  const lines = [
    ...kept.map(({ name, because }) => `keep    ${name} (${because})`),
    ...unused.map(({ volid, host }) => `delete  ${volid} on ${host}`),
  ]
  return lines.length === 0 ? 'There are no images.\n' : `${lines.join('\n')}\n`
}
