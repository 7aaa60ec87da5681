import { UsageError } from '../../errors.js'
import { findingDefinitions } from '../../findings/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { exposition } from '../../metrics/exposition.js'
import { createPassMetrics } from '../../metrics/pass-metrics.js'
import { samplesOf } from '../../metrics/samples.js'
import { ownVersion } from '../../own-version.js'
import { serve } from '../../watch/serve.js'
import type { Environment, PassReport, WatchAccess } from './watch-environment.js'
import { secretOf } from './webhooks-of.js'

interface Wanted {
  environments(): readonly Environment[]
  /** `127.0.0.1:9469`; missing: as in the inventories. */
  readonly listen: string | undefined
  readonly access: WatchAccess
}

export interface OpenMetrics {
  readonly address: string
  record(report: PassReport, seconds: number): void
  close(): Promise<void>
}

const usual = '127.0.0.1:9469'

/** Serves what the passes see. Address and token are read once, at the start. */
export async function openMetrics({ environments, listen, access }: Wanted): Promise<OpenMetrics> {
  const inventories = await loadable(environments(), access)
  const address = listen ?? theOne(inventories.map(({ settings }) => settings.watch.listen)) ?? usual
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(address) ?? []
  if (host === '' || Number(port) > 65_535) {
    throw new UsageError(`${address} is not a host and a port.`, { where: '--listen', fix: `Write it as ${usual}.` })
  }
  const token = await tokenOf(inventories, access)
  const passes = createPassMetrics()
  const seen = new Set<string>()
  const served = await serve({
    host,
    port: Number(port),
    ...(token === undefined ? {} : { token }),
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
    record: ({ cluster, outcome }, seconds) => {
      seen.add(cluster)
      passes.record({ cluster, outcome, seconds })
    },
    close: served.close,
  }
}

/** One that cannot be used now is reported by its first pass. */
async function loadable(environments: readonly Environment[], { load }: WatchAccess): Promise<Inventory[]> {
  const loaded = await Promise.all(environments.map(({ file }) => load(file).catch(() => undefined)))
  return loaded.filter((inventory) => inventory !== undefined)
}

function theOne(addresses: readonly string[]): string | undefined {
  const [first, second] = new Set(addresses)
  if (second === undefined) return first
  throw new UsageError(`The inventories name several addresses for metrics: ${first}, ${second}.`, {
    where: 'watch.listen',
    fix: 'One process serves one address: name it with --listen.',
  })
}

async function tokenOf(inventories: readonly Inventory[], access: WatchAccess): Promise<string | undefined> {
  const found = await Promise.all(
    inventories.map(async (inventory) => {
      const { token } = inventory.settings.watch
      if (token === undefined) return []
      const read = (values: Readonly<Record<string, string>>) =>
        secretOf(token, inventory, { env: access.env, values, isLab: access.isLab })
      if (token.kind !== 'secret') return [await read({})]
      return access.withSession(inventory, async ({ world }) => [
        await read((await world.secrets.find())?.memory.values ?? {}),
      ])
    }),
  )
  const tokens = new Set(found.flat())
  if (tokens.size <= 1) return [...tokens][0]
  throw new UsageError('The inventories name several tokens for metrics.', {
    where: 'watch.token',
    fix: 'One process serves all of them: name the same one in each inventory.',
  })
}
