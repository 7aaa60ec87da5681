import type { Advisory } from '../advisories/advisory.js'
import { type Judged, judgeAdvisories } from '../advisories/judge-advisories.js'
import { readAdvisories } from '../advisories/read-advisories.js'
import { runningCombination } from '../advisories/running-combination.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import type { Desired } from '../desired/desired.js'
import { UsageError } from '../errors.js'
import type { Finding } from '../findings/finding.js'
import { entersAdvisory, leavesAdvisory } from '../findings/notes/versions.js'
import { blockedByAdvisory } from '../findings/refusals/versions.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'

interface Change {
  readonly spec: Pick<ClusterSpec, 'inventory'>
  readonly desired: Desired
  readonly observed: Observed
}

/** What a plan that is only shown enters and leaves. */
export async function adviceNotes({ spec, desired, observed }: Change): Promise<Finding[]> {
  const subject = { kind: 'cluster', name: spec.inventory.settings.cluster_name } as const
  const { entered, left } = await judged({ spec, desired, observed })
  return [
    ...entered.map((advisory) =>
      advisory.effect === 'block'
        ? entersAdvisory.note(`${textOf(advisory)} Applying this plan is refused without --accept ${advisory.id}.`, {
            subject,
            severity: 'blocks',
          })
        : entersAdvisory.note(textOf(advisory), { subject }),
    ),
    ...left.map(({ id, title }) =>
      leavesAdvisory.note(`After this change the cluster is no longer affected by advisory ${id}: ${title}.`, {
        subject,
      }),
    ),
  ]
}

/** Before a run starts: it enters nothing that is known to break, unless the user accepts that. */
export async function checkAdvice(change: Change, accepted: readonly string[]): Promise<void> {
  await refuseUnknownIds(change.spec.inventory, accepted)
  const { entered } = await judged(change)
  const blocking = entered.filter(({ effect, id }) => effect === 'block' && !accepted.includes(id))
  const [first] = blocking
  if (first === undefined) return
  throw blockedByAdvisory.refuse(blocking.map(({ title }) => `${title}.`).join('\n'), {
    subject: { kind: 'cluster', name: change.spec.inventory.settings.cluster_name },
    where: blocking.map(({ id, source }) => `advisory ${id} (${source[0]})`).join(', '),
    fix: `${blocking.map(({ way_out }) => way_out).join('\n')} To go on in spite of it: ${blocking.map(({ id }) => `--accept ${id}`).join(' ')}`,
  })
}

async function refuseUnknownIds(inventory: Inventory, accepted: readonly string[]): Promise<void> {
  if (accepted.length === 0) return
  const ids = (await readAdvisories(inventory)).map(({ id }) => id)
  const unknown = accepted.find((id) => !ids.includes(id))
  if (unknown === undefined) return
  throw new UsageError(`There is no advisory ${unknown}.`, {
    where: '--accept',
    fix: unknown.startsWith('ICH')
      ? 'Only advisories can be accepted. A finding of ichor is solved: see docs/findings.md.'
      : `Accept one of ${ids.join(', ')}.`,
  })
}

async function judged({ spec: { inventory }, desired, observed }: Change): Promise<Judged> {
  const wanted = {
    talos: [desired.cluster.target.talos],
    kubernetes: [desired.cluster.target.kubernetes],
    proxmox: [observed.proxmox.version.version],
    addons: Object.fromEntries(desired.addons.map(({ name, version }) => [name, version])),
    settings: inventory.settings,
  }
  const running = runningCombination(inventory, observed)
  return judgeAdvisories(await readAdvisories(inventory), { running, wanted, now: Date.now() })
}

function textOf({ title, way_out, id, source }: Advisory): string {
  return `${title} (advisory ${id}, ${source[0]}). ${way_out}`
}
