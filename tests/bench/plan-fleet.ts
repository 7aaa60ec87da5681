import type { Desired } from '../../src/desired/desired.js'
import type { Observed } from '../../src/observe/observed.js'
import type { Plan } from '../../src/plan/plan.js'
import { anInventory } from '../support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../support/worlds.js'

const mebibyte = 1024 ** 2

/** A fleet that is all to be made, and one that is there and needs nothing: ten times the machines take at most twelve times as long. */
export default {
  name: 'plan of a fleet',
  async run() {
    const first = await timesOf(1000, 100)
    const memory = Math.round(process.memoryUsage.rss() / mebibyte)
    const small = await timesOf(1000, 500)
    const large = await timesOf(10_000, 500)
    const of = 'plan of 1,000 machines on 100 hosts'
    const growth = 'plan of 10,000 machines on 500 hosts over one of 1,000'
    return [
      { name: `${of}, all to be made`, value: Math.round(first.made), limit: 2000, unit: 'ms' },
      { name: `${of}, all there`, value: Math.round(first.there), limit: 2000, unit: 'ms' },
      { name: `${of}: memory of the process`, value: memory, limit: 500, unit: 'MB' },
      { name: `${growth}, all to be made`, ...ratio(large.made, small.made) },
      { name: `${growth}, all there`, ...ratio(large.there, small.there) },
    ]
  },
}

function ratio(one: number, other: number) {
  return { value: Math.round((one / other) * 10) / 10, limit: 12, unit: 'times' }
}

async function timesOf(machines: number, hostCount: number): Promise<{ made: number; there: number }> {
  const hosts = Array.from({ length: hostCount }, (_, index) => `pve${index + 1}`)
  const desire = specFor(await aFleet(machines, hosts))
  const empty = aWorld(hosts)
  const making = timed(() => planOf(desire, empty))
  const built = carriedOutInRounds(making.value, desire, empty)
  const rest = timed(() => planOf(desire, built))
  const isAsExpected = making.value.steps.length >= machines * 5 && rest.value.steps.length === 0
  if (!isAsExpected) throw new Error('the plans are not as expected')
  return { made: making.ms, there: rest.ms }
}

function aFleet(machines: number, hosts: readonly string[]) {
  return anInventory({
    controlPlanes: 5,
    workers: machines - 5,
    hosts,
    with: { sizing: { worker: { cpu: 2, ram: '2G', disk: '20G' } }, placement: { overcommit: 4 } },
  })
}

function carriedOutInRounds(
  { rounds, steps }: Plan,
  desire: (observed: Observed) => Desired,
  from: Observed,
): Observed {
  let built = from
  for (let round = 1; round <= rounds; round++)
    built = carriedOut(
      steps.filter((step) => step.round === round),
      desire(built),
      built,
    )
  return built
}

function timed<T>(work: () => T): { value: T; ms: number } {
  globalThis.gc?.()
  const started = performance.now()
  const value = work()
  return { value, ms: performance.now() - started }
}
