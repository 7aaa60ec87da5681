import type { OtherRow } from '../../events/plan-view.js'
import type { Plan, PlannedStep } from '../plan.js'
import type { PlanFacts } from './machine-rows.js'

/** Addons, guests, templates, one-time objects, and everything else that does not concern a single machine. */
export function otherRows({ steps }: Pick<Plan, 'steps'>, { desired, observed }: PlanFacts): OtherRow[] {
  const own = steps.filter(({ machine, changes }) => machine === undefined && changes)
  const of = (kind: string) => own.filter((step) => step.kind === kind)
  const installed = of('install-addon').map(({ args }) => addonText(String(args.addon ?? ''), desired.addons))
  const once = [
    ...(of('make-secrets').length > 0 ? ['cluster secrets'] : []),
    ...counted(of('fetch-image').length, 'Talos image', 'host'),
    ...counted(of('make-template').length, 'Talos template', 'host'),
  ]
  return [
    ...(installed.length > 0 ? [row('create', 'addons', installed.join(', '))] : []),
    ...of('remove-addon').map((step) => row('delete', String(step.args.addon ?? 'addon'), 'addon', step.loses)),
    ...of('make-guest').map(({ args }) => row('create', String(args.guest ?? 'guest'), 'guest')),
    ...templateRows(steps, observed.templates),
    ...(once.length > 0 ? [row('create', 'once', once.join(', '))] : []),
    ...own.filter(({ kind }) => !named.has(kind)).map(stepRow),
  ]
}

const named = new Set(['install-addon', 'remove-addon', 'make-guest', 'make-secrets', 'fetch-image', 'make-template'])

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
