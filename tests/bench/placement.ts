import { place } from '../../src/placement/index.js'
import { aHost, anInventory, someFacts } from '../support/inventories.js'

/** Control planes, and workers that fill most of the hosts. */
export default {
  name: '10,000 machines placed on 500 hosts',
  async run(): Promise<{ value: number; limit: number; unit: string }> {
    const hosts = Array.from({ length: 500 }, (_, index) => `pve${index + 1}`)
    const inventory = await anInventory({
      controlPlanes: 5,
      workers: 9995,
      hosts,
      with: { sizing: { worker: { cpu: 2, ram: '2G', disk: '20G' } } },
    })
    const facts = someFacts(hosts.map((name) => aHost(name)))
    const start = performance.now()
    const { hostOf } = place(inventory, facts)
    const took = performance.now() - start
    if (hostOf.size !== 10_000) throw new Error(`${hostOf.size} machines were placed`)
    return { value: Math.round(took), limit: 2000, unit: 'ms' }
  },
}
