import { statusText } from '../report/status-text.js'
import { textStyle } from '../report/text-style.js'
import { certificatesOf } from './certificates.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { type Opened, withWorld } from './open-world.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'
import { wishOf } from './wish.js'

const watchEveryMs = 2000

export default defineCommand({
  description: 'Asks Proxmox, Talos, etcd and Kubernetes, and shows one screen. Changes nothing.',
  examples: ['ichor status', 'ichor status --watch', 'ichor status --json | jq .healthy'],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    watch: { type: 'flag', help: 'again every two seconds, until Ctrl-C' },
  },
  async run({ inventory, json, lab, watch }, context) {
    for (const one of await loadNamed(inventory, context)) {
      await withWorld(one, { lab, mayStartLab: false }, context, async (opened) => {
        do {
          const status = await ask(opened, context)
          if (watch && !json) context.stdout.write('\u001b[2J\u001b[H')
          context.stdout.write(
            json ? `${JSON.stringify(status)}\n` : statusText(status, textStyle(context.stdout, context.env)),
          )
          if (watch) await pause(context.signal)
        } while (watch && !context.signal.aborted)
      })
    }
    return 0
  },
})

async function ask({ world, inventory, lab }: Opened, context: Context) {
  const { survey } = await import('../reconcile.js')
  const { statusOf } = await import('../status.js')
  const wish = await wishOf(inventory, { env: context.env, world, isLab: lab !== undefined })
  const seen = await survey({ wish, world, signal: context.signal })
  const certificates = certificatesOf(await world.secrets.find(), inventory, lab !== undefined)
  return statusOf({ inventory: seen.inventory, addons: wish.addons }, seen.observed, seen.verdict, certificates)
}

async function pause(signal: AbortSignal): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises')
  await wait(watchEveryMs, undefined, { signal }).catch(() => undefined)
}
