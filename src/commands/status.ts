import { lastProblem } from '../journal/history.js'
import { errorReport, errorText } from '../report/error.js'
import { widthOf } from '../report/screen-width.js'
import { statusText } from '../report/status-text.js'
import { textStyle } from '../report/text-style.js'
import { loadSpec } from '../spec/load-spec.js'
import type { Status } from '../status/status.js'
import { backupStatus } from './backup/backup-status.js'
import { certificatesOf } from './certificates.js'
import { forEachCluster } from './each-cluster.js'
import { withoutOtherLab } from './forget-other-lab.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { lookAgain } from './look-again.js'
import type { Opened } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

const watchEveryMs = 2000

export default defineCommand({
  description: 'Shows the state of Proxmox, Talos, etcd and Kubernetes on one screen. Changes nothing.',
  examples: ['ichor status', 'ichor status --watch', 'ichor status --json | jq .healthy'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    watch: { type: 'flag', help: 'refresh every two seconds until Ctrl-C' },
  },
  async run({ inventory, json, lab, watch }, context) {
    const inventories = await loadNamed(inventory, context)
    return forEachCluster(inventories, { lab, mayStartLab: false }, context, async (opened) => {
      const look = async () => shown(await ask(opened, context), json, context)
      if (!watch) {
        context.stdout.write(await look())
        return 0
      }
      const clears = !json && context.stdout.isTTY === true
      await lookAgain({
        look,
        failed: (thrown) => shownFailure(thrown, json, context),
        show: (text) => void context.stdout.write(`${clears ? '\u001b[2J\u001b[H' : ''}${text}`),
        everyMs: watchEveryMs,
        signal: context.signal,
      })
      return 0
    })
  },
})

function shown(status: Status, json: boolean, { stdout, env }: Context): string {
  return json ? `${JSON.stringify(status)}\n` : statusText(status, textStyle(stdout, env), widthOf(stdout))
}

function shownFailure(thrown: unknown, json: boolean, { stdout, env }: Context): string {
  return json ? `${JSON.stringify(errorReport(thrown))}\n` : errorText(thrown, textStyle(stdout, env))
}

async function ask(opened: Opened, context: Context) {
  const { inventory, lab } = opened
  const world = await withoutOtherLab(lab, opened)
  const { survey } = await import('../reconcile.js')
  const { statusOf } = await import('../status/status.js')
  const spec = await loadSpec(inventory, { env: context.env, world, isLab: lab !== undefined })
  const seen = await survey({ spec, world, signal: context.signal })
  const certificates = certificatesOf(await world.secrets.find(), inventory, lab !== undefined)
  const backup = await backupStatus(inventory, lab !== undefined, context)
  const wanted = { inventory: seen.inventory, addons: spec.addons, lastProblem: lastProblem(inventory.folder) }
  return { ...statusOf(wanted, seen.observed, seen.verdict, certificates), backup }
}
