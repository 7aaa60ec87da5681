import { resolve } from 'node:path'
import { systemClock } from '../clock.js'
import { UsageError } from '../errors.js'
import type { WatchActing } from '../operations/watch/act.js'
import type { Environment, PassReport, WatchAccess } from '../operations/watch/watch-environment.js'
import { textStyle } from '../report/text-style.js'
import { lineOf } from '../watch/watch-event.js'
import { factsBeside } from './facts-beside.js'
import { withoutOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { inventoryPaths } from './inventories.js'
import { withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

/** Something is wrong or differs. */
const troubleCode = 4
const unseenCode = 1

export default defineCommand({
  description:
    'Follows a folder of environments: compares every cluster with its inventory, on a period and when files change, and reports what is new once: findings, plans that are pending, inventories that cannot be used. Serves metrics and calls webhooks. Changes nothing, unless --apply: then it carries out approved plans, in clusters that allow it with watch.apply. --once looks once and exits with 4 if something is wrong or differs, with 1 if a cluster could not be looked at.',
  examples: [
    'ichor watch inventory',
    'ichor watch inventory --apply',
    'ichor watch inventory --once',
    'ichor watch --listen 127.0.0.1:9469',
  ],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    once: { type: 'flag', help: 'look once at every environment and exit' },
    apply: { type: 'flag', help: 'carry out plans that a file in approvals/ approves, where watch.apply allows it' },
    allowCommands: { type: 'flag', help: 'with --apply: also plans of inventories with commands in roll' },
    state: {
      type: 'text',
      placeholder: 'DIR',
      help: 'where it is kept what was reported; by default .ichor beside each inventory, or XDG_STATE_HOME where that is read-only',
    },
    listen: {
      type: 'text',
      placeholder: 'HOST:PORT',
      help: 'where metrics are served; by default as in the inventories, or 127.0.0.1:9469',
    },
  },
  positionals: [{ name: 'path', help: 'a folder of environments, or one inventory, as with -i', required: false }],
  async run({ inventory, json, lab, once, apply, allowCommands, listen, state }, context, positionals) {
    const { findEnvironments } = await import('../inventory/files.js')
    const { watchEnvironment } = await import('../operations/watch/watch-environment.js')
    const find = async () =>
      (await Promise.all((await inventoryPaths([...inventory, ...positionals], context)).map(findEnvironments))).flat()
    const access = accessOf({ lab, state, apply, allowCommands }, context)
    const show = (report: PassReport) => shown(report, json, context)
    const first = (await usable(find)).map((file) => watchEnvironment(file, access))
    if (once) return lookOnce(first, show, context)
    await followAll({ find, first, access, listen, show }, context)
    return 0
  },
})

interface AccessArgs {
  readonly lab: boolean
  readonly state: string | undefined
  readonly apply: boolean
  readonly allowCommands: boolean
}

function accessOf({ lab, state, apply, allowCommands }: AccessArgs, context: Context): WatchAccess {
  const acting: WatchActing = {
    allowsCommands: allowCommands,
    now: Date.now,
    withSession: (inventory, work) => withWorld(inventory, { lab, mayStartLab: false }, context, work),
  }
  return {
    ...(apply ? { acting } : {}),
    env: context.env,
    isLab: lab,
    ...(state === undefined ? {} : { state: resolve(context.cwd, state) }),
    clock: { now: Date.now, sleep: systemClock.sleep },
    load: async (file) => (await import('../inventory/index.js')).loadInventory(file, { env: context.env }),
    withSession: (inventory, work) =>
      withWorld(inventory, { lab, mayStartLab: false }, context, async (opened) =>
        work({ ...opened, world: await withoutOtherLab(opened.lab, opened) }),
      ),
    beside: (session) => factsBeside(session, context),
  }
}

/** A path that is wrong when the command starts is a mistake, and not a broken synchronization. */
async function usable(find: () => Promise<string[]>): Promise<string[]> {
  const { UnusableFile } = await import('../inventory/files.js')
  return find().catch((thrown: unknown) => {
    if (!(thrown instanceof UnusableFile)) throw thrown
    const { message, fix } = thrown.problem
    throw new UsageError(message, { where: 'path', fix })
  })
}

async function lookOnce(
  environments: readonly Environment[],
  show: (report: PassReport) => void,
  { signal }: Context,
): Promise<number> {
  let code = 0
  for (const environment of environments) {
    const report = await environment.pass(signal)
    show(report)
    // What was changed is looked at again, so that the code is that of the cluster as it is left.
    if (report.events.some(({ type }) => type === 'plan.applied')) show(await environment.pass(signal))
    const { seen } = environment.measurement()
    const isTrouble =
      seen === undefined ||
      seen.examination.findings.some(({ severity }) => severity !== 'info') ||
      (seen.plan?.steps.some(({ changes }) => changes) ?? true)
    code = code === unseenCode || seen === undefined ? unseenCode : isTrouble ? troubleCode : code
  }
  return code
}

interface Wanted {
  readonly find: () => Promise<string[]>
  readonly first: readonly Environment[]
  readonly access: WatchAccess
  readonly listen: string | undefined
  readonly show: (report: PassReport) => void
}

async function followAll({ find, first, access, listen, show }: Wanted, context: Context): Promise<void> {
  const { follow } = await import('../operations/watch/follow.js')
  const { openMetrics } = await import('../operations/watch/open-metrics.js')
  const { watchEnvironment } = await import('../operations/watch/watch-environment.js')
  const environments = new Map(first.map((environment) => [environment.file, environment]))
  const open = (file: string): Environment => {
    const environment = environments.get(file) ?? watchEnvironment(file, access)
    environments.set(file, environment)
    return environment
  }
  const metrics = await openMetrics({ environments: () => [...environments.values()], listen, access })
  context.stderr.write(
    `watching ${first.length} ${first.length === 1 ? 'cluster' : 'clusters'}, metrics on http://${metrics.address}/metrics\n`,
  )
  const closed = metrics.closedBecause()
  if (closed !== undefined) context.stderr.write(`note  the metrics are closed: ${closed}\n`)
  try {
    await follow({
      find,
      open,
      clock: systemClock,
      signal: context.signal,
      report: (report, seconds) => {
        void metrics.record(report, seconds)
        show(report)
      },
    })
  } finally {
    await metrics.close()
  }
}

function shown({ cluster, events, notes }: PassReport, json: boolean, { stdout, stderr, env }: Context): void {
  const { red, yellow, dim } = textStyle(stdout, env)
  const paint = { blocks: red, warns: yellow, info: dim }
  for (const event of events) {
    if (json) stdout.write(`${JSON.stringify({ version: 1, ...event })}\n`)
    else stdout.write(`${event.at.slice(0, 19)}Z  ${event.cluster}  ${paint[event.severity](lineOf(event))}\n`)
  }
  for (const note of notes) stderr.write(`note  ${cluster}: ${note}\n`)
}
