import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLab } from '../../src/lab/index.js'
import type { Lab } from '../../src/simulator/index.js'
import { aTopology } from '../support/lab.js'
import { withIchor, withTofu } from './contestants.js'
import { recordTable } from './table.js'
import type { Timed } from './timed-process.js'

/** Makes six VMs from a Talos image, with their addresses, and takes them away again. */
export interface Contestant {
  readonly name: string
  prepare(): Promise<void>
  create(): Promise<Timed>
  destroy(): Promise<Timed>
}

export interface Result {
  readonly name: string
  readonly create: Phase
  /** Seconds until the last VM was started. */
  readonly started: number
  readonly destroy: Phase
}

interface Phase extends Timed {
  readonly calls: number
}

const vms = 6
const [, , tools = '', ...flags] = process.argv
const results = [await measure(withTofu(tools)), await measure(withIchor)]
const table = recordTable(results, flags.includes('--record'))
console.log(table)
process.exit(0)

/** Each on a lab of its own, so that no image is there before. */
async function measure(open: (lab: Lab, folder: string, env: NodeJS.ProcessEnv) => Contestant): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-side-by-side-'))
  const env = { PATH: process.env.PATH, HOME: folder, ICHOR_LAB_DIR: join(folder, '.lab') }
  const running = await runLab({ topology: aTopology({ hosts: 3 }), speed: 1 }, env)
  try {
    const contestant = open(running.lab, folder, env)
    await contestant.prepare()
    const began = running.lab.clock.now()
    const create = await counted(running.lab, () => contestant.create())
    const starts = running.lab.ledger.entries().filter(({ event }) => event === 'vm.started')
    if (starts.length !== vms) throw new Error(`${contestant.name} has started ${starts.length} VMs`)
    const started = (Math.max(...starts.map(({ at }) => at)) - began) / 1000
    const destroy = await counted(running.lab, () => contestant.destroy())
    return { name: contestant.name, create, started, destroy }
  } finally {
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Calls that the lab has seen; hosts that fetch an image from the factory do so by themselves. */
async function counted({ ledger }: Lab, work: () => Promise<Timed>): Promise<Phase> {
  const calls = () => ledger.entries().filter(({ event, surface }) => event === 'call' && surface !== 'factory').length
  const before = calls()
  const timed = await work()
  return { ...timed, calls: calls() - before }
}
