import { z } from 'zod'
import { type PlanRefused, reasonOf } from '../errors.js'
import { askEtcdNow } from '../etcd/etcd-now.js'
import { noDowngrade } from '../findings/refusals/versions.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep } from './step.js'

const minute = 60_000

/**
 * etcd refuses to start on data of a newer version: members are downgraded only after the cluster version is lowered.
 */
export const downgradeEtcd = defineStep({
  kind: 'downgrade-etcd',
  /** `3.6`. */
  args: z.strictObject({ version: z.string() }),
  title: ({ version }) => `lower the version of etcd to ${version}`,
  changes: true,
  disruptive: false,
  async done({ version }, context) {
    const { respondingMember } = await askEtcdNow(context)
    return (await respondingMember?.etcd.status(context.signal))?.storageVersion.startsWith(`${version}.`) ?? false
  },
  async run({ version }, context) {
    const { respondingMember } = await askEtcdNow(context)
    if (respondingMember === undefined) throw cannotLower(version, 'none of its members answers')
    context.assertLease()
    await respondingMember.etcd.lowerVersion(version, context.signal).catch((thrown: unknown) => {
      context.signal.throwIfAborted()
      if (!/in progress/.test(reasonOf(thrown))) throw cannotLower(version, reasonOf(thrown))
    })
    await waitUntil(
      {
        forWhat: `etcd to lower its version to ${version}`,
        where: 'etcd',
        timeoutMs: 5 * minute,
        intervalMs: 1000,
        fix: 'ichor health shows which member is not healthy.',
      },
      async () => {
        const { storageVersion } = await respondingMember.etcd.status(context.signal)
        return storageVersion.startsWith(`${version}.`) ? true : undefined
      },
      context,
    )
  },
  effect: () => undefined,
})

function cannotLower(version: string, because: string): PlanRefused {
  return noDowngrade.refuse(`etcd cannot be downgraded to ${version}: ${because}.`, {
    subject: { kind: 'cluster', name: 'etcd' },
    where: 'etcd',
    fix: 'The control planes were not changed. ichor restore restores etcd from the snapshot taken before the upgrade.',
  })
}
