import type { KubernetesObject } from '../kubernetes/port.js'
import { AddonFailed } from './addon-failed.js'
import { addonProblems } from './check-addon.js'
import { deleteApplied } from './delete-applied.js'
import { uninstallArgs, upgradeArgs } from './helm-job.js'
import { findHelmJob, installObjects } from './install-objects.js'
import {
  beginningOf,
  type InstalledAddon,
  type ObjectRef,
  readAddonRecords,
  readInstalledAddons,
  recordOf,
  recordRef,
  refOf,
} from './installed-addons.js'
import { missingNamespaces } from './missing-namespaces.js'
import type { PlannedAddon } from './planned-addon.js'
import { type AddonTools, fieldOwner, fieldOwnerOf, runHelmJob } from './run-helm-job.js'
import { refuseForeignRelease } from './trusted-record.js'

const healthyWithinMs = 15 * 60_000
const pauseMs = 3_000
const talosPatienceMs = 3 * 60_000

/** Installs or updates an addon, waits until it is healthy, and records it in the cluster. */
export async function installAddon(tools: AddonTools, addon: PlannedAddon, signal: AbortSignal): Promise<void> {
  const { api } = tools
  const before = (await readInstalledAddons(api, signal)).find(({ name }) => name === addon.name)
  if (before === undefined) await api.apply([beginningOf(addon)], fieldOwner, signal)
  if (addon.delivery === 'inline' && before === undefined) await waitForTalos(tools, addon, signal)
  await applyOwn(tools, addon, signal)
  await waitUntilHealthy(tools, addon, signal)
  await applyAfter(tools, addon, signal)
  await prune(tools, addon, before, signal)
  await api.apply([recordOf(addon)], fieldOwner, signal)
}

/**
 * Talos applies inline manifests itself. Existing objects are taken over from it; what it has not applied in time, for
 * example in a cluster that already runs, is applied like any other addon.
 */
async function waitForTalos({ api, clock, note }: AddonTools, addon: PlannedAddon, signal: AbortSignal) {
  const last = installObjects(addon).at(-1)
  if (last === undefined) return
  const { metadata } = last
  const until = clock.monotonic() + talosPatienceMs
  note('Talos installs it from its config')
  while (clock.monotonic() < until) {
    if ((await api.find(last, metadata.namespace, metadata.name ?? '', signal)) !== undefined) return
    await clock.sleep(pauseMs, signal)
  }
}

async function applyOwn(tools: AddonTools, addon: PlannedAddon, signal: AbortSignal) {
  const { api, localHelm } = tools
  const { source, namespace } = addon
  const job = findHelmJob(addon)
  if (job === undefined) {
    const objects = installObjects(addon)
    return api.apply([...(await missingNamespaces(api, objects, signal)), ...objects], fieldOwnerOf(addon.name), signal)
  }
  await api.apply(addon.before, fieldOwnerOf(addon.name), signal)
  if (addon.delivery !== 'helm' || localHelm === undefined || source.kind !== 'chart')
    return runHelmJob(tools, job, addon.title, signal)
  return localHelm((file) => upgradeArgs(source, namespace, file), source.values, signal)
}

/** Objects of CRDs that a chart or its operator has just created: their webhooks may not respond yet. */
async function applyAfter({ api, clock }: AddonTools, { name, after }: PlannedAddon, signal: AbortSignal) {
  if (after.length === 0) return
  const until = clock.monotonic() + 5 * 60_000
  for (;;) {
    try {
      return await api.apply(after, fieldOwnerOf(name), signal)
    } catch (error) {
      const words = error instanceof Error ? error.message : ''
      const mayPass = /webhook|no endpoints|connection refused|does not know/i.test(words)
      if (!mayPass || clock.monotonic() > until) throw error
      await clock.sleep(pauseMs, signal)
    }
  }
}

async function waitUntilHealthy({ api, clock, note }: AddonTools, addon: PlannedAddon, signal: AbortSignal) {
  const until = clock.monotonic() + healthyWithinMs
  let reported = ''
  for (;;) {
    const problems = await addonProblems(api, addon.checks, signal)
    const [first] = problems
    if (first === undefined) return
    if (first !== reported) note(first)
    reported = first
    if (clock.monotonic() > until) throw await unhealthy({ api, clock, note }, addon, problems, signal)
    await clock.sleep(pauseMs, signal)
  }
}

async function unhealthy(
  { api }: AddonTools,
  addon: PlannedAddon,
  problems: readonly string[],
  signal: AbortSignal,
): Promise<AddonFailed> {
  const [pods, events] = await Promise.all([
    api.list({ apiVersion: 'v1', kind: 'Pod' }, addon.namespace, {}, signal),
    api.list({ apiVersion: 'v1', kind: 'Event' }, addon.namespace, {}, signal),
  ])
  const messages = [
    ...events.flatMap((event) => findWarning(event) ?? []),
    ...pods.flatMap((pod) => findPodProblem(pod) ?? []),
  ]
  const reasons = [...new Set(messages)].slice(0, 3)
  const detail = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
  return new AddonFailed(
    `${addon.title} is installed and not healthy after ${healthyWithinMs / 60_000} minutes: ${problems.join('; ')}${detail}.`,
    {
      where: `addons.${addon.name} (namespace ${addon.namespace})`,
      fix: `Look at the pods of namespace ${addon.namespace}. The rest of the cluster is up; run \`ichor up\` again to continue.`,
    },
  )
}

function findWarning(event: KubernetesObject): string | undefined {
  const { type, message, involvedObject } = event as {
    type?: string
    message?: string
    involvedObject?: { name?: string }
  }
  return type === 'Warning' ? `${involvedObject?.name}: ${message}` : undefined
}

/** Why a pod does not run: an image that cannot be pulled, a failing readiness probe, or no matching node. */
function findPodProblem({ status, metadata }: KubernetesObject): string | undefined {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly { status: string; message?: string }[] }
  const message = conditions.find((one) => one.status === 'False' && one.message !== undefined)?.message
  return message === undefined ? undefined : `${metadata.name}: ${message}`
}

/** What an older request applied and this one does not. */
async function prune(tools: AddonTools, addon: PlannedAddon, before: InstalledAddon | undefined, signal: AbortSignal) {
  if (before === undefined) return
  const kept = new Set([...installObjects(addon), ...addon.after].map((object) => keyOf(refOf(object))))
  const surplus = before.objects.filter((ref) => !kept.has(keyOf(ref)) && ref.kind !== 'Namespace')
  for (const ref of surplus.reverse()) await deleteApplied(tools, addon.name, ref, signal)
}

function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return [apiVersion, kind, namespace, name].join(' ')
}

/** Removes an addon: its release, then the objects applied with it, then its record. */
export async function removeAddon(
  tools: AddonTools,
  addon: InstalledAddon,
  helmImage: string,
  signal: AbortSignal,
): Promise<void> {
  const { api } = tools
  refuseForeignRelease(addon)
  const shared = new Set(
    (await readAddonRecords(api, signal))
      .filter(({ name }) => name !== addon.name)
      .flatMap(({ objects }) => objects.map(keyOf)),
  )
  if (addon.release !== undefined) {
    const job = { addon: addon.name, image: helmImage, args: uninstallArgs(addon.release, addon.namespace) }
    await runHelmJob(tools, job, addon.title, signal)
  }
  for (const ref of [...addon.objects].reverse()) {
    if (!shared.has(keyOf(ref))) await deleteApplied(tools, addon.name, ref, signal)
  }
  const record = recordRef(addon.name)
  await api.delete(record, record.metadata.namespace, record.metadata.name ?? '', signal)
}
