import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { measure } from '../backup/spool.js'
import type { Inventory } from '../inventory/inventory.js'
import { filesThatMatter, resolveFile } from '../inventory/referenced-files.js'
import type { Digester } from '../plan/digest.js'
import { findCreationRule } from '../secrets/sops/creation-rules.js'

/** Digests by the first key of the inventory, and by the name of a file. */
export type InventoryDigests = Readonly<Record<string, string>>

/**
 * What a plan was made from: every key as written, whatever the environment adds, and the contents of the files that it
 * names. Steps have digests of what they write; this also covers what reaches a run beside its steps, such as the way to
 * Proxmox, and every key that is still to come.
 */
export async function inventoryDigests(
  { written, settings, folder }: Pick<Inventory, 'written' | 'settings' | 'folder'>,
  digester: Digester,
): Promise<InventoryDigests> {
  const keys = Object.entries(written ?? settings).map(([key, value]) => [key, digester({ [key]: value })])
  const files = await Promise.all(
    filesThatMatter(written ?? settings).map(async (file) => [
      file,
      digester(await contentOf(resolveFile(folder, file))),
    ]),
  )
  return Object.fromEntries([...keys, ...files, ['.sops.yaml', digester(await newRecipients(folder))]])
}

/** Keys and files that differ, in words. */
export function changedKeys(before: InventoryDigests, now: InventoryDigests): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((key) => before[key] !== now[key]).sort()
}

async function contentOf(path: string): Promise<string | null> {
  return measure(createReadStream(path)).then(
    ({ sha256 }) => sha256,
    () => null,
  )
}

/** Who could decrypt secrets that are created now. */
async function newRecipients(folder: string): Promise<readonly string[]> {
  const rule = await findCreationRule(join(folder, 'secrets.sops.yaml')).catch(() => undefined)
  return rule?.recipients ?? []
}
