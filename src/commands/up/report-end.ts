import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { labOption } from '../../lab/lab-name.js'
import type { Result } from '../../operations/result.js'
import type { Session } from '../../operations/session.js'
import { durationText } from '../../report/duration.js'
import { nothingToDo } from '../../report/plan/plan-text.js'
import { widthOf } from '../../report/screen-width.js'
import { textStyle } from '../../report/text-style.js'
import { beside } from '../../report/wrap.js'
import type { EndOf, NextStep } from '../change/verb-end.js'
import type { Context } from '../frame/context.js'

export interface EndOptions {
  readonly json: boolean
  /** Of `up`. */
  readonly until?: string
  /** Of the verbs that do something of their own; by default a healthy cluster is the result. */
  readonly end?: EndOf
  /** The machines that the run was limited to. */
  readonly target?: readonly string[] | null
  /** When the user confirmed, in milliseconds since 1970. */
  readonly startedAt: number
  /** An age key that was created in this run. */
  readonly newKey?: string | undefined
}

/** How a run ended, and what to do next. */
export async function reportEnd(
  { outcome, changed, left = [] }: Result,
  options: EndOptions,
  opened: Session,
  context: Context,
): Promise<void> {
  const { json, until = 'healthy', target = null, startedAt } = options
  const write = (text: string) => void (json ? context.stderr : context.stdout).write(`${text}\n`)
  const { cluster_name: cluster } = opened.inventory.settings
  if (outcome === 'declined') return write('Nothing was changed.')
  const { writeAccess } = await import('../access-files.js')
  const written = await writeAccess({ inventory: opened.inventory, world: opened.world, lab: opened.lab }, context)
  for (const file of written) write(`wrote ${file}`)
  if (outcome === 'paused') return write(`${cluster} is in the middle of an upgrade: run ichor upgrade to continue.`)
  const who = target === null ? cluster : target.join(', ')
  const verb = target !== null && target.length > 1 ? 'match' : 'matches'
  const style = textStyle(context.stdout, context.env)
  if (outcome === 'nothing-to-do')
    return write(target === null ? nothingToDo(cluster, left) : `${who} ${verb} the inventory: nothing to do.`)
  const changes = `${changed} change${changed === 1 ? '' : 's'}`
  if (target !== null) return write(`${who} ${verb} the inventory: ${changes}.`)
  if (until !== 'healthy') return write(`${cluster} is built up to --until ${until}: ${changes}.`)
  const took = [changes, durationText(Date.now() - startedAt)]
  const width = widthOf(context.stdout)
  const end = options.end?.(opened.inventory, flagOf(opened, context))
  const result =
    end === undefined
      ? `${cluster} is healthy: ${[...(await factsOf(opened)), ...took].join(', ')}`
      : `${end.done}: ${took.join(', ')}`
  write(style.green(beside(`${style.signs.ok} `, style.signs.ok.length + 1, result, width)))
  const rows =
    end === undefined
      ? await nextSteps(options, opened, context)
      : [...end.next, ...(end.writes ? await commitRow(opened, context) : [])]
  write('')
  for (const [label, text] of rows) write(beside(`  ${style.dim(label.padEnd(10))} `, 13, text, width))
}

async function factsOf({ inventory }: Session): Promise<string[]> {
  const { resolveAddons } = await import('../../addons/resolve-addons.js')
  const { addonContext } = await import('../../desired/addon-context.js')
  const machines = inventory.machines.length
  // With those that others bring, as in the plan and in the status.
  const count = resolveAddons(inventory.settings.addons, addonContext(inventory, {})).length
  return [
    `${machines} machine${machines === 1 ? '' : 's'}`,
    ...(count > 0 ? [`${count} addon${count === 1 ? '' : 's'}`] : []),
  ]
}

/** What a command needs to find this cluster. */
export function flagOf({ inventory, lab }: Session, { cwd, env }: Context): string {
  return `${lab === undefined ? '' : ` ${labOption(env)}`}${inventoryOption(relative(cwd, inventory.folder))}`
}

/** The command that lists the steps of what `up` would do. */
export function stepsCommand(
  opened: Session,
  { target, goal = '' }: { readonly target: readonly string[] | null; readonly goal?: string },
  context: Context,
): string {
  const targets = (target ?? []).map((name) => ` --target ${name}`).join('')
  return `ichor plan${flagOf(opened, context)}${targets}${goal} --steps`
}

function pathFrom({ inventory }: Session, { cwd }: Context): (name: string) => string {
  return (name) => relative(cwd, join(inventory.folder, name)) || name
}

async function nextSteps({ newKey }: EndOptions, opened: Session, context: Context): Promise<NextStep[]> {
  const { inventory, lab } = opened
  const { env } = context
  const suffix = lab === undefined ? '' : '.lab'
  const path = pathFrom(opened, context)
  const flag = flagOf(opened, context)
  const isWritten = inventory.settings.client_files.kubeconfig !== 'none'
  const access = isWritten
    ? `export KUBECONFIG=${path(`kubeconfig${suffix}`)}`
    : `ichor kubeconfig${flag} --merge --use`
  const home = env.HOME ?? homedir()
  const key = newKey?.startsWith(`${home}/`) ? `~${newKey.slice(home.length)}` : newKey
  return [
    ['kubectl', `${access} && kubectl get nodes`],
    ['look', `ichor status${flag}    ichor health${flag}`],
    ...(key === undefined ? [] : [['keep safe', `${key}  (new; without it the secrets are lost)`] as const]),
    ...(await commitRow(opened, context)),
  ]
}

async function commitRow(opened: Session, context: Context): Promise<NextStep[]> {
  if (opened.lab !== undefined) return []
  const files = await filesToCommit(opened.inventory.folder)
  return [['commit', files.map(pathFrom(opened, context)).join(', ')]]
}

/** Empty for a folder that commands use by default. */
function inventoryOption(folder: string): string {
  return folder === '' || /^inventory(\/|$)/.test(folder) ? '' : ` -i ${folder}`
}

async function filesToCommit(folder: string): Promise<string[]> {
  const names = ['cluster.yaml', 'nodes.yaml', 'secrets.sops.yaml', 'ichor.lock.yaml', '.gitignore']
  const there = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        () => [name],
        () => [],
      ),
    ),
  )
  return there.flat()
}
