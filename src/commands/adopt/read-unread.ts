import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notDescribed } from '../../findings/refusals/machines.js'
import { loadInventory, proposeChanges, writeEdits } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { ReadLater } from '../../operations/adopt/read-later.js'
import { printable } from '../../report/printable.js'
import type { Context } from '../frame/context.js'
import { withWorld } from '../open-world.js'
import { notExpressed, stayingApart } from './report-text.js'
import { writePatches } from './write-environment.js'

/** The inventory of an adoption with machines whose config is not known; `undefined` if there is nothing left to read. */
export async function findBegun(folder: string, { env }: Context): Promise<Inventory | undefined> {
  const isThere = await stat(join(folder, 'cluster.yaml')).then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  const inventory = await loadInventory(folder, { env })
  return inventory.machines.some(({ adopted }) => adopted?.unread === true) ? inventory : undefined
}

interface Flags {
  readonly lab: boolean
  readonly strict: boolean
  readonly dryRun: boolean
}

/** Machines that were off when the cluster was adopted: their configs become patches of the same environment. */
export async function readUnread(inventory: Inventory, flags: Flags, context: Context): Promise<number> {
  const { lab, strict, dryRun } = flags
  const { completeSpec } = await import('../../operations/spec/complete-spec.js')
  const { readLater } = await import('../../operations/adopt/read-later.js')
  return withWorld(inventory, { lab, mayStartLab: false }, context, async (opened) => {
    const options = { env: context.env, isLab: lab }
    const spec = await completeSpec(opened.inventory, opened.world.secrets, options)
    const later = await readLater(spec, opened.world, context.signal)
    if (strict) refuseIncomplete(later)
    const written: string[] = []
    if (!dryRun) {
      const patches = later.read.flatMap((machine) => machine.patches)
      written.push(...(await writePatches(inventory.folder, patches)))
      const { edits } = await proposeChanges(inventory, later.changes, { env: context.env })
      await writeEdits(edits)
      written.push(...edits.map(({ file }) => file))
    }
    context.stdout.write(printable(`${laterText(later)}${written.map((file) => `wrote ${file}\n`).join('')}`))
    return 0
  })
}

function laterText({ read, unread }: ReadLater): string {
  const runs = Object.fromEntries(read.flatMap((one) => (one.runs === undefined ? [] : [[one.name, one.runs]])))
  return [
    ...read.map(({ name, patches }) => `${name}: its config is known now (${patches.length} patch files).\n`),
    ...unread.map(({ name, why }) => `${name}: its config is still not known: ${why}.\n`),
    stayingApart(runs),
    notExpressed(read.flatMap((machine) => machine.unexpressed)),
  ].join('')
}

function refuseIncomplete({ read, unread }: ReadLater): void {
  const problems = [
    ...unread.map(({ name, why }) => `${name}: ${why}`),
    ...read.flatMap(({ unexpressed }) => unexpressed.map(({ machine, place }) => `${machine}: ${place}`)),
  ]
  if (problems.length === 0) return
  throw notDescribed.refuse(`Not everything that runs can be written down:\n${problems.join('\n')}`, {
    subject: { kind: 'inventory', name: 'ichor adopt' },
    where: 'ichor adopt --strict',
    fix: 'Without --strict, what can be read is written all the same.',
  })
}
