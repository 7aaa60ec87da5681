import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { PlanRefused, reasonOf } from '../../errors.js'
import type { Finding } from '../../findings/finding.js'
import { silentRepository } from '../../findings/notes/addons.js'
import { silentStore } from '../../findings/notes/backups.js'
import type { Plan } from '../../plan/plan.js'
import { fetchAnswer } from '../../reach/fetch-text.js'
import { installAddon } from '../../steps/install-addon.js'
import { snapshotEtcd } from '../../steps/snapshot-etcd.js'
import type { World } from '../../world.js'

const patienceMs = 10_000

interface AddressQuestion {
  readonly wanted: Pick<ClusterSpec, 'addons' | 'isLab'>
  readonly plan: Pick<Plan, 'steps'>
  readonly world: Pick<World, 'backups'>
  readonly signal: AbortSignal
}

export interface Unreachable {
  /** Credentials that may not be sent there. */
  readonly refused: readonly PlanRefused[]
  /** What does not answer from here: a proxy, or the nodes, may still reach it. */
  readonly notes: readonly Finding[]
}

/**
 * Looks whether the store of snapshots and the chart repositories answer, if the plan needs them: an upgrade should not
 * find that out half-way. Vault and the secrets of addons have been asked by then, as nothing is planned without them.
 */
export async function unreachable({ wanted, plan, world, signal }: AddressQuestion): Promise<Unreachable> {
  const kinds = new Set(plan.steps.map(({ kind }) => kind))
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const looks = [
    ...(kinds.has(snapshotEtcd.kind) ? [lookAtStore(world, patience)] : []),
    ...(kinds.has(installAddon.kind) && !wanted.isLab
      ? repositoriesOf(wanted).map((one) => lookAt(one, patience))
      : []),
  ]
  const found = (await Promise.all(looks)).filter((one) => one !== undefined)
  signal.throwIfAborted()
  return {
    refused: found.filter((one) => one instanceof PlanRefused),
    notes: found.flatMap((one) => (one instanceof PlanRefused ? [] : [one])),
  }
}

async function lookAtStore({ backups }: Pick<World, 'backups'>, signal: AbortSignal) {
  return backups.reach(signal).then(
    () => undefined,
    (thrown: unknown) =>
      thrown instanceof PlanRefused
        ? thrown
        : silentStore.note(
            `The plan takes a snapshot of etcd, and ${backups.location} does not answer: ${reasonOf(thrown)}`,
            {
              subject: { kind: 'storage', name: backups.location },
            },
          ),
  )
}

function repositoriesOf({ addons }: Pick<ClusterSpec, 'addons'>): string[] {
  const charts = addons.flatMap(({ source, managedBy }) =>
    source.kind === 'chart' && managedBy === 'ichor' ? [source.repository] : [],
  )
  return [...new Set(charts.map((one) => one.replace(/^oci:\/\/([^/]+).*$/, 'https://$1/v2/')))]
}

/** Any answer will do. */
async function lookAt(repository: string, signal: AbortSignal): Promise<Finding | undefined> {
  return fetchAnswer(repository, {}, signal).then(
    async ({ body }) => {
      await body?.cancel()
      return undefined
    },
    (thrown: unknown) =>
      silentRepository.note(`The charts at ${repository} do not answer from here: ${reasonOf(thrown)}`, {
        subject: { kind: 'object', name: repository },
      }),
  )
}
