import { observe } from '../../src/observe/observe.js'
import { survey } from '../../src/operations/reconcile.js'
import { aStage, aTopology } from '../support/lab.js'
import { exponentOf, type Point } from './support/exponent.js'
import { timesOf } from './support/fleet.js'
import { type Growth, recordGrowth } from './support/growth-page.js'
import { filesFor } from './support/large-cluster.js'
import { validationMs } from './support/large-inventory.js'
import { renderNodes } from './support/node-configs.js'

/** `node scripts/bench.mjs growth --record` goes to the largest sizes and writes docs/measurements.md. */
const isRecorded = process.argv.includes('--record')
const pureSizes = isRecorded ? [100, 300, 1000, 3000, 10_000] : [300, 1000, 3000]
const labSizes = isRecorded ? [10, 30, 100, 300, 1000] : [10, 30, 100]
const signal = AbortSignal.timeout(3_600_000)

/** How the time of each part grows with the number of machines. In a lab it is the CPU of ichor and lab together. */
export default {
  name: 'growth',
  async run() {
    const growths = [...(await pureGrowths()), ...(await labGrowths())]
    if (isRecorded) recordGrowth(growths)
    return growths.map(({ name, points }) => ({
      name: `growth of ${name} from ${points[0]?.machines} to ${points.at(-1)?.machines} machines`,
      value: Number(exponentOf(points).toFixed(2)),
      limit: 1.15,
      unit: '(exponent)',
    }))
  },
}

async function pureGrowths(): Promise<Growth[]> {
  await validationMs(100)
  renderNodes(100)
  await timesOf(100, 500)
  return [
    { name: 'validate', points: await pointsOf(pureSizes, validationMs) },
    { name: 'render', points: await pointsOf(pureSizes, async (machines) => wallMs(() => renderNodes(machines))) },
    { name: 'plan', points: await pointsOf(pureSizes, async (machines) => (await timesOf(machines, 500)).made) },
  ]
}

async function pointsOf(sizes: readonly number[], measure: (machines: number) => Promise<number>): Promise<Point[]> {
  const points: Point[] = []
  for (const machines of sizes) points.push({ machines, ms: await measure(machines) })
  return points
}

async function labGrowths(): Promise<Growth[]> {
  await inLab(5)
  const measured: ({ readonly machines: number } & Awaited<ReturnType<typeof inLab>>)[] = []
  for (const machines of labSizes) measured.push({ machines, ...(await inLab(machines)) })
  return (['create', 'observe', 'second up', 'status'] as const).map((name) => ({
    name,
    points: measured.map(({ machines, [name]: ms }) => ({ machines, ms })),
  }))
}

/** Ten machines a host, as large sites have them. Many machines that boot at once need all of this computer: their time runs slower. */
async function inLab(machines: number) {
  const topology = aTopology({ hosts: Math.max(3, Math.ceil(machines / 10)) })
  const stage = await aStage({ speed: Math.min(20, 2000 / machines), topology, files: filesFor(machines) })
  try {
    const create = await cpuMs(() => stage.up({ signal }))
    const { world, close } = await stage.connect()
    const inventory = await stage.inventory()
    const spec = await stage.spec(world)
    const look = await cpuMs(() => observe(inventory, world, signal))
    const second = await cpuMs(() => stage.up({ signal }))
    const status = await cpuMs(() => survey({ spec, world, signal }))
    await close()
    return { create, observe: look, 'second up': second, status }
  } finally {
    await stage.close()
  }
}

function wallMs(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
