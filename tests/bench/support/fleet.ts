import type { Desired } from '../../../src/desired/desired.js'
import type { Observed } from '../../../src/observe/observed.js'
import type { Plan } from '../../../src/plan/plan.js'
import { anInventory } from '../../support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../../support/worlds.js'

/** How long the plan of a fleet takes, all of it to be made, and once it is there. */
export async function timesOf(machines: number, hostCount: number): Promise<{ made: number; there: number }> {
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
