import { findPinnedDigests, writePinnedDigests } from '../lock/lock-file.js'
import { describeDifference, type LockDifference, lockDifferences } from '../lock/refuse-changed-artifacts.js'
import { type Artifact, wantedArtifacts } from '../lock/wanted-artifacts.js'
import type { Session } from '../operations/session.js'
import { specOf } from '../operations/spec/spec-of.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes } from './exit-codes.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

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
      const spec = await specOf(opened)
      const wanted = wantedArtifacts(spec, lab)
      const { digestsOf } = await import('../lock/check-lock.js')
      const now = await digestsOf(wanted, opened.world.factory, context.signal)
      if (check) return compare(wanted, now, { json, lab }, opened, context)
      const section = (kind: Artifact['kind']) =>
        Object.fromEntries(
          wanted.filter((artifact) => artifact.kind === kind).map(({ name }) => [name, now.get(name) ?? '']),
        )
      const digests = { images: section('images'), installers: section('installers'), charts: section('charts') }
      const path = await writePinnedDigests(opened.inventory.folder, lab, digests)
      const text = `${path}: ${countOf(wanted.length, 'digest')} (${countsOf(wanted)})`
      context.stdout.write(`${json ? JSON.stringify({ version: 1, file: path, ...digests }) : text}\n`)
      return 0
    })
  },
})

function countsOf(wanted: readonly Artifact[]): string {
  const count = (kind: Artifact['kind']) =>
    countOf(wanted.filter((artifact) => artifact.kind === kind).length, kind.replace(/s$/, ''))
  return [count('images'), count('installers'), count('charts')].join(', ')
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

async function compare(
  wanted: readonly Artifact[],
  now: ReadonlyMap<string, string>,
  { json, lab }: { readonly json: boolean; readonly lab: boolean },
  { inventory }: Session,
  { stdout }: Context,
): Promise<number> {
  const locked = (await findPinnedDigests(inventory.folder, lab)) ?? { images: {}, installers: {}, charts: {} }
  const differences: LockDifference[] = lockDifferences(wanted, locked, now)
  const text = differences.length === 0 ? 'The lock file is right.' : differences.map(describeDifference).join('\n')
  stdout.write(`${json ? JSON.stringify({ version: 1, differences }) : text}\n`)
  return differences.length === 0 ? 0 : exitCodes.pending
}
