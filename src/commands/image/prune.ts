import { randomUUID } from 'node:crypto'
import type { StoredImage } from '../../change/stored-images.js'
import { systemClock } from '../../clock.js'
import { takeLease } from '../../ownership/index.js'
import { askYes, declinedCode } from '../ask.js'
import type { Context } from '../frame/context.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { type Opened, withWorld } from '../open-world.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { findImages } from './find-images.js'

export default defineCommand({
  description:
    'Deletes Talos images and ISOs created by ichor that no machine of this inventory uses. Other clusters download them again if needed. Unused templates are deleted by ichor up.',
  examples: ['ichor image prune', 'ichor image prune --yes --json'],
  args: { ...inventoryArg, ...yesArg, ...jsonArg, ...labArg, ...forceUnlockArg },
  async run({ inventory, yes, json, lab, forceUnlock }, context) {
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const images = await findImages(opened, context)
      const unused = images.filter(isUnused)
      const kept = images.filter((image) => !unused.includes(image)).map(keptBecause)
      if (!json) context.stdout.write(textOf(unused, kept))
      if (unused.length > 0 && !yes && !(await askYes('Delete these images?', context))) return declinedCode
      const gone = unused.length === 0 ? [] : await removeUnused(unused, forceUnlock, opened, context)
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

function isUnused({ kind, used_by }: StoredImage): boolean {
  return kind !== 'template' && used_by.length === 0
}

/**
 * With the lease of the cluster, and after observing again: a run that has just started may need one of them. Claims
 * that a killed run may have made stay recorded.
 */
async function removeUnused(
  shown: readonly StoredImage[],
  force: boolean,
  opened: Opened,
  context: Context,
): Promise<StoredImage[]> {
  const { pool } = opened.inventory.settings.proxmox
  const { signal } = context
  const { pools } = opened.world.proxmox
  const lease = await takeLease({ pools, clock: systemClock, pool, run: randomUUID(), intent: [], signal, force })
  try {
    const now = (await findImages(opened, context)).filter(isUnused)
    const unused = now.filter(({ volid, host }) => shown.some((one) => one.volid === volid && one.host === host))
    for (const image of unused) {
      lease.assertFresh()
      await remove(image, opened, signal)
    }
    return unused
  } finally {
    await lease.release({ remove: 'nothing' })
  }
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
