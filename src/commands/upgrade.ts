import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { type UpgradeChoices, upgradeChoices } from '../operations/change/upgrade-choices.js'
import { upgradedSpec } from '../operations/change/upgraded-spec.js'
import type { Session } from '../operations/session.js'
import type { UpgradeLimit } from '../plan/upgrade/limit-upgrade.js'
import { printable } from '../report/printable.js'
import { widthOf } from '../report/screen-width.js'
import { upgradeChoicesText } from '../report/upgrade-choices-text.js'
import { carryOut, changeArgs } from './change/carry-out.js'
import { upgradeEnd } from './change/verb-end.js'
import { exitCodes } from './exit-codes.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'
import { flagOf } from './up/report-end.js'

const where = 'ichor upgrade'

export default defineCommand({
  description:
    'Writes new versions to the inventory, preserving comments, and applies them, one minor version at a time. Starts with health checks and an etcd snapshot. Control planes are upgraded one at a time, the etcd leader last, then workers, up to max_unavailable of a pool at a time. Without options it continues to the versions in the inventory; once they run, it lists those that the cluster could go to, what each brings along, and what is known to break. Editing the inventory and running `up` does the same.',
  examples: [
    'ichor upgrade',
    'ichor upgrade --talos v1.13.9 --dry-run',
    'ichor upgrade --kubernetes v1.36.3',
    'ichor upgrade --talos v1.13.9 --canary edge',
    'ichor upgrade --pause-after 1',
    'ichor upgrade --rollback',
  ],
  args: {
    ...changeArgs,
    talos: { type: 'text', placeholder: 'VERSION', help: 'target version of Talos' },
    kubernetes: { type: 'text', placeholder: 'VERSION', help: 'target version of Kubernetes' },
    pauseAfter: {
      type: 'number',
      placeholder: 'N',
      integer: true,
      min: 1,
      help: 'stop the Talos upgrade after this many machines and exit with 4',
    },
    canary: { type: 'text', placeholder: 'POOL', help: 'upgrade Talos only in this worker pool and exit with 4' },
    rollback: {
      type: 'flag',
      help: 'go back to the Talos version in the other boot slot: the one that the remaining machines run, or --talos',
    },
  },
  async run({ inventory, lab, talos, kubernetes, pauseAfter, canary, rollback, ...flags }, context) {
    if (rollback && kubernetes !== undefined) throw noKubernetesRollback()
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab, signal: context.signal }
      const limit = limitOf(opened.inventory, { pauseAfter, canary })
      if (talos === undefined && kubernetes === undefined && !rollback && limit === undefined) {
        const { spec } = await upgradedSpec({}, opened.inventory, options)
        const known = await upgradeChoices(opened, spec, context.signal)
        if (known !== undefined) return showChoices(known, flags.json, opened, context)
      }
      const change = async () => {
        const wanted = await upgradedSpec({ talos, kubernetes, rollback }, opened.inventory, options)
        const along = takenAlong(opened.inventory, wanted.spec.inventory)
        if (kubernetes === undefined && !rollback && along !== undefined) opened.notify(along)
        return { ...wanted, ...(limit === undefined ? {} : { limit }) }
      }
      return carryOut(change, flags, opened, context, upgradeEnd({ isBack: rollback }))
    })
  },
})

/** Nothing is left to continue. */
function showChoices(known: UpgradeChoices, json: boolean, session: Session, context: Context): number {
  const { stdout } = context
  const { choices, ...facts } = known
  const report = {
    version: 1 as const,
    ...facts,
    choices: choices.seen ? choices.value : null,
    ...(choices.seen ? {} : { why: choices.why }),
  }
  stdout.write(
    json
      ? `${JSON.stringify(report)}\n`
      : printable(upgradeChoicesText(known, widthOf(stdout), flagOf(session, context))),
  )
  return exitCodes.done
}

/** Without `kubernetes_version`, each minor version of Talos brings its own version of Kubernetes. */
function takenAlong({ settings: before }: Inventory, { settings: after }: Inventory): string | undefined {
  const [from, to] = [before.kubernetes_version, after.kubernetes_version]
  if (from === to) return undefined
  return `Talos ${after.talos_version} takes Kubernetes along, ${from} -> ${to}, because the inventory has no kubernetes_version. To keep Kubernetes, add --kubernetes ${from}.`
}

interface LimitFlags {
  readonly pauseAfter: number | undefined
  readonly canary: string | undefined
}

function limitOf({ machines }: Inventory, { pauseAfter, canary }: LimitFlags): UpgradeLimit | undefined {
  if (pauseAfter === undefined && canary === undefined) return undefined
  const pool = machines
    .filter((machine) => machine.role === 'worker' && machine.pool === canary)
    .map(({ name }) => name)
  if (canary !== undefined && pool.length === 0) {
    const pools = [...new Set(machines.filter(({ role }) => role === 'worker').map((machine) => machine.pool))]
    throw new UsageError(`There is no worker pool ${canary}.`, {
      where,
      fix: pools.length === 0 ? 'This inventory has no workers.' : `This inventory has ${pools.join(', ')}.`,
    })
  }
  return {
    ...(pauseAfter === undefined ? {} : { pauseAfter }),
    ...(canary === undefined ? {} : { canary: pool }),
  }
}

function noKubernetesRollback(): UsageError {
  return new UsageError('Kubernetes cannot be rolled back: --rollback applies to Talos.', {
    where,
    fix: 'Remove --kubernetes. ichor restore restores etcd from a snapshot.',
  })
}
