import { findLockedBits, writeLockedBits } from '../lock/lock-file.js'
import { describeDifference, type LockDifference, lockDifferences } from '../lock/refuse-other-bits.js'
import { type Bit, wantedBits } from '../lock/wanted-bits.js'
import { loadSpec } from '../spec/load-spec.js'
import { forEachCluster } from './each-cluster.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import type { Opened } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

const changedCode = 4

export default defineCommand({
  description:
    'Writes the SHA-256 of the Talos images, installers and charts that the inventory needs into ichor.lock.yaml beside it. From then on up refuses other bytes, so that a second site is built from the same ones. --check compares and writes nothing; it exits with 4 if something differs.',
  examples: ['ichor lock -i inventory/prod', 'ichor lock --check', 'ichor lock --check --json | jq .differences'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    check: { type: 'flag', help: 'compare with what is there now, and write nothing' },
  },
  async run({ inventory, json, lab, check }, context) {
    const inventories = await loadNamed(inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: true }, context, async (opened) => {
      const spec = await loadSpec(opened.inventory, { env: context.env, world: opened.world, isLab: lab })
      const wanted = wantedBits(spec, lab)
      const { digestsOf } = await import('../lock/check-lock.js')
      const now = await digestsOf(wanted, opened.world.factory, context.signal)
      if (check) return compare(wanted, now, { json, lab }, opened, context)
      const section = (kind: Bit['kind']) =>
        Object.fromEntries(wanted.filter((bit) => bit.kind === kind).map(({ name }) => [name, now.get(name) ?? '']))
      const bits = { images: section('images'), installers: section('installers'), charts: section('charts') }
      const path = await writeLockedBits(opened.inventory.folder, lab, bits)
      const text = `${path}: ${countOf(wanted.length, 'digest')} (${countsOf(wanted)})`
      context.stdout.write(`${json ? JSON.stringify({ version: 1, file: path, ...bits }) : text}\n`)
      return 0
    })
  },
})

function countsOf(wanted: readonly Bit[]): string {
  const count = (kind: Bit['kind']) => countOf(wanted.filter((bit) => bit.kind === kind).length, kind.replace(/s$/, ''))
  return [count('images'), count('installers'), count('charts')].join(', ')
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

async function compare(
  wanted: readonly Bit[],
  now: ReadonlyMap<string, string>,
  { json, lab }: { readonly json: boolean; readonly lab: boolean },
  { inventory }: Opened,
  { stdout }: Context,
): Promise<number> {
  const locked = (await findLockedBits(inventory.folder, lab)) ?? { images: {}, installers: {}, charts: {} }
  const differences: LockDifference[] = lockDifferences(wanted, locked, now)
  const text = differences.length === 0 ? 'The lock file is right.' : differences.map(describeDifference).join('\n')
  stdout.write(`${json ? JSON.stringify({ version: 1, differences }) : text}\n`)
  return differences.length === 0 ? 0 : changedCode
}
