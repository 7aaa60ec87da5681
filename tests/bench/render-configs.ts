import { renderNodes } from './support/node-configs.js'

const nodes = 1000

/** A thousand configs of control planes, the longest there are, half in the oldest style and half in the newest, each with two patches. */
export default {
  name: `${nodes} node configs rendered`,
  async run(): Promise<{ value: number; limit: number; unit: string }> {
    const start = performance.now()
    renderNodes(nodes)
    return { value: Math.round(performance.now() - start), limit: 4000, unit: 'ms' }
  },
}
