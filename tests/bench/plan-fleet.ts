import { anInventory } from '../support/inventories.js'
import { aWorld, carriedOut, planOf, specFor } from '../support/worlds.js'

const machines = 1000
const mebibyte = 1024 ** 2

/** A fleet that is all to be made, and one that is there and needs nothing. */
export default {
  name: 'plan of a fleet',
  async run() {
    const hosts = Array.from({ length: 100 }, (_, index) => `pve${index + 1}`)
    const inventory = await anInventory({
      controlPlanes: 5,
      workers: machines - 5,
      hosts,
      with: { sizing: { worker: { cpu: 2, ram: '2G', disk: '20G' } } },
    })
    const empty = aWorld(hosts)
    const started = performance.now()
    const plan = planOf(specFor(inventory), empty)
    const took = performance.now() - started
    const memory = process.memoryUsage.rss() / mebibyte
    const spec = specFor(inventory)
    const built = carriedOut(plan.steps, spec(empty), empty)
    const again = performance.now()
    const rest = planOf(specFor(inventory), built)
    const tookAgain = performance.now() - again
    if (plan.steps.length < machines * 5 || rest.steps.length > 0) throw new Error('the plans are not as expected')
    const of = `plan of ${machines} machines on ${hosts.length} hosts`
    return [
      { name: `${of}, all to be made`, value: Math.round(took), limit: 2000, unit: 'ms' },
      { name: `${of}, all there`, value: Math.round(tookAgain), limit: 2000, unit: 'ms' },
      { name: `${of}: memory of the process`, value: Math.round(memory), limit: 500, unit: 'MB' },
    ]
  },
}
