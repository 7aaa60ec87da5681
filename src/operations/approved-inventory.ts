import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { measure } from '../backup/spool.js'
import type { Inventory } from '../inventory/inventory.js'
import { filesThatMatter, resolveFile } from '../inventory/referenced-files.js'
import type { Digester } from '../plan/digest.js'
import { lockPath, readLock } from '../secrets/cluster-lock.js'
import { findCreationRule } from '../secrets/sops/creation-rules.js'

/** Digests by the first key of the inventory, and by the name of a file. */
export type InventoryDigests = Readonly<Record<string, string>>

/** A lab has its own lock file. */
export interface InventoryPlace {
  readonly isLab: boolean
}

/**
 * What a plan was made from: every key as written, whatever the environment adds, the contents of the files that it
 * names, and the lock file. Steps have digests of what they write; this also covers what reaches a run beside its steps, such as the way to
 * Proxmox, and every key that is still to come.
 */
export async function inventoryDigests(
  { written, settings, folder }: Pick<Inventory, 'written' | 'settings' | 'folder'>,
  digester: Digester,
  { isLab }: InventoryPlace,
): Promise<InventoryDigests> {
  const keys = Object.entries(written ?? settings).map(([key, value]) => [key, digester({ [key]: value })])
  const named = [...filesThatMatter(written ?? settings), ...(await filesOfCommands(written ?? settings, folder))]
  const files = await Promise.all(
    [...new Set(named)].map(async (file) => [file, digester(await contentOf(resolveFile(folder, file)))]),
  )
  const lock = lockPath(folder, isLab)
  return Object.fromEntries([
    ...keys,
    ...files,
    ['.sops.yaml', digester(await newRecipients(folder))],
    [basename(lock), digester(await pinnedIn(lock))],
  ])
}

/** Without the id of the cluster: the first `up` writes it. */
async function pinnedIn(lock: string): Promise<object> {
  const { version, cluster_id, ...pinned } = ((await readLock(lock))?.toJSON() ?? {}) as Record<string, unknown>
  return pinned
}

/** Files beside the inventory that a command starts or is given: they are pushed with it. */
async function filesOfCommands({ roll }: Inventory['settings'], folder: string): Promise<string[]> {
  const checks = [...(roll.check === undefined ? [] : [roll.check]), ...roll.checks]
  const commands = [...roll.before, ...roll.after, ...checks].flatMap((one) => ('command' in one ? one.command : []))
  // A shell gets several words in one.
  const words = commands.flatMap((word) => [word, ...word.split(/[\s='"`;|&()<>]+/)]).filter((word) => word !== '')
  // A command runs where ichor was started.
  const paths = words.flatMap((word) => [resolveFile(folder, word), resolve(word)])
  const inside = [...new Set(paths)].map((path) => relative(folder, path)).filter(isInside)
  const found = await Promise.all(inside.map(async (file) => ((await isFile(join(folder, file))) ? [file] : [])))
  return found.flat()
}

function isInside(way: string): boolean {
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
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
