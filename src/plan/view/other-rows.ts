import type { OtherRow } from '../../events/plan-view.js'
import { fetchImage } from '../../steps/fetch-image.js'
import { installAddon, removeAddon } from '../../steps/install-addon.js'
import { makeGuest } from '../../steps/make-guest.js'
import { makeSecrets } from '../../steps/make-secrets.js'
import { makeTemplate } from '../../steps/make-template.js'
import type { StepKind } from '../../steps/step.js'
import type { Plan, PlannedStep } from '../plan.js'
import type { PlanFacts } from './machine-rows.js'

/** Addons, guests, templates, one-time objects, and everything else that does not concern a single machine. */
export function otherRows({ steps }: Pick<Plan, 'steps'>, { desired, observed }: PlanFacts): OtherRow[] {
  const own = steps.filter(({ machine, changes }) => machine === undefined && changes)
  const of = ({ kind }: StepKind) => own.filter((step) => step.kind === kind)
  const installed = of(installAddon).map(({ args }) => addonText(String(args.addon ?? ''), desired.addons))
  const once = [
    ...(of(makeSecrets).length > 0 ? ['cluster secrets'] : []),
    ...counted(of(fetchImage).length, 'Talos image', 'host'),
    ...counted(of(makeTemplate).length, 'Talos template', 'host'),
  ]
  return [
    ...(installed.length > 0 ? [row('create', 'addons', installed.join(', '))] : []),
    ...of(removeAddon).map((step) => row('delete', String(step.args.addon ?? 'addon'), 'addon', step.loses)),
    ...of(makeGuest).map(({ args }) => row('create', String(args.guest ?? 'guest'), 'guest')),
    ...templateRows(steps, observed.templates),
    ...(once.length > 0 ? [row('create', 'once', once.join(', '))] : []),
    ...own.filter(({ kind }) => !named.has(kind)).map(stepRow),
  ]
}

const named = new Set(
  [installAddon, removeAddon, makeGuest, makeSecrets, fetchImage, makeTemplate].map(({ kind }) => kind),
)

function templateRows(steps: Plan['steps'], templates: PlanFacts['observed']['templates']): OtherRow[] {
  const deleted = new Set(steps.flatMap(({ machine = '', changes }) => (changes ? [machine] : [])))
  return templates
    .filter(({ name }) => deleted.has(name))
    .map(({ name, host, vmid }) => ({ ...row('delete', name, 'template'), host, vmid }))
}

function row(action: OtherRow['action'], name: string, text: string, loses: readonly string[] = []): OtherRow {
  return { action, name, host: null, vmid: null, text, loses }
}

function stepRow(step: PlannedStep): OtherRow {
  return row(/^(delete|remove|forget)-/.test(step.kind) ? 'delete' : 'change', 'cluster', step.title, step.loses)
}

function addonText(name: string, addons: PlanFacts['desired']['addons']): string {
  const version = addons.find((addon) => addon.name === name)?.version
  return version === undefined ? name : `${name} ${version}`
}

function counted(count: number, what: string, where: string): string[] {
  return count === 0 ? [] : [`${what} on ${count} ${where}${count === 1 ? '' : 's'}`]
}
