import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { UpgradeLimit } from '../plan/limit-upgrade.js'
import { carryOut, changeArgs } from './change/carry-out.js'
import { upgradedSpec } from './change/upgraded-spec.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { withWorld } from './open-world.js'

const where = 'ichor upgrade'

export default defineCommand({
  description:
    'Writes other versions into the inventory, comments kept, and applies them: never over more than one minor version at a time. It begins with a health check and a snapshot of etcd. Control planes go one by one and the leader of etcd last, then workers, as many of a pool at once as max_unavailable says. Without versions it goes on with what the inventory says. Editing the inventory and running `up` does the same.',
  examples: [
    'ichor upgrade --talos v1.13.9 --dry-run',
    'ichor upgrade --kubernetes v1.36.3',
    'ichor upgrade --talos v1.13.9 --canary edge',
    'ichor upgrade --pause-after 1',
    'ichor upgrade --rollback',
  ],
  args: {
    ...changeArgs,
    talos: { type: 'text', placeholder: 'VERSION', help: 'the Talos that is wanted' },
    kubernetes: { type: 'text', placeholder: 'VERSION', help: 'the Kubernetes that is wanted' },
    pauseAfter: {
      type: 'number',
      placeholder: 'N',
      isWhole: true,
      least: 1,
      help: 'stop a roll of Talos after this many machines, and exit with 4',
    },
    canary: { type: 'text', placeholder: 'POOL', help: 'upgrade only the Talos of this worker pool, and exit with 4' },
    rollback: {
      type: 'flag',
      help: 'go back to the Talos in the other boot slot: that of machines which the roll has not reached, or --talos',
    },
  },
  async run({ inventory, lab, talos, kubernetes, pauseAfter, canary, rollback, ...flags }, context) {
    if (rollback && kubernetes !== undefined) throw noKubernetesRollback()
    const named = await loadOne(inventory, context)
    return withWorld(named, { lab, mayStartLab: false }, context, async (opened) => {
      const options = { env: context.env, world: opened.world, isLab: lab, signal: context.signal }
      const limit = limitOf(opened.inventory, { pauseAfter, canary })
      const change = async () => ({
        ...(await upgradedSpec({ talos, kubernetes, rollback }, opened.inventory, options)),
        ...(limit === undefined ? {} : { limit }),
      })
      return carryOut(change, flags, opened, context)
    })
  },
})

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
  return new UsageError('Kubernetes does not go back: --rollback is about Talos.', {
    where,
    fix: 'Leave out --kubernetes. ichor restore brings etcd back from a snapshot.',
  })
}
