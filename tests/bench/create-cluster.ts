import type { LedgerEntry } from '../../src/simulator/index.js'
import type { World } from '../../src/world.js'
import { aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { type CallsByStep, countCallsByStep } from './support/calls-by-step.js'
import { processorTimeOfUp } from './support/processor-time.js'

/** Whatever lab and client compute in this one process counts so many times over. */
const speed = 1
const inventory = clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' })
const patience = 600_000
/** `node scripts/bench.mjs create-cluster --calls` also shows who makes them. */
const showsCalls = process.argv.includes('--calls')

/**
 * Three control planes and three workers on three hosts, their secrets included, against what the lab needs at the very least and
 * the making of those secrets, whose keys take longer in one run than in another; then once more.
 */
export default {
  name: 'up of 3+3',
  async run() {
    const stage = await aStage({ speed, files: { 'cluster.yaml': inventory } })
    try {
      let making = 0
      const through = (world: World): World => {
        const make = async (contract: string) => {
          making = await timed(() => world.secrets.make(contract))
        }
        return { ...world, secrets: { ...world.secrets, make } }
      }
      const signal = AbortSignal.timeout(patience)
      const creation = await counted(stage, ({ onEvent, through: count }) =>
        stage.up({ signal, through: (world) => through(count(world)), onEvent }),
      )
      const path = stage.lab.criticalPath() / speed + making
      const writes = mutatingCalls(stage.lab).length
      const second = await counted(stage, ({ onEvent, through: count }) =>
        stage.up({ signal, onEvent, through: count }),
      )
      if (mutatingCalls(stage.lab).length !== writes) throw new Error('the second up wrote something')
      const destruction = await counted(stage, ({ onEvent }) => stage.destroy({ signal, onEvent }))
      return [
        {
          name: `up of 3+3 on three hosts, against the critical path of ${Math.round(path)} ms at speed ${speed}, of it ${Math.round(making)} ms for secrets`,
          value: Math.round((creation.ms / path) * 100) / 100,
          limit: 1.03,
          unit: 'times',
        },
        { name: 'the same: calls of Proxmox', value: creation.ofProxmox, limit: 280, unit: 'calls' },
        { name: 'the same: calls of Proxmox, Talos and Kubernetes', value: creation.calls, limit: 330, unit: 'calls' },
        {
          name: 'the same in a process of its own, with secrets that are there: CPU',
          value: await processorTimeOfUp(inventory, speed),
          isCpu: true,
          limit: 2500,
          unit: 'ms',
        },
        {
          name: 'a second up of 3+3, none of it a write: calls of Proxmox',
          value: second.ofProxmox,
          limit: 30,
          unit: 'calls',
        },
        { name: 'the same: calls of Proxmox, Talos and Kubernetes', value: second.calls, limit: 45, unit: 'calls' },
        { name: 'destroy of 3+3', value: destruction.calls, limit: 150, unit: 'calls' },
      ]
    } finally {
      await stage.close()
    }
  },
}

/** How long it takes and how many calls the lab sees of it; with `--calls` also who makes them. */
async function counted(
  { lab }: Stage,
  work: (watch: Pick<CallsByStep, 'onEvent' | 'through'>) => Promise<unknown>,
): Promise<{ readonly ms: number; readonly calls: number; readonly ofProxmox: number }> {
  const before = callsOf(lab).length
  const byStep = showsCalls ? countCallsByStep() : undefined
  const ms = await timed(() => work(byStep ?? { onEvent: () => {}, through: (world) => world }))
  const calls = callsOf(lab).slice(before)
  if (byStep !== undefined) console.error(`${calls.length} calls\n${byStep.table()}\n`)
  byStep?.end()
  return { ms, calls: calls.length, ofProxmox: calls.filter(({ surface }) => surface === 'proxmox').length }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function callsOf({ ledger }: Stage['lab']): LedgerEntry[] {
  return ledger.entries().filter(({ event }) => event === 'call')
}
