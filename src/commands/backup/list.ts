import { type Listing, listSnapshots } from '../../backup/list-snapshots.js'
import { sizeText } from '../../cluster/size-text.js'
import { ageText } from '../../report/duration.js'
import { table } from '../../report/table.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg, jsonArg, labArg } from '../shared-args.js'
import { openPlace } from './place.js'
import { toArg } from './take.js'

export default defineCommand({
  description: 'Lists the snapshots of this cluster, newest first, with age, size and the result of the last drill.',
  examples: ['ichor backup list', 'ichor backup list --json | jq -r .snapshots[0].name'],
  args: { ...inventoryArg, ...jsonArg, ...labArg, ...toArg },
  async run({ inventory, json, lab, to }, context) {
    const one = await loadOne(inventory, context)
    const place = await openPlace(one, { to, lab }, context)
    // The list works without the age key.
    const bundle = (await place.secrets.find().catch(() => undefined))?.bundle
    const owner = { cluster: one.settings.cluster_name, bundle }
    const listing = await listSnapshots(place.store, owner, context.signal)
    const shown = describe(listing, bundle !== undefined, Date.now())
    context.stdout.write(json ? `${JSON.stringify({ version: 1, ...shown })}\n` : textOf(shown, place.store.location))
    return 0
  },
})

type Shown = ReturnType<typeof describe>

function describe({ snapshots, broken }: Listing, isChecked: boolean, now: number) {
  return {
    snapshots: snapshots.map(({ manifest, drill }) => ({
      ...manifest,
      age_s: Math.round((now - Date.parse(manifest.taken_at)) / 1000),
      drilled: drill?.outcome === 'passed' ? drill.at : null,
      drill: drill ?? null,
      /** `null` if the secrets needed to check it cannot be decrypted. */
      sealed: isChecked ? true : null,
    })),
    broken,
  }
}

function textOf({ snapshots, broken }: Shown, location: string): string {
  if (snapshots.length + broken.length === 0) return `There are no snapshots in ${location}.\n`
  const rows = snapshots.map(({ name, age_s, size, revision, drill, raw_copy_of: copied }) => [
    name,
    ageText(age_s),
    sizeText(size),
    String(revision),
    copied === undefined ? drillText(drill) : `raw copy of ${copied}`,
  ])
  const notes = broken.map(({ name, because }) => `broken  ${name}: ${because}\n`)
  return `${table(['SNAPSHOT', 'AGE', 'SIZE', 'REVISION', 'DRILL'], rows)}${notes.join('')}`
}

function drillText(drill: Shown['snapshots'][number]['drill']): string {
  if (drill === null) return '-'
  return `${drill.outcome}${drill.offline ? ' (offline)' : ''} ${drill.at.slice(0, 10)}`
}
