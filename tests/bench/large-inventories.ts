import { validationMs } from './support/large-inventory.js'

const mebibyte = 1024 ** 2

/** Nodes by name, as they stand in a nodes.yaml. */
export default {
  name: 'an inventory validated',
  async run() {
    const thousand = Math.round(await validationMs(1000))
    const memory = Math.round(process.memoryUsage.rss() / mebibyte)
    const tenThousand = Math.round(await validationMs(10_000))
    return [
      { name: '1,000 nodes validated', value: thousand, limit: 1000, unit: 'ms' },
      { name: '1,000 nodes validated: memory of the process', value: memory, limit: 300, unit: 'MB' },
      { name: '10,000 nodes validated', value: tenThousand, limit: 8000, unit: 'ms' },
    ]
  },
}
