import { reasonOf, UsageError } from '../../errors.js'
import { findingDefinitions } from '../../findings/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { exposition } from '../../metrics/exposition.js'
import { createPassMetrics } from '../../metrics/pass-metrics.js'
import { samplesOf } from '../../metrics/samples.js'
import { ownVersion } from '../../own-version.js'
import { type MayRead, serve } from '../../watch/serve.js'
import type { Environment, PassReport, WatchAccess } from './watch-environment.js'
import { secretOf } from './webhooks-of.js'

type Readers = MayRead & { readonly why?: string }

interface Wanted {
  environments(): readonly Environment[]
  /** `127.0.0.1:9469`; missing: as in the inventories. */
  readonly listen: string | undefined
  readonly access: WatchAccess
}

export interface OpenMetrics {
  readonly address: string
  /** Why they are closed now. */
  closedBecause(): string | undefined
  /** After it, a token that could not be read before is read again. */
  record(report: PassReport, seconds: number): Promise<void>
  close(): Promise<void>
}

const usual = '127.0.0.1:9469'

/** Serves what the passes see. The address is read once; a token as soon as an inventory names one. */
export async function openMetrics({ environments, listen, access }: Wanted): Promise<OpenMetrics> {
  const inventories = await loadable(environments(), access)
  const known = inventories.filter((inventory) => inventory !== undefined)
  const address = listen ?? theOne(known.map(({ settings }) => settings.watch.listen)) ?? usual
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(address) ?? []
  if (host === '' || Number(port) > 65_535) {
    throw new UsageError(`${address} is not a host and a port.`, { where: '--listen', fix: `Write it as ${usual}.` })
  }
  let mayRead = await readersOf(inventories, access)
  const passes = createPassMetrics()
  const seen = new Set<string>()
  const served = await serve({
    host,
    port: Number(port),
    mayRead: () => mayRead,
    isReady: () => environments().every(({ measurement }) => seen.has(measurement().cluster)),
    metrics: async () => {
      const measurements = environments().map(({ measurement }) => measurement())
      const samples = samplesOf(measurements, { version: ownVersion(), definitions: findingDefinitions })
      return `${await exposition(samples)}\n${await passes.text()}`
    },
  }).catch((cause: unknown) => {
    const fix = 'Choose another one with --listen, or end what uses it.'
    throw new UsageError(`Nothing can be served on ${address}.`, { where: '--listen', fix, cause })
  })
  return {
    address: served.address,
    closedBecause: () => mayRead.why,
    record: async ({ cluster, outcome }, seconds) => {
      seen.add(cluster)
      passes.record({ cluster, outcome, seconds })
      if (mayRead.who !== 'bearer') mayRead = await readersOf(await loadable(environments(), access), access)
    },
    close: served.close,
  }
}

/** `undefined` for one that cannot be used, which its pass reports. */
async function loadable(
  environments: readonly Environment[],
  { load }: WatchAccess,
): Promise<(Inventory | undefined)[]> {
  return Promise.all(environments.map(({ file, inventory }) => load(file).catch(() => inventory())))
}

function theOne(addresses: readonly string[]): string | undefined {
  const [first, second] = new Set(addresses)
  if (second === undefined) return first
  throw new UsageError(`The inventories name several addresses for metrics: ${first}, ${second}.`, {
    where: 'watch.listen',
    fix: 'One process serves one address: name it with --listen.',
  })
}

async function readersOf(inventories: readonly (Inventory | undefined)[], access: WatchAccess): Promise<Readers> {
  const known = inventories.filter((inventory) => inventory !== undefined)
  try {
    const tokens = new Set((await Promise.all(known.map((inventory) => tokenOf(inventory, access)))).flat())
    const [token, second] = tokens
    if (second !== undefined) return { who: 'none', why: 'The inventories name several tokens for metrics.' }
    if (token !== undefined) return { who: 'bearer', token }
  } catch (thrown) {
    return { who: 'none', why: `The token for metrics cannot be read: ${reasonOf(thrown)}` }
  }
  if (known.length === inventories.length) return { who: 'all' }
  return { who: 'none', why: 'Not every inventory could be read yet, so it is not known whether a token is needed.' }
}

async function tokenOf(inventory: Inventory, access: WatchAccess): Promise<string[]> {
  const { token } = inventory.settings.watch
  if (token === undefined) return []
  const read = (values: Readonly<Record<string, string>>) =>
    secretOf(token, inventory, { env: access.env, values, isLab: access.isLab })
  if (token.kind !== 'secret') return [await read({})]
  return access.withSession(inventory, async ({ world }) => [
    await read((await world.secrets.find())?.memory.values ?? {}),
  ])
}
