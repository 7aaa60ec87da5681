import { resolve } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import type { PageAssets } from '../../page/assets.js'
import { exportedHtml } from '../../page/exported-html.js'
import type { ExportedPage, PageState } from '../../page/state.js'
import { type PageCluster, WatchedCluster } from '../../page/watched-cluster.js'
import { cannotWrite } from '../cannot-write.js'
import type { Context } from '../frame/context.js'

/** Runs in the file: with their events it would otherwise grow with the age of the cluster. */
const maxRuns = 3

/** Writes what the page would show now as one file, which needs no server and can be attached to a ticket. */
export async function writeExport(
  file: string,
  page: {
    readonly clusters: readonly PageCluster[]
    readonly assets: PageAssets
    readonly ichorVersion: string
    readonly commands: PageState['commands']
  },
  context: Context,
): Promise<void> {
  const clusters = page.clusters.map((cluster) => new WatchedCluster(cluster))
  await Promise.all(clusters.map((cluster) => cluster.lookNow(0, context.signal)))
  const states = await Promise.all(clusters.map((cluster) => cluster.state()))
  const exported: ExportedPage = {
    state: {
      version: 1,
      ichor_version: page.ichorVersion,
      at: new Date().toISOString(),
      may_change: false,
      clusters: states.map((state) => ({ ...state, every_ms: 0, runs: state.runs.slice(0, maxRuns) })),
      commands: page.commands,
    },
    plans: await Promise.all(clusters.map((cluster) => cluster.plan(context.signal))),
    runs: await Promise.all(
      clusters.map(async ({ journals }, index) => {
        const newest = states[index]?.runs.slice(0, maxRuns) ?? []
        return Object.fromEntries(
          await Promise.all(newest.map(async ({ id }) => [id, (await journals.events(id)) ?? []] as const)),
        )
      }),
    ),
  }
  const path = resolve(context.cwd, file)
  await writeDurably(path, exportedHtml(exported, page.assets), { mode: 0o644 }).catch(cannotWrite(path))
  context.stderr.write(`wrote ${file}\n`)
}
