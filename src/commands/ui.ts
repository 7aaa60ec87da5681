import type { Session } from '../operations/session.js'
import { defineCommand } from './frame/define-command.js'
import { loadNamed } from './inventories.js'
import { withWorld } from './open-world.js'
import { inventoryArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Serves a page on this computer that shows hosts, machines, findings, the plan and runs, also those that another terminal started. Changes nothing, unless --allow-changes lets it apply the plan that it shows. Runs until Ctrl-C.',
  examples: ['ichor ui', 'ichor ui -i inventory/', 'ichor ui --port 8090 --no-open', 'ichor ui --export estate.html'],
  args: {
    ...inventoryArg,
    ...labArg,
    port: { type: 'number', placeholder: 'PORT', help: 'a free one by default', integer: true, min: 1, max: 65_535 },
    allowChanges: { type: 'flag', help: 'let the page apply the plan that it shows' },
    export: { type: 'text', placeholder: 'FILE', help: 'write what the page shows now as one HTML file, and exit' },
    noOpen: { type: 'flag', help: 'do not open a browser' },
  },
  async run({ inventory, lab, port = 0, allowChanges, export: file, noOpen }, context) {
    const { openBrowser } = await import('./ui/open-browser.js')
    const { pageCluster } = await import('./ui/page-cluster.js')
    const { pageAssets } = await import('../page/assets.js')
    const { ownVersion } = await import('../own-version.js')
    const { commands } = await import('./index.js')
    const inventories = await loadNamed(inventory, context)
    const serve = async (sessions: readonly Session[]): Promise<void> => {
      const clusters = sessions.map((session) => pageCluster(session, { named: inventory, lab, allowChanges }, context))
      const common = {
        clusters,
        assets: pageAssets(),
        ichorVersion: ownVersion(),
        commands: commands.map(({ name, summary }) => ({ name, summary })),
      }
      if (file !== undefined) {
        const { writeExport } = await import('./ui/write-export.js')
        return writeExport(file, common, context)
      }
      const { servePage } = await import('../page/server.js')
      const opensBrowser = !noOpen && context.stdout.isTTY === true
      let link = ''
      const onLink = (url: string) => {
        link = url
        context.stdout.write(`${url}\n`)
      }
      const page = await servePage({ ...common, port, signal: context.signal, onLink })
      const opened = opensBrowser ? await openBrowser(link, context.env) : undefined
      context.stderr.write('Open until Ctrl-C. The link is a key: keep it to yourself.\n')
      await untilStopped(context.signal)
      await opened?.remove()
      await page.close()
    }
    const openAll = (left: readonly (typeof inventories)[number][], sessions: readonly Session[]): Promise<void> => {
      const [next, ...rest] = left
      if (next === undefined) return serve(sessions)
      return withWorld(next, { lab, mayStartLab: false }, context, (session) => openAll(rest, [...sessions, session]))
    }
    await openAll(inventories, [])
    return 0
  },
})

function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
