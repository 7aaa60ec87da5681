import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Inventory } from '../../inventory/inventory.js'
import { filesThatMatter, resolveFile } from '../../inventory/referenced-files.js'
import type { Clock } from '../../world.js'
import type { Environment, PassReport } from './watch-environment.js'

export interface Following {
  /** The environments that there are now; throws if the folder cannot be read. */
  find(): Promise<readonly string[]>
  open(file: string): Environment
  /** After every pass, also of one that could not look. */
  report(report: PassReport, seconds: number): void
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>
  readonly signal: AbortSignal
}

interface Followed {
  readonly environment: Environment
  /** States of the files beside it, and of those elsewhere that it names. */
  files: string
  named: ReadonlyMap<string, string>
  /** When its files last changed. */
  changedAt?: number
  startedAt?: number
  running?: Promise<void>
}

/** How often files are looked at. */
const tickMs = 5000
/** Files that still change are half written. */
const settleMs = 5000
/** Until an inventory could be read. */
const usualMs = 600_000
const passesAtOnce = 4

/**
 * Looks at every environment on its period and when its files change, until it is stopped. An environment that is gone
 * from the folder stays: a broken synchronization looks the same.
 */
export async function follow(following: Following): Promise<void> {
  const { clock, signal } = following
  const all = new Map<string, Followed>()
  try {
    while (!signal.aborted) {
      await discover(all, following)
      for (const one of all.values()) {
        const running = [...all.values()].filter((other) => other.running !== undefined).length
        if (one.running === undefined && running < passesAtOnce && isDue(one, clock.monotonic())) start(one, following)
      }
      await clock.sleep(tickMs, signal).catch(() => undefined)
    }
  } finally {
    await Promise.allSettled([...all.values()].map(({ running }) => running))
  }
}

async function discover(all: Map<string, Followed>, { find, open, clock }: Following): Promise<void> {
  const files = await find().catch(() => [])
  for (const file of files)
    if (!all.has(file)) all.set(file, { environment: open(file), files: await stateBeside(file), named: new Map() })
  for (const [file, one] of all) {
    const [beside, named] = [await stateBeside(file), await stateOfNamed(one.environment)]
    // A file that is named for the first time was read by the pass that found its name.
    const isSame = beside === one.files && [...named].every(([path, state]) => (one.named.get(path) ?? state) === state)
    one.files = beside
    one.named = named
    if (!isSame) one.changedAt = clock.monotonic()
  }
}

function isDue({ environment, changedAt, startedAt }: Followed, now: number): boolean {
  if (startedAt === undefined) return true
  if (changedAt !== undefined && now - changedAt >= settleMs) return true
  return now - startedAt >= (environment.inventory()?.settings.watch.every ?? usualMs)
}

function start(one: Followed, { clock, signal, report }: Following): void {
  const startedAt = clock.monotonic()
  one.startedAt = startedAt
  delete one.changedAt
  one.running = one.environment
    .pass(signal)
    .then((done) => report(done, (clock.monotonic() - startedAt) / 1000))
    .catch((thrown: unknown) => {
      if (signal.aborted) return
      const { cluster } = one.environment.measurement()
      const notes = [`This pass ended with an error: ${String(thrown)}`]
      report({ cluster, outcome: 'unseen', events: [], notes }, (clock.monotonic() - startedAt) / 1000)
    })
    .finally(() => {
      delete one.running
    })
}

/** Names, sizes and times of the files beside an inventory; what ichor keeps there itself is hidden and left out. */
async function stateBeside(file: string): Promise<string> {
  const folder = dirname(file)
  const names = await readdir(folder).catch(() => [])
  const wanted = names.filter((name) => !name.startsWith('.') || name === '.sops.yaml').sort()
  return (await Promise.all(wanted.map(async (name) => `${name} ${await stateOf(join(folder, name))}`))).join('\n')
}

/** The same of patches, certificates and manifests, wherever they are. */
async function stateOfNamed({ inventory }: Environment): Promise<ReadonlyMap<string, string>> {
  const read = inventory()
  if (read === undefined) return new Map()
  const paths = [...filesThatMatter(read.settings), ...manifestsOf(read)].map((path) => resolveFile(read.folder, path))
  return new Map(await Promise.all(paths.map(async (path) => [path, await stateOf(path)] as const)))
}

/** Manifests of addons that are files. */
function manifestsOf({ settings: { addons } }: Inventory): string[] {
  const sources = addons.custom.flatMap(({ manifests = [], kustomize }) => [
    ...manifests.map(({ source }) => source),
    ...(kustomize === undefined ? [] : [kustomize]),
  ])
  return sources.filter((source) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(source))
}

async function stateOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? `${found.size} ${found.mtimeMs}` : ''
}
