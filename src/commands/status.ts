import { ifSeen } from '../cluster/seen.js'
import type { Session } from '../operations/session.js'
import type { Status } from '../operations/status/status.js'
import { errorReport, errorText } from '../report/error.js'
import { widthOf } from '../report/screen-width.js'
import { statusText } from '../report/status-text.js'
import { verdictOf } from '../report/status-verdict.js'
import { textStyle } from '../report/text-style.js'
import { backupFrom } from './backup/backup-status.js'
import { forEachCluster } from './each-cluster.js'
import { exitCodes, exitZeroArg, verdictCode } from './exit-codes.js'
import { factsBeside } from './facts-beside.js'
import { withoutOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { lookAgain } from './look-again.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'
import { watchOnScreen } from './status/watch.js'

const watchEveryMs = 2000

export default defineCommand({
  description:
    'Shows the state of Proxmox, Talos, etcd and Kubernetes on one screen. Changes nothing. Exits with 0 if the cluster is healthy, with 4 if it is degraded or down, with 1 if it could not look.',
  examples: ['ichor status', 'ichor status --watch', 'ichor status --json | jq .healthy'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    ...exitZeroArg,
    watch: {
      type: 'flag',
      help: 'stay on the screen until q or Ctrl-C: machines, findings, the run under way, logs; without a terminal, print it every two seconds',
    },
  },
  async run({ inventory, json, lab, exitZero, watch }, context) {
    const inventories = await loadNamed(inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (opened) => {
      const look = async () => shown(await ask(opened, context), json, context)
      if (!watch) {
        const status = await ask(opened, context)
        context.stdout.write(shown(status, json, context))
        return isUnknown(status) ? exitCodes.failed : verdictCode(status.healthy, { exitZero })
      }
      if (isScreen(json, context)) {
        await watchOnScreen(() => ask(opened, context), opened, context)
        return exitCodes.done
      }
      await lookAgain({
        look,
        failed: (thrown) => shownFailure(thrown, json, context),
        show: (text) => void context.stdout.write(text),
        everyMs: watchEveryMs,
        signal: context.signal,
      })
      return exitCodes.done
    })
  },
})

/** Otherwise every look is written below the one before. */
function isScreen(json: boolean, { stdin, stdout, env }: Context): boolean {
  return !json && stdin.isTTY === true && !textStyle(stdout, env).isPlain
}

/** A whole source could not be seen, or nothing could be proven to be ours. */
function isUnknown(status: Status): boolean {
  return verdictOf(status).word === 'UNKNOWN'
}

function shown(status: Status, json: boolean, { stdout, env }: Context): string {
  return json ? `${JSON.stringify(status)}\n` : statusText(status, textStyle(stdout, env), widthOf(stdout))
}

function shownFailure(thrown: unknown, json: boolean, { stdout, env }: Context): string {
  return json ? `${JSON.stringify(errorReport(thrown))}\n` : errorText(thrown, textStyle(stdout, env))
}

async function ask(opened: Session, context: Context): Promise<Status> {
  const world = await withoutOtherLab(opened.lab, opened)
  const { look } = await import('../operations/status/look.js')
  const { statusOf } = await import('../operations/status/status.js')
  const { findLoad, withLoad } = await import('../operations/status/host-load.js')
  const [{ facts, verdict }, load] = await Promise.all([
    look({ ...opened, world }, factsBeside(opened, context), context.signal),
    findLoad(world, context.signal),
  ])
  return { ...withLoad(statusOf(facts, verdict), load), backup: backupFrom(ifSeen(facts.backup) ?? null) }
}
