import { listSnapshots } from '../../backup/list-snapshots.js'
import { type PrunePlan, planPrune, prune } from '../../backup/prune.js'
import { askYes, declinedCode } from '../ask.js'
import { defineCommand } from '../frame/define-command.js'
import { loadOne } from '../one-inventory.js'
import { inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { getSecrets, openPlace } from './place.js'
import { toArg } from './take.js'

export default defineCommand({
  description:
    'Deletes snapshots according to backup.etcd.keep, and leftovers of interrupted runs. The newest good snapshot and the newest one that passed a drill are always kept.',
  examples: ['ichor backup prune', 'ichor backup prune --yes'],
  args: { ...inventoryArg, ...yesArg, ...jsonArg, ...labArg, ...toArg },
  async run({ inventory, yes, json, lab, to }, context) {
    const one = await loadOne(inventory, context)
    const place = await openPlace(one, { to, lab }, context)
    const { cluster_name: cluster, backup } = one.settings
    const { bundle } = await getSecrets(place)
    const listing = await listSnapshots(place.store, { cluster, bundle }, context.signal)
    const now = Date.now()
    const { keep: retention, time_zone: timeZone } = backup.etcd
    const plan = planPrune({ cluster, listing, retention, timeZone, now })
    if (!json) context.stdout.write(textOf(plan))
    const isSettled = yes || plan.removed.length === 0
    if (!isSettled && !(await askYes('Remove these snapshots?', context))) return declinedCode
    await prune(place.store, plan, now, context.signal)
    if (json) context.stdout.write(`${JSON.stringify({ version: 1, ...plan })}\n`)
    return 0
  },
})

function textOf({ kept, removed, unfinished }: PrunePlan): string {
  const lines = [
    ...kept.map(({ name, because }) => `keep    ${name} (${because})`),
    ...removed.map((name) => `remove  ${name}`),
    ...unfinished.map((name) => `remove  ${name} (never finished)`),
  ]
  return lines.length === 0 ? 'There is nothing to remove.\n' : `${lines.join('\n')}\n`
}
